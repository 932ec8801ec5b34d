package assay;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Tests of the public interface: exact answers, mistakes with their places, threads, closed objects, and leaks. */
public class AssayTest {
    static final String RULES = """
            fields:
              - {name: id, type: integer, constraints: {required: true, unique: true}}
              - {name: email, format: email, constraints: {required: true}}
            rows:
              - {id: short, check: size(email) > 16 + id, message: has a short address, severity: warn}
            """;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private static String seen(Finding found) {
        return found.record() + " " + (found.column() == null ? "-" : found.column()) + " " + found.rule() + " "
                + found.code() + (found.severity() == Severity.WARN ? " warn" : "") + ": " + found.message();
    }

    private static List<String> seen(List<Finding> findings) {
        return findings.stream().map(AssayTest::seen).toList();
    }

    private static BitSet bits(int... rows) {
        BitSet bits = new BitSet();
        for (int row : rows) bits.set(row);
        return bits;
    }

    private static AssayException refused(org.junit.function.ThrowingRunnable call) {
        return assertThrows(AssayException.class, call);
    }

    @Test
    public void libraryReportsItsVersion() {
        assertTrue(Assay.release(), Assay.release().matches("\\d+\\.\\d+\\.\\d+.*"));
        assertTrue(Assay.engine(), Assay.engine().startsWith("PCRE2 10."));
    }

    @Test
    public void tablesAreChecked() {
        Map<String, List<?>> table = new LinkedHashMap<>();
        table.put("id", List.of("1", "2", 3, "x", 1L));
        table.put("other", List.of());
        table.put("email", Arrays.asList(
                "anna@example.org", "bo.example.org", null, "carl@example.org", "dora@example.org"));
        try (Rules rules = Rules.parse(RULES);
                CheckResult result = rules.check(table)) {
            assertEquals(List.of("id", "email"), rules.fields());
            assertEquals("Rules[id, email]", rules.toString());
            assertEquals(bits(1, 2, 3, 4), result.rejected());
            assertEquals(bits(), result.undecided());
            assertEquals(new Totals(5, 1, 4, 0, 6), result.totals());
            assertFalse(result.isClean());
            assertEquals(
                    List.of(
                            "1 - short row warn: has a short address",
                            "2 email email.format format: is not an e-mail address: there is no @",
                            "3 email email.required required: is missing",
                            "4 id id.type type: is not an integer",
                            "5 - short row warn: has a short address",
                            "5 id id.unique unique: equals record 1"),
                    seen(result.findings()));
            assertEquals(2, result.findings(2).size());
            assertEquals(
                    List.of(
                            new RuleCount("id", "id.type", Severity.REJECT, 1, 0),
                            new RuleCount("email", "email.required", Severity.REJECT, 1, 0),
                            new RuleCount("email", "email.format", Severity.REJECT, 1, 0),
                            new RuleCount(null, "short", Severity.WARN, 2, 0),
                            new RuleCount("id", "id.unique", Severity.REJECT, 1, 0)),
                    result.counts().stream().filter(count -> count.failed() > 0).toList());
            assertEquals(2, result.rejectedBy("email"));
            assertEquals(0, result.rejectedBy("other"));
        }
    }

    @Test
    public void manyRowsOnManyThreadsGiveTheSameAsOnOne() {
        List<Integer> ids = IntStream.range(0, 10_000).boxed().toList();
        List<Long> expected = new ArrayList<>();
        for (long record = 501; record < 511; record++) expected.add(record);
        for (long record = 10_492; record < 10_501; record++) expected.add(record);
        try (Rules rules = Rules.parse(
                "fields: [{name: id, type: integer, constraints: {minimum: 10, maximum: 9990}}]")) {
            for (int threads : new int[] {1, 4}) {
                CheckOptions options = CheckOptions.DEFAULT.withThreads(threads).withFirstRecord(500);
                try (CheckResult result = rules.check(Map.of("id", ids), options)) {
                    assertEquals(expected, result.findings().stream().map(Finding::record).toList());
                }
            }
        }
    }

