package assay;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.Test;

/**
 * Measures the memory allocated by the C library. Run it with -Xint -XX:+UseSerialGC, because a compiler also allocates
 * memory.
 */
public class LeakTest {
    /** Closed objects and collected objects must be freed. */
    @Test
    public void nothingLeaks() throws Exception {
        assumeTrue("glibc only", Files.exists(Path.of("/proc/self/statm")));
        Runnable round = () -> {
            try (Rules rules = Rules.parse(AssayTest.RULES);
                    CheckResult result = rules.checkRecords(List.of(Map.of("id", "x")))) {
                assertEquals(2 + 10, result.findings().size() + result.counts().size());
                String mistakes = "fields: [" + "{nam: x},".repeat(6) + "]";
                assertEquals(6, assertThrows(AssayException.class, () -> Rules.parse(mistakes)).mistakes().size());
            }
            try (Rules repairs = Rules.parse("fields: [{name: v, repair: [trim]}]")) {
                for (int i = 0; i < 8; i++) assertEquals(List.of("v"), repairs.repair("v", List.of(" v")));
            }
            Rules.parse("fields: [{name: v, constraints: {pattern: '[a-z]+'}}]");
        };
        for (int i = 0; i < 100; i++) round.run();
        long before = used();
        final int rounds = 300;
        for (int i = 0; i < rounds; i++) round.run();
        long grown = used() - before;
        assertTrue("grown by " + grown + " bytes", grown < rounds * 512);
    }

    /** The memory allocated by malloc, from {@code mallinfo2} of glibc. It excludes the Java heap. */
    public static class MallInfo extends com.sun.jna.Structure implements com.sun.jna.Structure.ByValue {
        public long arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost;

        @Override
        protected java.util.List<String> getFieldOrder() {
            return java.util.List.of(
                    "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks",
                    "fordblks", "keepcost");
        }
    }

    private static long used() throws Exception {
        // Collect repeatedly, because the cleaner frees objects after the collection that found them.
        for (int i = 0; i < 4; i++) {
            System.gc();
            Thread.sleep(50);
        }
        MallInfo info = (MallInfo) com.sun.jna.Function.getFunction("c", "mallinfo2")
                .invoke(MallInfo.class, new Object[0]);
        return info.uordblks + info.hblkhd;
    }
}
