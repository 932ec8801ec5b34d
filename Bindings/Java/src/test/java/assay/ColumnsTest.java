package assay;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.Test;

/** Tests of columns in one buffer and of copied ones, of records, and of rules that are replaced during use. */
public class ColumnsTest {
    private static ByteBuffer direct(byte... bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).rewind();
    }

    private static ByteBuffer offsets(long... offsets) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(8 * offsets.length).order(ByteOrder.nativeOrder());
        buffer.asLongBuffer().put(offsets);
        return buffer;
    }

    private static List<String> seen(CheckResult result) {
        try (result) {
            return result.findings().stream().map(found -> found.record() + " " + found.rule()).toList();
        }
    }

    private static String refused(org.junit.function.ThrowingRunnable call) {
        return assertThrows(AssayException.class, call).getMessage();
    }

    @Test
    public void columnsMayBeInOneBuffer() {
        ByteBuffer bytes = direct("?12x34".getBytes(StandardCharsets.UTF_8)).position(1);
        TextColumn ids = TextColumn.of(bytes, offsets(0, 2, 2, 3, 5), direct((byte) 0b1101));
        List<String> texts = Arrays.asList("a", null, "c", "d");
        assertEquals(Arrays.asList("12", null, "x", "34"), ids);
        try (Rules rules = Rules.parse(
                "fields: [{name: id, type: integer}, {name: text, constraints: {required: true}}]")) {
            List<String> expected = List.of("2 text.required", "3 id.type");
            assertEquals(expected, seen(rules.check(Map.of("id", ids, "text", texts))));
            assertEquals(expected, seen(rules.check(Map.of("id", ids, "text", TextColumn.copyOf(texts)))));
            try (CheckResult one = rules.checkColumn("id", ids, CheckOptions.DEFAULT)) {
                assertEquals(BitSet.valueOf(new long[] {0b0100}), one.rejected());
                assertEquals(BitSet.valueOf(new long[] {0b0010}), one.missing());
            }
            TextColumn empty = TextColumn.of(direct(), offsets(0), null);
            assertTrue(seen(rules.check(Map.of("id", empty, "text", List.of()))).isEmpty());
            assertEquals(ids, rules.repair("id", ids));
            for (long[] wrong : new long[][] {{0, 99}, {-1, 0}, {1, 0}}) {
                TextColumn column = TextColumn.of(bytes, offsets(wrong), null);
                AssayException error = assertThrows(
                        AssayException.class, () -> rules.checkColumn("id", column, CheckOptions.DEFAULT));
                assertEquals(AssayException.Kind.ARGUMENT, error.kind());
            }
        }
        assertEquals("the offsets have 9 bytes; they are 8 bytes for each value, and 8 more",
                refused(() -> TextColumn.of(bytes, ByteBuffer.allocateDirect(9), null)));
        assertEquals("the validity has 1 bytes for 9 values",
                refused(() -> TextColumn.of(bytes, ByteBuffer.allocateDirect(80), direct((byte) 1))));
        assertEquals("the buffers of a column must be direct (ByteBuffer.allocateDirect)",
                refused(() -> TextColumn.of(ByteBuffer.allocate(1), offsets(0), null)));
        assertEquals("the address of the offsets must be a multiple of 8",
                refused(() -> TextColumn.of(bytes, ByteBuffer.allocateDirect(17).position(1), null)));
        assertNull(TextColumn.of(bytes, offsets(0, 0), direct((byte) 0)).get(0));
        assertThrows(IndexOutOfBoundsException.class, () -> ids.get(4));
    }

    /** Values of all kinds and sizes, in columns of more than one chunk, have the verdicts of single records. */
    @Test
    public void copiedValuesAreThoseOfRecords() {
        String[] kinds = {
            "", "a", "\u00e9", "\ud83d\ude00", "\ud83d", "\u30a2".repeat(300), "x".repeat(40_000), null, "7", "b"
        };
        List<Object> values = new ArrayList<>();
        for (int row = 0; row < 300; row++) values.add(kinds[(row * 31 + row / 7) % kinds.length]);
        values.addAll(List.of(7, true, new byte[] {'a'}));
        for (String value : List.of("a", "\ud83d\ude00", "7")) {
            try (Rules rules = Rules.parse("fields: [{name: v, constraints: {enum: ['" + value + "']}}]")) {
                BitSet expected = new BitSet();
                for (int row = 0; row < values.size(); row++) {
                    Map<String, Object> record = values.get(row) == null ? Map.of() : Map.of("v", values.get(row));
                    if (!rules.accepts(record)) expected.set(row);
                }
                for (List<?> column : List.of(values, TextColumn.copyOf(values))) {
                    try (CheckResult result = rules.checkColumn("v", column, CheckOptions.DEFAULT)) {
                        assertEquals(value, expected, result.rejected());
                    }
                }
            }
        }
    }

    @Test
    public void recordsOfAllSizesAreChecked() {
        StringBuilder fields = new StringBuilder();
        for (int i = 0; i < 500; i++) fields.append(i == 0 ? "" : ", ").append("{name: f" + i + ", type: integer}");
        try (Rules many = Rules.parse("fields: [" + fields + "]");
                Rules one = Rules.parse("fields: [{name: v, constraints: {pattern: '1*'}}]")) {
            for (int size : new int[] {0, 1, 4000, 4096, 70_000, 3, 100_000}) {
                assertTrue(one.accepts(Map.of("v", "1".repeat(size))));
                assertEquals(false, one.accepts(Map.of("v", "1".repeat(size) + "x")));
                assertTrue(many.accepts(Map.of("f499", 1)));
                assertEquals(false, many.accepts(Map.of("f499", "x")));
            }
        }
    }

    /** The collector frees replaced rules, also while other threads use them. */
    @Test
    public void rulesAreReplacedDuringUse() throws Exception {
        AtomicReference<Rules> shared = new AtomicReference<>(Rules.parse("fields: [{name: v, type: integer}]"));
        AtomicReference<Throwable> failed = new AtomicReference<>();
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread reader = new Thread(() -> {
                try {
                    while (!Thread.currentThread().isInterrupted()) {
                        assertEquals(1, shared.get().checkRecord(Map.of("v", "x")).size());
                    }
                } catch (Throwable error) {
                    if (!Thread.currentThread().isInterrupted()) failed.set(error);
                }
            });
            reader.start();
            readers.add(reader);
        }
        for (int round = 0; round < 200; round++) {
            shared.set(Rules.parse("fields: [{name: v, type: integer}]"));
            if (round % 20 == 0) System.gc();
        }
        for (Thread reader : readers) reader.interrupt();
        for (Thread reader : readers) reader.join(10_000);
        assertNull(failed.get());
    }

    @Test
    public void repairsKeepInvalidBytesOfTextColumns() {
        byte[] invalid = {'a', (byte) 0xff};
        try (Rules rules = Rules.parse("fields: [{name: v, repair: [trim]}]")) {
            List<Object> repaired = rules.repair("v", TextColumn.copyOf(Arrays.asList(" x", invalid, null, "é")));
            assertEquals("x", repaired.get(0));
            assertArrayEquals(invalid, (byte[]) repaired.get(1));
            assertEquals(Arrays.asList(null, "é"), repaired.subList(2, 4));
        }
    }
}
