package assay;

import com.sun.jna.Pointer;
import java.lang.ref.Cleaner;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * An object of libassay. Many threads may use it at once. It is freed once, by {@link #close} or when its owner is
 * collected. Closing waits for current users; later users get an exception.
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
        private final ReadWriteLock lock = new ReentrantReadWriteLock();
        private Pointer pointer;

        State(String name, Pointer pointer, Consumer<Pointer> free) {
            this.name = name;
            this.pointer = pointer;
            this.free = free;
        }

        <T> T use(Function<Pointer, T> body) {
            lock.readLock().lock();
            try {
                if (pointer == null) throw new IllegalStateException(name + " is closed");
                return body.apply(pointer);
            } finally {
                lock.readLock().unlock();
            }
        }

        @Override
        public void run() {
            lock.writeLock().lock();
            try {
                free.accept(pointer);
                pointer = null;
            } finally {
                lock.writeLock().unlock();
            }
        }
    }
}
