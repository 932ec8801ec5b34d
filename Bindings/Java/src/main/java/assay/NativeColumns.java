package assay;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Columns in the layout of C, in one block of memory that {@link #close} frees. Values are copied in large chunks.
 * The buffers of a {@link TextColumn} stay where they are.
 *
 * <pre>
 *     assay_column … │ offsets, validity, name and bytes of each column
 * </pre>
 */
final class NativeColumns implements AutoCloseable {
    private static final int COLUMN = 72;
    private static final int OFFSETS64 = 2;

    final Memory memory;
    private long used;
    /** Keeps the direct buffers until the memory is freed. */
    private final List<TextColumn> lent = new ArrayList<>();

    /**
     * Copies or lends columns with the given number of rows. Other threads must not change them during the call.
     *
     * @param columns arrays of values, or columns of the type {@link TextColumn}
     */
    NativeColumns(List<String> names, List<?> columns, int rows) {
        int count = columns.size();
        byte[][] namesOfC = new byte[count][];
        EncodedColumn[] encoded = new EncodedColumn[count];
        long size = (long) count * COLUMN;
        for (int i = 0; i < count; i++) {
            namesOfC[i] = Texts.zeroEnded(names.get(i), "the name of a column");
            size += aligned(namesOfC[i].length);
            if (columns.get(i) instanceof TextColumn) continue;
            encoded[i] = new EncodedColumn((Object[]) columns.get(i));
            size += 8L * (rows + 1) + aligned(encoded[i].byteCount());
            if (encoded[i].validity != null) size += aligned(encoded[i].validity.length);
        }
        memory = new Memory(Math.max(1, size));
        used = (long) count * COLUMN;
        for (int i = 0; i < count; i++) {
            // struct assay_column: size, name, layout, reserved, bytes, byte_count, offsets, pointers, lengths,
            // validity
            long at = (long) i * COLUMN;
            memory.setMemory(at, COLUMN, (byte) 0);
            memory.setLong(at, COLUMN);
            memory.setPointer(at + 8, write(namesOfC[i]));
            memory.setInt(at + 16, OFFSETS64);
            if (encoded[i] != null) {
                copy(encoded[i], at);
            } else {
                lend((TextColumn) columns.get(i), at);
            }
        }
    }

    private static long aligned(long size) {
        return size + 7 & ~7L;
    }

    private Pointer write(byte[] bytes) {
        Pointer place = memory.share(used);
        memory.write(used, bytes, 0, bytes.length);
        used += aligned(bytes.length);
        return place;
    }

    private void copy(EncodedColumn column, long at) {
        memory.setPointer(at + 40, memory.share(used));
        memory.write(used, column.offsets, 0, column.offsets.length);
        used += 8L * column.offsets.length;
        if (column.validity != null) memory.setPointer(at + 64, write(column.validity));
        long start = used;
        memory.setPointer(at + 24, memory.share(Math.min(start, memory.size() - 1)));
        memory.setLong(at + 32, column.byteCount());
        column.eachChunk((chunk, count) -> {
            memory.write(used, chunk, 0, count);
            used += count;
        });
        used = start + aligned(column.byteCount());
    }

    private void lend(TextColumn column, long at) {
        lent.add(column);
        memory.setPointer(at + 24, addressOf(column.bytes));
        memory.setLong(at + 32, column.bytes.capacity());
        memory.setPointer(at + 40, addressOf(column.offsets));
        if (column.validity != null) memory.setPointer(at + 64, addressOf(column.validity));
    }

    /** The address of a direct buffer, also of an empty one. */
    private static Pointer addressOf(ByteBuffer buffer) {
        return Native.getDirectBufferPointer(buffer);
    }

    @Override
    public void close() {
        memory.close();
        java.lang.ref.Reference.reachabilityFence(lent);
    }
}
