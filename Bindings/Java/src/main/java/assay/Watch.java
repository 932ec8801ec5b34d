package assay;

import com.sun.jna.Callback;
import com.sun.jna.CallbackReference;
import com.sun.jna.CallbackThreadInitializer;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The progress callback of one call. It also ends the call when the calling thread is interrupted. */
final class Watch implements AutoCloseable {
    /** The callback of C. Its context is the number of a watch. */
    private interface Report extends Callback {
        byte report(Pointer context, long done, long total);
    }

    private static final AtomicLong COUNT = new AtomicLong();
    private static final Map<Long, Watch> RUNNING = new ConcurrentHashMap<>();
    /** One callback for all calls, because JNA compiles each. A static field keeps it from being collected. */
    private static final Report REPORT = (context, done, total) -> {
        Watch watch = RUNNING.get(Pointer.nativeValue(context));
        return (byte) (watch == null || watch.report(done, total) ? 1 : 0);
    };

    static final Pointer FUNCTION;

    static {
        // Threads of the library stay attached to the virtual machine until they end, because attaching is slow.
        Native.setCallbackThreadInitializer(REPORT, new CallbackThreadInitializer(true, false, "assay"));
        FUNCTION = CallbackReference.getFunctionPointer(REPORT);
    }

    private final Thread caller = Thread.currentThread();
    private final long number = COUNT.incrementAndGet();
    private final Progress progress;
    private volatile Throwable thrown;

    /** @param progress may be {@code null} */
    Watch(Progress progress) {
        this.progress = progress;
        RUNNING.put(number, this);
    }

    Pointer context() {
        return new Pointer(number);
    }

    private boolean report(long done, long total) {
        if (thrown != null || caller.isInterrupted()) return false;
        try {
            return progress == null || progress.report(done, total);
        } catch (Throwable error) {
            thrown = error; // it must not pass through C
            return false;
        }
    }

    /** Throws the exception of the callback. */
    void rethrow() {
        if (thrown != null) Watch.<RuntimeException>sneak(thrown);
    }

    /** Throws an exception that the compiler does not know to be unchecked. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable error) throws E {
        throw (E) error;
    }

    @Override
    public void close() {
        RUNNING.remove(number);
    }
}
