package assay;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;

/**
 * A column of texts in one buffer, as in Arrow, which the library reads in place. It is a list, so that each method
 * that takes a column of values also takes a {@code TextColumn}. Do not change the buffers during a check.
 *
 * <pre>{@code rules.check(Map.of("id", TextColumn.copyOf(ids), "email", TextColumn.of(bytes, offsets, null)))}</pre>
 */
public final class TextColumn extends AbstractList<String> implements RandomAccess {
    final ByteBuffer bytes;
    /** In native byte order. */
    final ByteBuffer offsets;
    final ByteBuffer validity;
    private final int rows;

    private TextColumn(ByteBuffer bytes, ByteBuffer offsets, ByteBuffer validity, int rows) {
        this.bytes = bytes;
        this.offsets = offsets;
        this.validity = validity;
        this.rows = rows;
    }

    /**
     * Creates a column over direct buffers, from their positions to their limits, without a copy.
     *
     * @param bytes the texts in UTF-8
     * @param offsets one {@code long} more than there are values, in native byte order: value i is the bytes from
     *     offset i to offset i + 1, relative to the position of {@code bytes}
     * @param validity bit i, least significant first, is 1 if value i is present; {@code null}: all are
     */
    public static TextColumn of(ByteBuffer bytes, ByteBuffer offsets, ByteBuffer validity) {
        int rows = offsets.remaining() / Long.BYTES - 1;
        if (offsets.remaining() % Long.BYTES != 0 || rows < 0) {
            throw AssayException.argument("the offsets have " + offsets.remaining()
                    + " bytes; they are 8 bytes for each value, and 8 more");
        }
        if (validity != null && validity.remaining() < (rows + 7) / 8) {
            throw AssayException.argument(
                    "the validity has " + validity.remaining() + " bytes for " + rows + " values");
        }
        for (ByteBuffer buffer : new ByteBuffer[] {bytes, offsets, validity}) {
            if (buffer != null && !buffer.isDirect()) {
                throw AssayException.argument("the buffers of a column must be direct (ByteBuffer.allocateDirect)");
            }
        }
        if (offsets.alignmentOffset(offsets.position(), Long.BYTES) != 0) {
            throw AssayException.argument("the address of the offsets must be a multiple of 8");
        }
        return new TextColumn(bytes.slice(), slice(offsets), validity == null ? null : validity.slice(), rows);
    }

    private static ByteBuffer slice(ByteBuffer offsets) {
        return offsets.slice().order(ByteOrder.nativeOrder());
    }

    /** Copies values once, for columns that are checked more than once. Their texts may have up to 2 GiB. */
    public static TextColumn copyOf(List<?> values) {
        if (values instanceof TextColumn column) return column;
        EncodedColumn encoded = new EncodedColumn(values.toArray());
        if (encoded.byteCount() > Integer.MAX_VALUE) {
            throw AssayException.argument("the texts of the column have more than 2 GiB");
        }
        ByteBuffer bytes = ByteBuffer.allocateDirect((int) encoded.byteCount());
        encoded.eachChunk((chunk, count) -> bytes.put(chunk, 0, count));
        ByteBuffer offsets = ByteBuffer.allocateDirect(encoded.offsets.length * Long.BYTES);
        LongBuffer longs = offsets.order(ByteOrder.nativeOrder()).asLongBuffer();
        longs.put(encoded.offsets);
        ByteBuffer validity = null;
        if (encoded.validity != null) {
            validity = ByteBuffer.allocateDirect(encoded.validity.length).put(encoded.validity).rewind();
        }
        return of(bytes.rewind(), offsets, validity);
    }

    /** The text of a row, or {@code null} if it is missing. Invalid bytes become U+FFFD. */
    @Override
    public String get(int row) {
        if (row < 0 || row >= rows) throw new IndexOutOfBoundsException(row);
        byte[] text = bytesOf(row);
        return text == null ? null : new String(text, StandardCharsets.UTF_8);
    }

    /** The bytes of a row, or {@code null} if it is missing. */
    byte[] bytesOf(int row) {
        if (validity != null && (validity.get(row / 8) >> row % 8 & 1) == 0) return null;
        int start = Math.toIntExact(offsets.getLong(Long.BYTES * row));
        byte[] text = new byte[Math.toIntExact(offsets.getLong(Long.BYTES * (row + 1))) - start];
        bytes.get(start, text);
        return text;
    }

    /** The values as texts, and those that are not well-formed UTF-8 as bytes. */
    Object[] exactValues() {
        Object[] values = new Object[rows];
        for (int row = 0; row < rows; row++) {
            byte[] text = bytesOf(row);
            String decoded = text == null ? null : new String(text, StandardCharsets.UTF_8);
            boolean isExact = text == null || Arrays.equals(decoded.getBytes(StandardCharsets.UTF_8), text);
            values[row] = isExact ? decoded : text;
        }
        return values;
    }

    @Override
    public int size() {
        return rows;
    }
}
