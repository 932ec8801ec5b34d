import com.sun.jna.Native;

/** A call through JNA that does almost no work. */
final class Empty {
    static {
        Native.register(Empty.class, "c");
    }

    private Empty() {}

    /** Returns the absolute value. */
    static native int abs(int value);
}
