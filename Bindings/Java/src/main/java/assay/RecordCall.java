package assay;

import com.sun.jna.Pointer;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Array;

/**
 * The function {@code assay_rules_accepts}. Since Java 22, {@code java.lang.foreign} calls it, because JNA needs most
 * of the time of a small record. Reflection finds this package, because the classes also run on Java 17.
 */
final class RecordCall {
    private static final MethodHandle FOREIGN = foreign(LibAssay.addressOf("assay_rules_accepts"));

    private RecordCall() {}

    static boolean accepts(long rules, long values, long lengths) {
        if (FOREIGN == null) return LibAssay.assay_rules_accepts(rules, values, lengths) != 0;
        try {
            return (boolean) FOREIGN.invokeExact(rules, values, lengths);
        } catch (RuntimeException | Error thrown) {
            throw thrown;
        } catch (Throwable thrown) {
            throw new AssertionError(thrown); // the function has no exceptions
        }
    }

    /** The function (long, long, long) → boolean at an address, or {@code null} if this Java cannot call it. */
    private static MethodHandle foreign(Pointer address) {
        if (Runtime.version().feature() < 22) return null;
        try {
            Class<?> linker = type("Linker");
            Class<?> segment = type("MemorySegment");
            Class<?> layout = type("MemoryLayout");
            Class<?> descriptor = type("FunctionDescriptor");
            Object number = type("ValueLayout").getField("JAVA_LONG").get(null);
            Object verdict = type("ValueLayout").getField("JAVA_BOOLEAN").get(null);
            Object parameters = Array.newInstance(layout, 3);
            for (int i = 0; i < 3; i++) Array.set(parameters, i, number);
            Object options = Array.newInstance(type("Linker$Option"), 0);
            return (MethodHandle) linker.getMethod("downcallHandle", segment, descriptor, options.getClass()).invoke(
                    linker.getMethod("nativeLinker").invoke(null),
                    segment.getMethod("ofAddress", long.class).invoke(null, Pointer.nativeValue(address)),
                    descriptor.getMethod("of", layout, parameters.getClass()).invoke(null, verdict, parameters),
                    options);
        } catch (ReflectiveOperationException | RuntimeException refused) {
            return null; // such as --illegal-native-access=deny
        }
    }

    private static Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName("java.lang.foreign." + name);
    }
}
