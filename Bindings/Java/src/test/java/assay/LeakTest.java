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

/** Watches the memory that the C library has given out. To be run with -Xint -XX:+UseSerialGC: a compiler takes memory as well. */
public class LeakTest {
    /** What is closed, and what only the collector frees, is freed. */
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

    /** What malloc has given out, by {@code mallinfo2} of glibc; the heap of Java is not in it. */
    public static class MallInfo extends com.sun.jna.Structure implements com.sun.jna.Structure.ByValue {
        public long arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost;

        @Override
        protected java.util.List<String> getFieldOrder() {
            return java.util.List.of(
                    "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost");
        }
    }

    private static long used() throws Exception {
        // Twice: what the cleaner of a first collection lets go is freed after it.
        for (int i = 0; i < 4; i++) {
            System.gc();
            Thread.sleep(50);
        }
        MallInfo info = (MallInfo) com.sun.jna.Function.getFunction("c", "mallinfo2").invoke(MallInfo.class, new Object[0]);
        return info.uordblks + info.hblkhd;
    }
}