    @Test
    public void valuesOfRecordsAreInTheOrderOfTheFields() {
        String text = "fields: [{name: a.b, type: integer}, {name: c, constraints: {required: true}}, "
                + "{name: d, constraints: {maxLength: 66000}}]";
        List<Object> values = new ArrayList<>(Arrays.asList(
                null, "7", "7 ", "", "é", "\ud83d", "x".repeat(66_000), "x".repeat(66_001), "é".repeat(30_000), 8, true,
                "7".getBytes(StandardCharsets.UTF_8), new byte[] {-1}, LocalDate.of(2024, 2, 29),
                new StringBuilder("7")));
        try (Rules rules = Rules.parse(text)) {
            // Reading a value can check another record.
            values.add(new AtomicInteger() {
                @Override
                public String toString() {
                    return rules.acceptsValues("7", "x", "y") ? "7" : "8";
                }
            });
            for (Object b : values) {
                for (Object c : Arrays.asList(null, "7", "é", "x".repeat(66_000))) {
                    for (Object d : values) {
                        Map<String, Object> inner = new HashMap<>();
                        inner.put("b", b);
                        Map<String, Object> record = new HashMap<>(Map.of("a", inner));
                        record.put("c", c);
                        record.put("d", d);
                        boolean expected;
                        try (CheckResult result = rules.checkRecords(List.of(record))) {
                            expected = result.isClean();
                        }
                        assertEquals(expected, rules.accepts(record));
                        assertEquals(expected, rules.acceptsValues(b, c, d));
                    }
                }
            }
            assertEquals("a record of 1 values, and the rules have 3 fields",
                    assertThrows(IllegalArgumentException.class, () -> rules.acceptsValues("7")).getMessage());
        }
    }

    @Test
    public void recordsAreChecked() {
        String text = "fields: [{name: id, type: integer}, {name: email, format: email}, {name: day, type: date}]";
        try (Rules rules = Rules.parse(text)) {
            Map<String, Object> good = Map.of("id", 7, "email", "anna@example.org", "day", LocalDate.of(2024, 2, 29));
            assertTrue(rules.accepts(good));
            assertEquals(List.of(), rules.checkRecord(good));
            assertTrue(rules.accepts(Map.of()));
            Map<String, Object> bad = new HashMap<>(good);
            bad.put("id", "7 ");
            bad.put("email", null);
            assertFalse(rules.accepts(bad));
            assertEquals(List.of("1 id id.type type: is not an integer"), seen(rules.checkRecord(bad)));
            try (CheckResult result = rules.checkRecords(List.of(good, bad, Map.of()));
                    CheckResult nothing = rules.checkRecords(List.of())) {
                assertEquals(bits(1), result.rejected());
                assertTrue(nothing.isClean());
            }
            assertEquals(
                    "a value is a text, bytes, a number, a boolean or a time of java.time, not a java.lang.Object",
                    refused(() -> rules.accepts(Map.of("id", new Object()))).getMessage());
        }
    }

    @Test
    public void numbersAndTimesAreThoseOfTheTypes() {
        ZoneId berlin = ZoneId.of("Europe/Berlin");
        Map<String, List<Object>> values = new LinkedHashMap<>();
        values.put("integer", List.of(5.0, 1e8, -0.0, 1e30f, new BigDecimal("1E+3")));
        values.put("number", List.of(0.5f, 1e-9, Double.NaN, Double.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY));
        values.put("time", List.of(LocalTime.of(10, 0), LocalTime.of(10, 0, 1, 500_000_000)));
        values.put("datetime", List.of(
                LocalDateTime.of(2024, 1, 1, 0, 0), OffsetDateTime.of(2024, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC),
                ZonedDateTime.of(2024, 1, 1, 0, 0, 0, 0, berlin), ZonedDateTime.of(1850, 1, 1, 0, 0, 0, 0, berlin),
                Instant.EPOCH));
        values.put("date", List.of(LocalDate.of(2024, 1, 1)));
        values.put("year", List.of(Year.of(2024)));
        values.put("yearmonth", List.of(YearMonth.of(2024, 1)));
        values.forEach((type, column) -> {
            try (Rules rules = Rules.parse("fields: [{name: v, type: " + type + "}]");
                    CheckResult result = rules.check(Map.of("v", column))) {
                assertEquals(type, bits(), result.rejected());
            }
        });
        try (Rules rules = Rules.parse(
                        "fields: [{name: v, constraints: {pattern: '2024-01-01T10:00:00\\+01:00|0[.]5|12'}}]");
                CheckResult result = rules.check(
                        Map.of("v", List.of(ZonedDateTime.of(2024, 1, 1, 10, 0, 0, 0, berlin), 0.5, 12.0)))) {
            assertEquals(bits(), result.rejected());
        }
    }

