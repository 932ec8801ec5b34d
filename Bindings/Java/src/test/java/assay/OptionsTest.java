package assay;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Tests of options: progress, cancelled calls, exceptions of callbacks, keys of earlier parts, and outputs. */
public class OptionsTest {
    private static final String RULES = "fields: [{name: id, type: integer}, {name: text}]";

    @org.junit.Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    /** A CSV file of 6 MB, which several chunks contain. */
    private static byte[] longCsv() {
        return ("id,text\n" + "1234567,some longer text\n".repeat(250_000)).getBytes(StandardCharsets.UTF_8);
    }

    private Path write(String name, byte[] bytes) throws Exception {
        return Files.write(folder.getRoot().toPath().resolve(name), bytes);
    }

    private Path path(String name) {
        return folder.getRoot().toPath().resolve(name);
    }

    private List<String> names() throws Exception {
        try (Stream<Path> files = Files.list(folder.getRoot().toPath())) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private Outputs outputs() {
        return new Outputs()
                .clean(path("clean.csv"))
                .rejects(path("rejects.csv"))
                .findings(path("findings.jsonl"))
                .report(path("report.json"));
    }

    private static AssayException refused(org.junit.function.ThrowingRunnable call) {
        return assertThrows(AssayException.class, call);
    }

    @Test
    public void progressReachesTheTotal() {
        try (Rules rules = Rules.parse("fields: [{name: id, type: integer}]")) {
            List<Integer> ids = Collections.nCopies(200_000, 7);
            for (int threads : new int[] {1, 4}) {
                List<Long> done = Collections.synchronizedList(new ArrayList<>());
                CheckOptions options = CheckOptions.DEFAULT.withThreads(threads).withProgress((now, total) -> {
                    done.add(now);
                    return true;
                });
                try (CheckResult result = rules.check(Map.of("id", ids), options)) {
                    assertTrue(result.isClean());
                }
                List<Long> sorted = new ArrayList<>(done);
                Collections.sort(sorted);
                assertEquals(sorted, done);
                assertTrue(done.size() > 1);
                assertEquals(200_000, (long) done.get(done.size() - 1));
            }
        }
    }

    @Test
    public void cancelledRunsLeaveNoOutput() throws Exception {
        Path input = write("long.csv", longCsv());
        try (Rules rules = Rules.parse(RULES)) {
            for (int threads : new int[] {1, 4}) {
                AtomicLong seen = new AtomicLong();
                CheckOptions options = CheckOptions.DEFAULT.withThreads(threads).withProgress((done, total) -> {
                    seen.set(done);
                    return done == 0;
                });
                AssayException error = refused(() -> rules.cleanFile(input, outputs(), options));
                assertEquals(AssayException.Kind.CANCELLED, error.kind());
                assertEquals("the progress callback ended the run", error.getMessage());
                assertTrue(seen.get() > 0);
                assertEquals(List.of("long.csv"), names());
            }
        }
    }

    @Test
    public void interruptionsEndCalls() throws Exception {
        Path input = write("long.csv", longCsv());
        try (Rules rules = Rules.parse(RULES)) {
            Thread caller = Thread.currentThread();
            CheckOptions options = CheckOptions.DEFAULT.withProgress((done, total) -> {
                if (done > 0) caller.interrupt();
                return true;
            });
            List<org.junit.function.ThrowingRunnable> calls = List.of(
                    () -> rules.cleanFile(input, outputs(), options),
                    () -> rules.checkCsv(Files.readAllBytes(input), options),
                    () -> rules.check(Map.of("id", Collections.nCopies(200_000, 1), "text",
                            Collections.nCopies(200_000, "")), options),
                    () -> Assay.profile(input, false, options),
                    () -> Assay.infer(input, options),
                    () -> rules.cleanFile(input, outputs(), CheckOptions.DEFAULT));
            for (org.junit.function.ThrowingRunnable call : calls) {
                if (call == calls.get(calls.size() - 1)) caller.interrupt(); // before the call
                AssayException error = refused(call);
                assertEquals(AssayException.Kind.CANCELLED, error.kind());
                assertEquals("the thread was interrupted, which ended the call", error.getMessage());
                assertTrue("remains interrupted", Thread.interrupted());
                assertEquals(List.of("long.csv"), names());
            }
            // Another thread interrupts.
            Thread other = new Thread(() -> {
                try {
                    Thread.sleep(5);
                } catch (InterruptedException error) {
                    throw new AssertionError(error);
                }
                caller.interrupt();
            });
            other.start();
            refused(() -> {
                while (true) rules.cleanFile(input, outputs().replace(true), CheckOptions.DEFAULT.withThreads(1));
            });
            other.join(1000);
            assertTrue(Thread.interrupted());
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    public void exceptionsContinueInTheCaller() throws Exception {
        Path input = write("long.csv", longCsv());
        try (Rules rules = Rules.parse(RULES)) {
            for (Throwable thrown : List.of(new IllegalStateException("of the callback"), new StackOverflowError())) {
                AtomicInteger calls = new AtomicInteger();
                CheckOptions options = CheckOptions.DEFAULT.withThreads(4).withProgress((done, total) -> {
                    calls.incrementAndGet();
                    if (thrown instanceof Error error) throw error;
                    throw (RuntimeException) thrown;
                });
                assertSame(thrown, assertThrows(
                        thrown.getClass(), () -> rules.cleanFile(input, outputs(), options)));
                assertEquals(1, calls.get());
                assertEquals(List.of("long.csv"), names());
            }
            rules.cleanFile(input, outputs(), CheckOptions.DEFAULT);
        }
    }

    @Test
    public void callbacksMayCheck() {
        AtomicInteger accepted = new AtomicInteger();
        try (Rules rules = Rules.parse(RULES);
                CheckResult result = rules.checkCsv(longCsv(), CheckOptions.DEFAULT.withProgress((done, total) -> {
                    if (rules.accepts(Map.of("id", 7))) accepted.incrementAndGet();
                    return true;
                }))) {
            assertTrue(result.isClean());
        }
        assertTrue(accepted.get() > 1);
    }

    @Test
    @SuppressWarnings("try") // closed twice
    public void partsOfATableShareKeys() {
        try (Rules rules = Rules.parse("fields: [{name: id, constraints: {unique: true}}]");
                SeenKeys keys = rules.seenKeys(1 << 20)) {
            CheckOptions options = CheckOptions.DEFAULT.withSeen(keys);
            try (CheckResult first = rules.check(Map.of("id", List.of("a", "b")), options);
                    CheckResult second = rules.check(Map.of("id", List.of("c", "b")), options.withFirstRecord(2))) {
                assertTrue(first.isClean());
                Finding found = second.findings().get(0);
                assertEquals("4 equals record 2", found.record() + " " + found.message());
            }
            List<String> messages = new ArrayList<>();
            CheckOptions nested = options.withFirstRecord(4).withProgress((done, total) -> {
                messages.add(refused(() -> rules.check(Map.of("id", List.of("e")), options)).getMessage());
                return true;
            });
            rules.check(Map.of("id", List.of("d")), nested).close();
            assertEquals("another check uses the seen keys", messages.get(0));
            keys.close();
            assertThrows(IllegalStateException.class, () -> rules.check(Map.of("id", List.of("f")), options));
        }
    }

    @Test
    public void outputsHaveTheOptionsOfTheCommand() throws Exception {
        Path input = write("latin.csv", "id;text\n1;=caf\u00e9\nx;b\ny;c\n9;d\n".getBytes(StandardCharsets.ISO_8859_1));
        Outputs outputs = new Outputs()
                .clean(path("clean"))
                .findings(path("findings.jsonl"))
                .encoding("windows-1252")
                .delimiter(";")
                .head(3)
                .maxFindings(1)
                .showValues(true)
                .guardFormulas(true);
        try (Rules rules = Rules.parse(RULES)) {
            rules.cleanFile(input, outputs, CheckOptions.DEFAULT);
            assertEquals("id;text\n1;'=caf\u00e9\n", Files.readString(path("clean")));
            List<String> findings = Files.readAllLines(path("findings.jsonl"));
            assertEquals(1, findings.size());
            assertTrue(findings.get(0), findings.get(0).contains("\"value\":\"x\""));
            outputs.replace(true).compression("none").maxFindings(Long.MAX_VALUE);
            rules.cleanFile(input, outputs, CheckOptions.DEFAULT);
            assertEquals(2, Files.readAllLines(path("findings.jsonl")).size());
            Outputs archive = new Outputs().compression("zip");
            assertEquals("there is no compression 'zip'",
                    refused(() -> rules.cleanFile(input, archive, CheckOptions.DEFAULT)).mistakes().get(0).message());
            Outputs invalid = new Outputs().encoding("\0");
            assertEquals("the encoding has a NUL in it",
                    refused(() -> rules.cleanFile(input, invalid, CheckOptions.DEFAULT)).getMessage());
            assertEquals("head is -1; it is 0 or more", refused(() -> invalid.head(-1)).getMessage());
            assertFalse(Files.exists(path("report.json")));
        }
    }

    @Test
    public void callbacksMayClose() {
        for (int threads : new int[] {1, 4}) {
            Rules rules = Rules.parse("fields: [{name: id, type: integer}]");
            CheckOptions options = CheckOptions.DEFAULT.withThreads(threads).withProgress((done, total) -> {
                rules.close();
                try {
                    rules.json();
                } catch (IllegalStateException closed) {
                    return true;
                }
                return false;
            });
            byte[] csv = ("id\n" + "7\n".repeat(500_000)).getBytes(StandardCharsets.UTF_8);
            try (CheckResult result = rules.checkCsv(csv, options)) {
                assertEquals(500_000, result.totals().records());
            }
        }
    }

    @Test
    public void nowIsTheTimeOfRowRules() {
        byte[] csv = "at\n2024-02-29T12:30:00Z\n1969-12-31T23:59:59Z\n".getBytes(StandardCharsets.UTF_8);
        Instant noon = Instant.parse("2024-02-29T12:30:00Z");
        Map<Instant, Long> cases = Map.of(
                noon, 0L, noon.minusNanos(1), 1L, Instant.EPOCH.minusNanos(1), 1L, Instant.EPOCH.minusSeconds(2), 2L);
        try (Rules rules = Rules.parse("{fields: [{name: at, type: datetime}], rows: [{check: at <= now()}]}")) {
            cases.forEach((now, rejected) -> {
                try (CheckResult result = rules.checkCsv(csv, CheckOptions.DEFAULT.withNow(now))) {
                    assertEquals(now.toString(), (long) rejected, result.totals().rejected());
                }
            });
        }
    }
}
