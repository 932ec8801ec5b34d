package assay;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The values of a column in UTF-8, in large chunks, with offsets. */
final class EncodedColumn {
    private static final int CHUNK = 1 << 20;

    /** One more than there are values. */
    final long[] offsets;
    /** Bit i, least significant first, is 1 if value i is present; {@code null}: all are. */
    byte[] validity;

    private final List<byte[]> full = new ArrayList<>();
    private final List<Integer> counts = new ArrayList<>();
    private byte[] chunk;
    private int used;
    private long before;

    /** Receives the bytes in their order. */
    interface Receives {
        void receive(byte[] chunk, int count);
    }

    EncodedColumn(Object[] values) {
        offsets = new long[values.length + 1];
        chunk = new byte[(int) Math.min(CHUNK, 16L * values.length + 16)];
        for (int row = 0; row < values.length; row++) {
            Object value = values[row];
            if (value == null) {
                setMissing(row);
            } else if (!(value instanceof String text) || !appendAscii(text)) {
                append(Texts.ofValue(value));
            }
            offsets[row + 1] = before + used;
        }
    }

    long byteCount() {
        return before + used;
    }

    void eachChunk(Receives receives) {
        for (int i = 0; i < full.size(); i++) receives.receive(full.get(i), counts.get(i));
        receives.receive(chunk, used);
    }

    private void setMissing(int row) {
        if (validity == null) {
            validity = new byte[(offsets.length - 1 + 7) / 8];
            Arrays.fill(validity, (byte) 0xff);
        }
        validity[row / 8] &= (byte) ~(1 << row % 8);
    }

    /** Appends a text, or returns {@code false} if it has other characters than ASCII. */
    private boolean appendAscii(String text) {
        int count = text.length();
        if (chunk.length - used < count) startChunk(count);
        byte[] bytes = chunk;
        int next = used;
        for (int i = 0; i < count; i++) {
            char unit = text.charAt(i);
            if (unit >= 0x80) return false;
            bytes[next++] = (byte) unit;
        }
        used = next;
        return true;
    }

    private void append(byte[] bytes) {
        if (chunk.length - used < bytes.length) startChunk(bytes.length);
        System.arraycopy(bytes, 0, chunk, used, bytes.length);
        used += bytes.length;
    }

    private void startChunk(int size) {
        full.add(chunk);
        counts.add(used);
        before += used;
        chunk = new byte[Math.max(CHUNK, size)];
        used = 0;
    }
}