    /** A list that grows while it is read: it has one value at the first call, and then many more. */
    private static List<String> growing() {
        return new AbstractList<>() {
            private int requested;

            @Override
            public String get(int row) {
                return " 1";
            }

            @Override
            public int size() {
                return requested++ == 0 ? 1 : 500_000_000;
            }

            @Override
            public Object[] toArray() {
                return new Object[] {get(0)};
            }

            @Override
            public Iterator<String> iterator() {
                return List.of(get(0)).iterator();
            }
        };
    }

    @Test
    public void listsThatGrowMeanwhileAreReadOnce() {
        try (Rules rules = Rules.parse("fields: [{name: v, repair: [trim]}]");
                Pattern pattern = new Pattern(" 1");
                CheckResult column = rules.checkColumn("v", growing(), CheckOptions.DEFAULT);
                CheckResult table = rules.check(Map.of("v", growing()))) {
            assertEquals(1, column.totals().records());
            assertEquals(1, table.totals().records());
            assertEquals(List.of("1"), rules.repair("v", growing()));
            assertEquals(List.of(true), pattern.match(growing()));
        }
    }

    @Test
    public void optionsOutOfRangeAreRefused() {
        assertEquals(
                "threads is -1; it is 0 or more", refused(() -> CheckOptions.DEFAULT.withThreads(-1)).getMessage());
        assertEquals(
                "firstRecord is -1; it is 0 or more",
                refused(() -> CheckOptions.DEFAULT.withFirstRecord(-1)).getMessage());
        assertEquals(
                "keyMemory is -1; it is 0 or more", refused(() -> CheckOptions.DEFAULT.withKeyMemory(-1)).getMessage());
    }

    @Test
    public void textsNeedNotBeUnicodeNorEndWithNul() {
        try (Rules rules = Rules.parse("fields: [{name: v, constraints: {pattern: '(?:a\\x00b|😀|é)'}}]")) {
            byte[] invalid = {'a', (byte) 0xff};
            List<?> values = List.of("a\0b", "a\0c", "a", "😀", "é", "\ud83d", "x\ude00", invalid);
            try (CheckResult result = rules.check(Map.of("v", values))) {
                assertEquals(bits(1, 2, 5, 6, 7), result.rejected());
                List<Finding> findings = result.findings();
                for (int i = 2; i < 5; i++) {
                    assertEquals(
                            6 + i - 2 + " v encoding encoding: is not well-formed UTF-8", seen(findings.get(i)));
                }
            }
            assertTrue(rules.accepts(Map.of("v", "😀")) && rules.accepts(Map.of("v", "a\0b")));
            assertFalse(rules.accepts(Map.of("v", "\ud83d")));
        }
        assertEquals("the path has a NUL in it", refused(() -> Assay.infer(new Named("a\0b").path())).getMessage());
        assertEquals("the name of the rules has a NUL in it", refused(() -> Rules.parse(RULES, "a\0b")).getMessage());
    }

    /** A path with a NUL, which the system's own paths refuse. */
    private record Named(String name) {
        Path path() {
            return (Path) java.lang.reflect.Proxy.newProxyInstance(
                    AssayTest.class.getClassLoader(), new Class<?>[] {Path.class}, (proxy, method, arguments) -> name);
        }
    }

