import assay.CheckResult;
import assay.Finding;
import assay.Rules;
import assay.Severity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Adds to a Spark table the rules that each row fails, from Java; Scala calls the same classes.
 *
 * <pre>spark-submit --jars assay.jar,jna.jar --class SparkClean examples.jar users.csv users.rules.yaml</pre>
 *
 * <p>libassay must be in the library path of the executors ({@code spark.executorEnv.LD_LIBRARY_PATH}). Rows are
 * checked in batches, each as a separate table, which is correct for rules of single rows. For keys, use
 * {@code assay.spark} in Python, which compares them across all machines.
 */
public class SparkClean {
    private static final int BATCH = 4096;

    /** The table with a column {@code _reasons}: the names of the rules that reject the row, null for a clean row. */
    static Dataset<Row> checked(Dataset<Row> table, Rules rules) {
        StructType schema = table.schema().add("_reasons", DataTypes.createArrayType(DataTypes.StringType));
        String[] names = table.columns();
        return table.mapPartitions(
                (MapPartitionsFunction<Row, Row>) rows -> new Batches(rows, names, rules), Encoders.row(schema));
    }

    /** The rows of a partition, checked in batches. */
    private static final class Batches implements Iterator<Row> {
        private final Iterator<Row> rows;
        private final String[] names;
        private final Rules rules;
        private Iterator<Row> batch = List.<Row>of().iterator();

        Batches(Iterator<Row> rows, String[] names, Rules rules) {
            this.rows = rows;
            this.names = names;
            this.rules = rules;
        }

        @Override
        public boolean hasNext() {
            return batch.hasNext() || rows.hasNext();
        }

        @Override
        public Row next() {
            if (!batch.hasNext()) batch = nextBatch().iterator();
            return batch.next();
        }

        private List<Row> nextBatch() {
            List<Row> taken = new ArrayList<>(BATCH);
            while (taken.size() < BATCH && rows.hasNext()) taken.add(rows.next());
            Map<String, List<Object>> columns = new HashMap<>();
            for (int column = 0; column < names.length; column++) {
                List<Object> values = new ArrayList<>(taken.size());
                for (Row row : taken) values.add(row.get(column));
                columns.put(names[column], values);
            }
            Object[][] reasons = new Object[taken.size()][];
            try (CheckResult result = rules.check(columns)) {
                Map<Integer, List<String>> found = new HashMap<>();
                for (Finding finding : result.findings()) {
                    if (finding.severity() == Severity.WARN) continue;
                    found.computeIfAbsent((int) finding.record() - 1, row -> new ArrayList<>()).add(finding.rule());
                }
                found.forEach((row, names) -> reasons[row] = names.toArray());
            }
            List<Row> checked = new ArrayList<>(taken.size());
            for (int row = 0; row < reasons.length; row++) {
                Object[] values = new Object[names.length + 1];
                for (int column = 0; column < names.length; column++) values[column] = taken.get(row).get(column);
                values[names.length] = reasons[row];
                checked.add(RowFactory.create(values));
            }
            return checked;
        }
    }

    public static void main(String[] arguments) {
        SparkSession spark = SparkSession.builder().appName("SparkClean").getOrCreate();
        try (Rules rules = Rules.load(Path.of(arguments[1]))) {
            Dataset<Row> users = spark.read().option("header", true).option("quote", "\"").option("escape", "\"")
                    .option("multiLine", true).csv(arguments[0]);
            Dataset<Row> checked = checked(users.repartition(4), rules);
            checked.selectExpr("explode(_reasons) AS rule").groupBy("rule").count().orderBy("rule").show(100, false);
        }
        spark.stop();
    }
}
