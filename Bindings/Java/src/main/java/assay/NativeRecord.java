package assay;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;

/**
 * The values of one record in the layout of C, in memory that each thread uses again:
 *
 * <pre>
 *     pointers │ lengths │ bytes of all values
 * </pre>
 */
final class NativeRecord {
    private static final ThreadLocal<NativeRecord> OF_THREAD = ThreadLocal.withInitial(() -> new NativeRecord(4096));
    /** Larger records have memory of their own. */
    private static final long MAX_KEPT = 1 << 16;

    private final Memory memory;
    private final ByteBuffer buffer;
    private final long address;
    private Pointer lengths;
    private int count = -1;

    private NativeRecord(long size) {
        memory = new Memory(size);
        buffer = memory.getByteBuffer(0, size);
        address = Pointer.nativeValue(memory);
    }

    /**
     * Copies a record, or returns {@code null} if it has more than 2 GiB. The memory is valid until the thread calls
     * the function again.
     */
    static NativeRecord of(byte[][] values) {
        long size = 16L * values.length + 1;
        for (byte[] value : values) size += value == null ? 0 : value.length;
        if (size > Integer.MAX_VALUE) return null;
        NativeRecord record = OF_THREAD.get();
        if (size > record.memory.size()) {
            record = new NativeRecord(Math.max(size, Math.min(2 * size, MAX_KEPT)));
            if (record.memory.size() <= MAX_KEPT) OF_THREAD.set(record);
        }
        record.fill(values);
        return record;
    }

    private void fill(byte[][] values) {
        if (count != values.length) {
            count = values.length;
            lengths = memory.share(8L * count);
        }
        int used = 16 * count;
        for (int i = 0; i < count; i++) {
            byte[] value = values[i];
            buffer.putLong(8 * i, value == null ? 0 : address + used);
            buffer.putLong(8 * (count + i), value == null ? 0 : value.length);
            if (value == null) continue;
            buffer.put(used, value);
            used += value.length;
        }
    }

    Pointer values() {
        return memory;
    }

    Pointer lengths() {
        return lengths;
    }
}