    @Test
    public void csvIsChecked() {
        try (Rules rules = Rules.parse(RULES)) {
            byte[] csv = "id,email\n1,anna@example.org\n\"2\",bo\n".getBytes(StandardCharsets.UTF_8);
            try (CheckResult result = rules.checkCsv(csv)) {
                assertEquals(bits(), result.rejected());
                assertEquals(1, result.totals().rejected());
                Finding found = result.findings().get(1);
                assertEquals(List.of(2L, 3L, 32L), List.of(found.record(), found.line(), found.offset()));
            }
            assertEquals(AssayException.Kind.INPUT, refused(() -> rules.checkCsv("id\n1\n".getBytes())).kind());
            assertEquals(AssayException.Kind.INPUT, refused(() -> rules.checkCsv(new byte[0])).kind());
        }
    }

    @Test
    public void limitsAboveTheCeilingNeedTrust() throws Exception {
        String text = "{limits: {match-base: 20001}, fields: [{name: id}]}";
        Path file = Files.writeString(folder.newFile("rules.yaml").toPath(), text);
        for (AssayException refused : List.of(refused(() -> Rules.parse(text)), refused(() -> Rules.load(file)))) {
            AssayException.Mistake mistake = refused.mistakes().get(0);
            assertEquals("a rule file may raise match-base to 20000, not to 20001", mistake.message());
            assertTrue(mistake.hint(), mistake.hint().contains("read it as trusted rules"));
        }
        try (Rules parsed = Rules.parseTrusted(text, "rules"); Rules loaded = Rules.loadTrusted(file)) {
            assertEquals(List.of("id"), parsed.fields());
            // Trusted rules can be serialized.
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            new ObjectOutputStream(bytes).writeObject(loaded);
            Object travelled = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
            try (Rules rules = (Rules) travelled) {
                assertEquals(parsed.json(), rules.json());
            }
        }
        AssayException refused = refused(() -> Rules.parseTrusted("fields: [", "users.yaml"));
        assertTrue(refused.getMessage(), refused.getMessage().startsWith("users.yaml:1:"));
    }

    /** Uses the paths of Tests/Escapes, which Scripts/test-bindings.sh creates. */
    @Test
    public void rulesOpenFilesInTheirFolderOnly() throws Exception {
        String escapes = System.getenv("ASSAY_ESCAPES");
        assumeTrue(escapes != null);
        List<String> lines = Files.readAllLines(Path.of(escapes, "list.tsv"));
        assertTrue(lines.size() > 60);
        for (String line : lines) {
            String[] parts = line.split("\t");
            Path file = Path.of(escapes, "rules", parts[1]);
            String text = Files.readString(file);
            if (parts[0].equals("allowed")) {
                accepts(Rules.load(file));
                accepts(travelled(Rules.load(file)));
            } else {
                for (AssayException refusal : List.of(
                        refused(() -> accepts(Rules.load(file))),
                        refused(() -> accepts(travelled(Rules.load(file)))))) {
                    assertFalse(refusal.getMessage(), refusal.getMessage().contains("SECRET-"));
                }
            }
            AssayException asText = refused(() -> accepts(Rules.parse(text, file.toString())));
            assertFalse(asText.getMessage(), asText.getMessage().contains("SECRET-"));
            if (!text.contains("://")) refused(() -> accepts(travelled(Rules.parse(text, file.toString()))));
            if (!parts[0].equals("other")) {
                accepts(Rules.loadTrusted(file));
                accepts(travelled(Rules.loadTrusted(file)));
            }
        }
    }

    private static void accepts(Rules rules) {
        try (rules; CheckResult result = rules.check(Map.of("id", List.of("SECRET-0451")))) {
            assertTrue(result.isClean());
        }
    }

