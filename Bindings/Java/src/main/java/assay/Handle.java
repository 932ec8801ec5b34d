package assay;

import com.sun.jna.Pointer;
import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * An object of libassay. Many threads may use it at once. It is freed once, by {@link #close} or when its owner is
 * collected; during calls that use it, the last call frees it. Closing must not wait for calls, because the callback of
 * a call may use or close the object. Later users get an exception.
 */
final class Handle {
    private static final Cleaner CLEANER = Cleaner.create();

    private final State state;
    private final Cleaner.Cleanable cleanable;

    Handle(Object owner, Pointer pointer, Consumer<Pointer> free) {
        state = new State(owner.getClass().getSimpleName(), pointer, free);
        cleanable = CLEANER.register(owner, state);
    }

    <T> T use(Function<Pointer, T> body) {
        return state.use(body);
    }

    void close() {
        cleanable.clean();
    }

    /** The state without a reference to the owner, which otherwise could not be collected. */
    private static final class State implements Runnable {
        private final String name;
        private final Consumer<Pointer> free;
        private final Pointer pointer;
        /** The number of calls, plus {@code CLOSED} after closing. */
        private final AtomicLong users = new AtomicLong();

        private static final long CLOSED = Long.MIN_VALUE;

        State(String name, Pointer pointer, Consumer<Pointer> free) {
            this.name = name;
            this.pointer = pointer;
            this.free = free;
        }

        <T> T use(Function<Pointer, T> body) {
            if (users.getAndUpdate(count -> count < 0 ? count : count + 1) < 0) {
                throw new IllegalStateException(name + " is closed");
            }
            try {
                return body.apply(pointer);
            } finally {
                if (users.decrementAndGet() == CLOSED) free.accept(pointer);
            }
        }

        /** Called once, by the cleaner. */
        @Override
        public void run() {
            if (users.getAndAdd(CLOSED) == 0) free.accept(pointer);
        }
    }
}
