import assay.CheckOptions;
import assay.CheckResult;
import assay.Rules;
import assay.TextColumn;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;

/** The Java binding and java.util.regex; see cases/bindings.py. */
public class Measure {
    private static void report(String job, String contender, IntSupplier run) {
        long start = System.nanoTime();
        int answer = run.getAsInt();
        System.out.printf("%s\t%s\t%.9f\t%d%n", job, contender, (System.nanoTime() - start) / 1e9, answer);
    }

    private static final int FIELDS = 8;

    /** The values of record i: those of rows i, i + records and so on, alternately of both kinds. */
    private static String[][] records(List<String> first, List<String> second, int records) {
        String[][] all = new String[records][FIELDS];
        for (int i = 0; i < records; i++) {
            for (int field = 0; field < FIELDS; field++) {
                all[i][field] = (field % 2 == 0 ? first : second).get(i + field / 2 * records);
            }
        }
        return all;
    }

    private static int accepted(Rules rules, String[][] records) {
        int clean = 0;
        for (String[] record : records) if (rules.acceptsValues((Object[]) record)) clean++;
        return clean;
    }

    private static int accepted(Rules rules, List<Map<String, String>> records) {
        int clean = 0;
        for (Map<String, String> record : records) if (rules.accepts(record)) clean++;
        return clean;
    }

    private static boolean matches(Pattern code, Pattern date, String[] record) {
        for (int field = 0; field < FIELDS; field++) {
            if (!(field % 2 == 0 ? code : date).matcher(record[field]).matches()) return false;
        }
        return true;
    }

    private static int check(Rules rules, List<String> column) {
        try (CheckResult result = rules.check(Map.of("code", column), CheckOptions.DEFAULT.withThreads(1))) {
            return (int) result.totals().clean();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        int records = Integer.parseInt(arguments[1]);
        List<String> codes = Files.readAllLines(folder.resolve("codes.txt"));
        List<String> dates = Files.readAllLines(folder.resolve("dates.txt"));
        List<String> ids = Files.readAllLines(folder.resolve("ids.txt"));
        Rules byPattern = Rules.load(folder.resolve("patterns.yaml"));
        Rules byType = Rules.load(folder.resolve("types.yaml"));
        Rules ofColumn = Rules.load(folder.resolve("column.yaml"));
        Pattern code = Pattern.compile("[A-Z]{2}[0-9]{6}");
        Pattern date = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");
        TextColumn buffer = TextColumn.copyOf(codes);
        String[][] ofCodes = records(codes, dates, records);
        String[][] ofIds = records(ids, dates, records);
        List<Map<String, String>> named = new ArrayList<>();
        for (String[] record : ofCodes) {
            named.add(new HashMap<>());
            for (int field = 0; field < FIELDS; field++) named.get(named.size() - 1).put("f" + field, record[field]);
        }
        for (int round = Integer.parseInt(arguments[2]); round > 0; round--) {
            report("record", "Assay", () -> accepted(byPattern, ofCodes));
            report("record", "Assay, by name", () -> accepted(byPattern, named));
            report("record", "regex", () -> {
                int clean = 0;
                for (String[] record : ofCodes) if (matches(code, date, record)) clean++;
                return clean;
            });
            report("typed record", "Assay", () -> accepted(byType, ofIds));
            report("call", "Assay", () -> {
                int calls = 0;
                for (int i = 0; i < records; i++) calls += Empty.abs(1);
                return calls;
            });
            report("column", "Assay", () -> check(ofColumn, codes));
            report("column", "Assay, one buffer", () -> check(ofColumn, buffer));
            report("column", "regex", () -> {
                int clean = 0;
                for (String value : codes) if (code.matcher(value).matches()) clean++;
                return clean;
            });
        }
    }
}
