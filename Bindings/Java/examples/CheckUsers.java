import assay.CheckResult;
import assay.Finding;
import assay.Rules;
import assay.Totals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Checks a CSV file and a record of your own against a rule file.
 *
 * <pre>java -cp assay.jar:jna.jar CheckUsers.java users.csv users.rules.yaml</pre>
 */
public class CheckUsers {
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 2) {
            System.err.println("usage: CheckUsers CSV RULES");
            System.exit(2);
        }
        try (Rules rules = Rules.load(Path.of(arguments[1]))) {
            try (CheckResult result = rules.checkCsv(Files.readAllBytes(Path.of(arguments[0])))) {
                Totals totals = result.totals();
                System.out.println(
                        totals.records() + " records: " + totals.clean() + " clean, " + totals.rejected()
                                + " rejected");
                for (Finding found : result.findings(3)) {
                    System.out.println(
                            "line " + found.line() + ": " + found.column() + " " + found.message()
                                    + " (" + found.rule() + ")");
                }
            }
            Map<String, ?> record = Map.of("id", 1, "email", "anna@example.org", "country", "Norway");
            for (Finding found : rules.checkRecord(record)) {
                System.out.println("record: " + found.column() + " " + found.message());
            }
        }
    }
}
