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
    private static final int MAX_KEPT = 1 << 16;

    private final Memory memory;
    private final ByteBuffer buffer;
    private final long address;
    /** The bytes of all values before they are copied, because an array is faster to fill than a buffer. */
    private final byte[] bytes;
    private int count;

    private NativeRecord(int size) {
        memory = new Memory(size);
        buffer = memory.getByteBuffer(0, size);
        address = Pointer.nativeValue(memory);
        bytes = new byte[size];
    }

    /**
     * Copies a record of strings, bytes and {@code null}, or returns {@code null} if it may have more than 2 GiB. The
     * memory is valid until the thread calls the function again.
     */
    static NativeRecord of(Object[] values) {
        long size = 16L * values.length + 1;
        for (Object value : values) {
            if (value instanceof String text) size += 3L * text.length();
            else if (value != null) size += ((byte[]) value).length;
        }
        if (size > Integer.MAX_VALUE - 8) return null;
        NativeRecord record = OF_THREAD.get();
        if (size > record.bytes.length) {
            record = new NativeRecord((int) Math.max(size, Math.min(2 * size, MAX_KEPT)));
            if (record.bytes.length <= MAX_KEPT) OF_THREAD.set(record);
        }
        record.fill(values);
        return record;
    }

    private void fill(Object[] values) {
        count = values.length;
        int end = 0;
        for (int i = 0; i < count; i++) {
            Object value = values[i];
            int start = end;
            if (value instanceof String text) end = write(text, start);
            else if (value != null) end = write((byte[]) value, start);
            buffer.putLong(8 * i, value == null ? 0 : address + 16L * count + start);
            buffer.putLong(8 * (count + i), end - start);
        }
        buffer.put(16 * count, bytes, 0, end);
    }

    /** Writes a text, which is usually ASCII. Returns its end. */
    private int write(String text, int start) {
        int length = text.length();
        int all = 0;
        for (int i = 0; i < length; i++) {
            char unit = text.charAt(i);
            bytes[start + i] = (byte) unit;
            all |= unit;
        }
        return all < 0x80 ? start + length : write(Texts.bytes(text), start);
    }

    private int write(byte[] value, int start) {
        System.arraycopy(value, 0, bytes, start, value.length);
        return start + value.length;
    }

    /** Returns whether the record is clean. */
    boolean isClean(Pointer rules) {
        try {
            return RecordCall.accepts(Pointer.nativeValue(rules), address, address + 8L * count);
        } finally {
            // The call has only the address, so the record and its memory could be collected before it ends.
            java.lang.ref.Reference.reachabilityFence(this);
        }
    }
}