    private static Rules travelled(Rules rules) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (rules; ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(rules);
            return (Rules) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
        } catch (java.io.IOException | ClassNotFoundException error) {
            throw new AssertionError(error);
        }
    }

    @Test
    public void mistakesInRulesHavePlaces() {
        String text = "fields:\n  - {name: id, typ: integer}\n  - {name: id2, constraints: {pattern: 'a('}}\n";
        AssayException refused = refused(() -> Rules.parse(text, "users.yaml"));
        assertEquals(2, refused.mistakes().size());
        AssayException.Mistake first = refused.mistakes().get(0);
        assertEquals(AssayException.Kind.RULES, first.kind());
        assertEquals(List.of(2L, 16L), List.of(first.line(), first.column()));
        assertEquals("unknown key 'typ' in a field", first.message());
        assertEquals("did you mean 'type'?", first.hint());
        assertTrue(refused.getMessage().startsWith("users.yaml:2:16: error: unknown key 'typ' in a field\n"));
        assertTrue(refused.getMessage().contains("\nusers.yaml:3:"));

        assertEquals(AssayException.Kind.FILE, refused(() -> Rules.load(Path.of("no/such/file.yaml"))).kind());
        try (Rules rules = Rules.parse(RULES)) {
            assertEquals(AssayException.Kind.COLUMNS, refused(() -> rules.check(Map.of("id", List.of("1")))).kind());
            Map<String, List<?>> uneven = new LinkedHashMap<>();
            uneven.put("id", List.of("1"));
            uneven.put("email", List.of("1", "2"));
            assertEquals(
                    "the column 'email' has 2 values, and 'id' has 1", refused(() -> rules.check(uneven)).getMessage());
            assertEquals("the rules have no field 'mail'", refused(() -> rules.repair("mail", List.of())).getMessage());
        }
    }

    @Test
    public void rulesAndPatternsTravel() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Rules rules = Rules.parse(RULES);
                Pattern pattern = new Pattern("de", Pattern.Flag.CASE_INSENSITIVE);
                ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(rules);
            out.writeObject(pattern);
            out.flush();
            try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
                    Rules again = (Rules) in.readObject();
                    Pattern patternAgain = (Pattern) in.readObject()) {
                assertNotSame(rules, again);
                assertEquals(rules.json(), again.json());
                assertEquals(true, patternAgain.matches("DE"));
                assertEquals("de", patternAgain.toString());
            }
        }
    }

    @Test
    public void rulesKnowTheirFolderWhereTheyTravel() throws Exception {
        Files.writeString(folder.newFile("countries.csv").toPath(), "code\nDE\n");
        Path file = Files.writeString(
                folder.newFile("rules.yaml").toPath(),
                "fields: [{name: v}]\n"
                        + "foreignKeys: [{fields: v, reference: {resource: countries.csv, fields: code}}]\n");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Rules rules = Rules.load(file)) {
            new ObjectOutputStream(bytes).writeObject(rules);
        }
        Object travelled = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
        try (Rules rules = (Rules) travelled;
                CheckResult result = rules.check(Map.of("v", List.of("DE", "XX")))) {
            assertEquals(bits(1), result.rejected());
        }
    }

    @Test
    public void patternsMatchOrAreUndecided() {
        try (Pattern code = new Pattern("[A-Z]{2}[0-9]{6}");
                Pattern loose = new Pattern("de", Pattern.Flag.CASE_INSENSITIVE, Pattern.Flag.SEARCH);
                Pattern hard = new Pattern("(a+)+\\1b")) {
            assertEquals(true, code.matches("DE104233"));
            for (String value : List.of("DE10423", "DE1042333", "de104233", "")) {
                assertEquals(false, code.matches(value));
            }
            assertEquals(true, loose.matches("x DE y"));
            assertEquals(Arrays.asList(true, null, false), code.match(Arrays.asList("DE104233", null, "x")));
            String value = "a".repeat(60);
            assertNull(hard.matches(value));
            assertEquals(true, hard.matches("aab"));
            assertEquals(false, hard.matches("x"));
            assertEquals(Arrays.asList(null, true), hard.match(List.of(value, "aab")));
        }
        AssayException refused = refused(() -> new Pattern("a("));
        assertEquals(AssayException.Kind.RULES, refused.kind());
        assertEquals(3, refused.mistakes().get(0).column());
    }

    @Test
    public void valuesAreRepaired() {
        String text = "fields: [{name: code, repair: [trim, upper], constraints: {pattern: '[A-ZÉ]+'}}, {name: note}]";
        try (Rules rules = Rules.parse(text)) {
            String same = new String("CD");
            List<Object> repaired = rules.repair("code", Arrays.asList(" ab ", same, null, "", " é"));
            assertEquals(Arrays.asList("AB", "CD", null, "", "É"), repaired);
            assertSame(same, repaired.get(1));
            assertEquals(Arrays.asList(" x ", null), rules.repair("note", Arrays.asList(" x ", null)));
            assertEquals(List.of(), rules.repair("code", List.of()));
            assertEquals(Map.of("code", "AB", "other", 1), rules.repairRecord(Map.of("code", " ab ", "other", 1)));
            assertEquals(List.of(), rules.checkRecord(Map.of("code", " ab ")));
        }
    }

    @Test
    public void fieldsArePaths() {
        String text = "fields: [{name: o.a, type: integer, repair: [trim]}, {name: 'x\\.y', type: integer},"
                + " {name: o.p.q, constraints: {required: true}}]";
        try (Rules rules = Rules.parse(text);
                Rules elements = Rules.parse("fields: [{name: 'tags[]', type: integer}]")) {
            Map<String, Object> good = Map.of("o", Map.of("a", " 7", "p", Map.of("q", "x")), "x.y", 1);
            assertEquals(List.of(), rules.checkRecord(good));
            Map<String, Object> bad = Map.of("o", Map.of("a", "x", "p", Map.of()), "x.y", "y");
            assertEquals(
                    List.of(
                            "1 o.a o.a.type type: is not an integer",
                            "1 x\\.y x\\.y.type type: is not an integer",
                            "1 o.p.q o.p.q.required required: is missing"),
                    seen(rules.checkRecord(bad)));
            Map<String, Object> named = Map.of("o.a", "7", "o", Map.of("a", "x", "p", Map.of("q", "x")));
            assertEquals(List.of(), rules.checkRecord(named));
            assertEquals(
                    Map.of("o", Map.of("a", "7", "p", Map.of("q", "x")), "x.y", 1), rules.repairRecord(good));
            assertEquals(
                    "the field 'tags[]' is about the elements of a list, which are judged in JSON Lines only",
                    refused(() -> elements.checkRecord(Map.of("tags", List.of("x")))).getMessage());
            assertEquals(1, elements.checkRecord(Map.of("tags[]", "x")).size());
        }
    }

    @Test
    public void filesAreSplit() throws Exception {
        Path input = folder.getRoot().toPath().resolve("users.csv");
        Path clean = input.resolveSibling("clean.csv");
        Path rejects = input.resolveSibling("rejects.csv");
        Files.writeString(input, "id,email\n1,anna@example.org\nx,bo@example.org\n");
        try (Rules rules = Rules.parse(RULES)) {
            Outputs outputs = new Outputs().clean(clean).rejects(rejects).annotate(true);
            String report = rules.cleanFile(input, outputs, CheckOptions.DEFAULT);
            assertTrue(report, report.startsWith("{") && report.contains("\"rejected\""));
            assertEquals("id,email\n1,anna@example.org\n", Files.readString(clean));
            assertEquals("id,email,_line,_reasons\nx,bo@example.org,3,id.type\n", Files.readString(rejects));
            AssayException refused = refused(() -> rules.cleanFile(input, outputs, CheckOptions.DEFAULT));
            assertEquals(AssayException.Kind.INPUT, refused.kind());
        }
        assertTrue(Assay.profile(input, false).contains("\"columns\""));
        try (Rules inferred = Rules.parse(Assay.infer(input))) {
            assertEquals(List.of("id", "email"), inferred.fields());
        }
    }

    @Test
    public void closedHandlesAreReported() {
        Rules rules = Rules.parse(RULES);
        CheckResult result = rules.checkRecords(List.of(Map.of("id", "x")));
        rules.close();
        rules.close();
        assertEquals(2, result.findings().size());
        result.close();
        for (org.junit.function.ThrowingRunnable call : List.<org.junit.function.ThrowingRunnable>of(
                rules::json, () -> rules.accepts(Map.of()),
                () -> rules.check(Map.of("id", List.of(), "email", List.of())))) {
            assertEquals("Rules is closed", assertThrows(IllegalStateException.class, call).getMessage());
        }
        assertEquals("CheckResult is closed", assertThrows(IllegalStateException.class, result::findings).getMessage());
        assertEquals(1, result.totals().records());
    }

    @Test
    public void threadsShareRulesAndOneMayCloseThem() {
        AtomicInteger checked = new AtomicInteger();
        for (int round = 0; round < 20; round++) {
            Rules rules = Rules.parse(RULES);
            int closing = round;
            IntStream.range(0, 16).parallel().forEach(number -> {
                if (number == closing) rules.close();
                try {
                    Map<String, Object> record = Map.of("id", number, "email", "no address");
                    assertEquals(1, rules.checkRecord(record).size());
                    checked.incrementAndGet();
                } catch (IllegalStateException closed) {
                    assertEquals("Rules is closed", closed.getMessage());
                }
            });
        }
        assertTrue(checked.get() >= 4 * 16);
    }

    @Test
    public void arrowIsCheckedInPlace() {
        // A batch with one column "id": "1", "x". The release callbacks do nothing.
        try (Memory memory = new Memory(1024);
                Rules rules = Rules.parse("fields: [{name: id, type: integer}]")) {
            memory.clear();
            long batch = 0, child = 80, schema = 160, field = 240;
            long texts = 320, buffers = 400, offsets = 480, pointers = 560;
            Pointer release = com.sun.jna.NativeLibrary.getInstance("c").getFunction("abs");
            memory.write(texts, new byte[] {'+', 's', 0, 'u', 0, 'i', 'd', 0, '1', 'x', 0}, 0, 11);
            memory.write(offsets, new int[] {0, 1, 2}, 0, 3);
            memory.setPointer(buffers + 8, memory.share(offsets));
            memory.setPointer(buffers + 16, memory.share(texts + 8));
            memory.setPointer(pointers, memory.share(child));
            memory.setPointer(pointers + 8, memory.share(field));
            for (long array : new long[] {batch, child}) {
                boolean isBatch = array == batch;
                memory.setLong(array, 2);
                memory.setLong(array + 24, isBatch ? 1 : 3);
                memory.setLong(array + 32, isBatch ? 1 : 0);
                memory.setPointer(array + 40, memory.share(isBatch ? buffers + 24 : buffers));
                if (isBatch) memory.setPointer(array + 48, memory.share(pointers));
                memory.setPointer(array + 64, release);
            }
            for (long type : new long[] {schema, field}) {
                boolean isBatch = type == schema;
                memory.setPointer(type, memory.share(isBatch ? texts : texts + 3));
                memory.setPointer(type + 8, memory.share(isBatch ? texts + 10 : texts + 5));
                memory.setLong(type + 32, isBatch ? 1 : 0);
                if (isBatch) memory.setPointer(type + 40, memory.share(pointers + 8));
                memory.setPointer(type + 56, release);
            }
            long at = Pointer.nativeValue(memory);
            try (CheckResult result = rules.checkArrow(at + schema, at + batch, CheckOptions.DEFAULT)) {
                assertEquals(bits(1), result.rejected());
            }
            AssayException refused = refused(() -> rules.checkArrow(0, at + batch, CheckOptions.DEFAULT));
            assertEquals(AssayException.Kind.ARROW, refused.kind());
        }
    }
}
