import assay.CheckOptions;
import assay.CheckResult;
import assay.Rules;
import assay.TextColumn;
import java.nio.file.Files;
import java.nio.file.Path;
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

    private static int accepted(Rules rules, String name, List<String> first, List<String> dates, int records) {
        int clean = 0;
        for (int i = 0; i < records; i++) {
            if (rules.accepts(Map.of(name, first.get(i), "day", dates.get(i)))) clean++;
        }
        return clean;
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
        for (int round = Integer.parseInt(arguments[2]); round > 0; round--) {
            report("record", "Assay", () -> accepted(byPattern, "code", codes, dates, records));
            report("record", "regex", () -> {
                int clean = 0;
                for (int i = 0; i < records; i++) {
                    if (code.matcher(codes.get(i)).matches() && date.matcher(dates.get(i)).matches()) clean++;
                }
                return clean;
            });
            report("typed record", "Assay", () -> accepted(byType, "id", ids, dates, records));
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
