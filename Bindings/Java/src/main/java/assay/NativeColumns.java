package assay;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.util.List;

/**
 * Columns in the layout of C, in one block of memory that {@link #close} frees:
 *
 * <pre>
 *     assay_column … │ offsets, rows + 1 for each │ validity │ names │ bytes of all values
 * </pre>
 */
final class NativeColumns implements AutoCloseable {
    private static final int COLUMN = 72;
    private static final int OFFSETS64 = 2;

    final Memory memory;

    /** Copies columns with the given number of rows. Other threads must not change them during the call. */
    NativeColumns(List<String> names, List<Object[]> columns, int rows) {
        int count = columns.size();
        byte[][][] values = new byte[count][rows][];
        byte[][] namesOfC = new byte[count][];
        long byteCount = 0;
        long nameCount = 0;
        for (int column = 0; column < count; column++) {
            namesOfC[column] = Texts.zeroEnded(names.get(column), "the name of a column");
            nameCount += namesOfC[column].length;
            int row = 0;
            for (Object value : columns.get(column)) {
                byte[] bytes = Texts.ofValue(value);
                values[column][row++] = bytes;
                if (bytes != null) byteCount += bytes.length;
            }
        }
        long offsetsSize = (rows + 1L) * 8;
        long validitySize = (rows + 7L) / 8;
        long offsets = (long) count * COLUMN;
        long validity = offsets + count * offsetsSize;
        long name = validity + count * validitySize;
        long bytes = name + nameCount;
        memory = new Memory(Math.max(1, bytes + byteCount));
        memory.clear(name);
        Pointer start = memory.share(bytes < memory.size() ? bytes : 0);
        long used = 0;
        for (int column = 0; column < count; column++) {
            // struct assay_column: size, name, layout, reserved, bytes, byte_count, offsets, pointers, lengths,
            // validity
            long at = (long) column * COLUMN;
            memory.setLong(at, COLUMN);
            memory.setPointer(at + 8, memory.share(name));
            memory.setInt(at + 16, OFFSETS64);
            memory.setPointer(at + 24, start);
            memory.setLong(at + 32, byteCount);
            memory.setPointer(at + 40, memory.share(offsets));
            if (rows > 0) memory.setPointer(at + 64, memory.share(validity));
            memory.write(name, namesOfC[column], 0, namesOfC[column].length);
            memory.setLong(offsets, used);
            for (int row = 0; row < rows; row++) {
                byte[] value = values[column][row];
                if (value != null) {
                    long bits = validity + row / 8;
                    memory.setByte(bits, (byte) (memory.getByte(bits) | 1 << row % 8));
                    memory.write(bytes + used, value, 0, value.length);
                    used += value.length;
                }
                memory.setLong(offsets + 8L * (row + 1), used);
            }
            name += namesOfC[column].length;
            offsets += offsetsSize;
            validity += validitySize;
        }
    }

    @Override
    public void close() {
        memory.close();
    }
}
