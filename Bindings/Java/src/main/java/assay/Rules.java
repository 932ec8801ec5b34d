package assay;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compiled rules. They are immutable: any number of threads may use them at once. {@link #close} or the garbage
 * collector frees them. They are serializable, for example for Spark functions.
 *
 * <p>Values are texts, bytes, numbers, booleans or times of {@code java.time}. Other values than texts are checked as
 * their {@code toString()}, except that times always have seconds and the offset of their zone, an integral
 * {@code double} has no point, and infinity is {@code INF}.
 */
public final class Rules implements AutoCloseable, Serializable {
    private static final long serialVersionUID = 1;

    private final transient Handle handle;
    private final transient List<String> fields;
    private final transient List<FieldPath> paths;
    /** The name in messages. The tables of foreign keys are in its folder. */
    private final transient String name;
    private final transient boolean trusted;

    private Rules(Pointer rules, String name) {
        this(rules, name, false);
    }

    private Rules(Pointer rules, String name, boolean trusted) {
        this.name = name;
        this.trusted = trusted;
        handle = new Handle(this, rules, LibAssay::assay_rules_free);
        String[] names = new String[(int) LibAssay.assay_rules_field_count(rules)];
        Arrays.setAll(names, field -> Texts.of(LibAssay.assay_rules_field_name(rules, field)));
        fields = List.of(names);
        paths = fields.stream().map(FieldPath::new).toList();
    }

    /** Parses rules from YAML or JSON. Files that the rules refer to ({@code foreignKeys}) are not opened. */
    public static Rules parse(String text) {
        return parse(text, "rules");
    }

    /** Parses rules with a name for messages. */
    public static Rules parse(String text, String name) {
        byte[] bytes = Texts.bytes(text);
        byte[] nameOfC = Texts.zeroEnded(name, "the name of the rules");
        return new Rules(made(rules -> LibAssay.assay_rules_parse(bytes, bytes.length, nameOfC, rules)), name);
    }

    /** Parses the rules in a file. Files that the rules refer to must be in the folder of the file or below. */
    public static Rules load(Path file) {
        byte[] path = Texts.zeroEnded(file.toString(), "the path");
        return new Rules(made(rules -> LibAssay.assay_rules_load(path, rules)), file.toString());
    }

    /**
     * Parses trusted rules, as {@link #parse(String, String)} does. They may raise the work limits for one value beyond
     * four times the defaults, and refer to any file.
     */
    public static Rules parseTrusted(String text, String name) {
        byte[] bytes = Texts.bytes(text);
        byte[] nameOfC = Texts.zeroEnded(name, "the name of the rules");
        return new Rules(
                made(rules -> LibAssay.assay_rules_parse_trusted(bytes, bytes.length, nameOfC, rules)), name, true);
    }

    /** Parses the trusted rules in a file, as {@link #load} does. */
    public static Rules loadTrusted(Path file) {
        byte[] path = Texts.zeroEnded(file.toString(), "the path");
        return new Rules(made(rules -> LibAssay.assay_rules_load_trusted(path, rules)), file.toString(), true);
    }

    static Rules ofPattern(String pattern, int flags) {
        byte[] bytes = Texts.bytes(pattern);
        return new Rules(made(rules -> LibAssay.assay_rules_from_pattern(bytes, bytes.length, flags, rules)), "rules");
    }

    private interface Makes {
        Pointer make(PointerByReference made);
    }

    private static Pointer made(Makes makes) {
        PointerByReference made = new PointerByReference();
        AssayException.check(makes.make(made));
        return made.getValue();
    }

    /** The names of the fields, in the order of the rule file. */
    public List<String> fields() {
        return fields;
    }

    /** The rules as JSON, which {@link #parse} reads. */
    public String json() {
        return handle.use(rules -> Texts.of(LibAssay.assay_rules_json(rules)));
    }

    /**
     * Returns whether a record is clean, for checking records one by one. Returns {@code false} for a record with
     * findings, and if it cannot decide, because the rules have keys or repairs for example. {@link #checkRecord} then
     * returns the findings.
     */
    public boolean accepts(Map<String, ?> record) {
        Object[] values = new Object[fields.size()];
        for (int field = 0; field < values.length; field++) values[field] = paths.get(field).value(record);
        return acceptsValues(values);
    }

    /**
     * Returns whether a record is clean, as {@link #accepts} does, from its values in the order of {@link #fields}.
     * {@code null} is a missing value.
     *
     * @throws IllegalArgumentException if there is not one value for each field
     */
    public boolean acceptsValues(Object... values) {
        if (values.length != fields.size()) {
            throw new IllegalArgumentException(
                    "a record of " + values.length + " values, and the rules have " + fields.size() + " fields");
        }
        // Texts of other values first, because their functions could check another record.
        Object[] texts = new Object[values.length];
        for (int field = 0; field < texts.length; field++) {
            Object value = values[field];
            texts[field] = value instanceof String ? value : Texts.ofValue(value);
        }
        NativeRecord record = NativeRecord.of(texts);
        return record != null && handle.use(record::isClean);
    }

    /** Returns the findings of one record, which is clean if the list is empty. Each record is a separate table. */
    public List<Finding> checkRecord(Map<String, ?> record) {
        if (accepts(record)) return List.of();
        try (CheckResult result = checkRecords(List.of(record), CheckOptions.ALONE)) {
            return result.findings();
        }
    }

    /**
     * Checks records as one table. Fields are paths, as in JSON Lines: {@code address.city} is in the map
     * {@code address}. A field that a record lacks is a missing value.
     */
    public CheckResult checkRecords(List<? extends Map<String, ?>> records) {
        return checkRecords(records, CheckOptions.DEFAULT);
    }

    public CheckResult checkRecords(List<? extends Map<String, ?>> records, CheckOptions options) {
        Map<?, ?>[] rows = records.toArray(new Map<?, ?>[0]);
        List<Object[]> columns = new ArrayList<>();
        for (FieldPath path : paths) {
            Object[] column = new Object[rows.length];
            Arrays.setAll(column, row -> path.value(rows[row]));
            columns.add(column);
        }
        return check(fields, columns, rows.length, options);
    }

    /** Checks a table. Columns are found by name; columns that the rules do not name are ignored. */
    public CheckResult check(Map<String, ? extends List<?>> columns) {
        return check(columns, CheckOptions.DEFAULT);
    }

    public CheckResult check(Map<String, ? extends List<?>> columns, CheckOptions options) {
        List<String> names = new ArrayList<>(columns.keySet());
        names.retainAll(fields);
        List<Object> used = new ArrayList<>();
        for (String name : names) used.add(own(columns.get(name)));
        int rows = used.isEmpty() ? 0 : rows(used.get(0));
        for (int column = 0; column < used.size(); column++) {
            int count = rows(used.get(column));
            if (count != rows) {
                throw AssayException.argument(
                        "the column '" + names.get(column) + "' has " + count + " values, and '" + names.get(0)
                                + "' has " + rows);
            }
        }
        return check(names, used, rows, options);
    }

    /** The values of a list, which may change meanwhile, or a column that the library reads in place. */
    private static Object own(List<?> values) {
        return values instanceof TextColumn ? values : values.toArray();
    }

    private static int rows(Object own) {
        return own instanceof TextColumn column ? column.size() : ((Object[]) own).length;
    }

    private CheckResult check(List<String> names, List<?> columns, int rows, CheckOptions options) {
        try (NativeColumns table = new NativeColumns(names, columns, rows)) {
            return checked(options, (rules, optionsOfC, result) ->
                    LibAssay.assay_rules_check_columns(
                    rules, table.memory, columns.size(), rows, optionsOfC, result));
        }
    }

    /** Checks a column with the rules of one field. */
    public CheckResult checkColumn(String field, List<?> values, CheckOptions options) {
        int number = number(field);
        Object own = own(values);
        int rows = rows(own);
        try (NativeColumns column = new NativeColumns(List.of(field), List.of(own), rows)) {
            return checked(options, (rules, optionsOfC, result) ->
                    LibAssay.assay_rules_check_column(rules, number, column.memory, rows, optionsOfC, result));
        }
    }

    /** Checks CSV, including its header, in the dialect of the rules. */
    public CheckResult checkCsv(byte[] csv) {
        return checkCsv(csv, CheckOptions.DEFAULT);
    }

    public CheckResult checkCsv(byte[] csv, CheckOptions options) {
        return checked(options, (rules, optionsOfC, result) ->
                LibAssay.assay_rules_check_csv(rules, csv, csv.length, optionsOfC, result));
    }

    /**
     * Checks an Arrow record batch in place, such as one that {@code org.apache.arrow.c.Data} has exported.
     *
     * @param schema the address of a {@code struct ArrowSchema}, which the caller still owns
     * @param array the address of a {@code struct ArrowArray}, which the caller still owns
     */
    public CheckResult checkArrow(long schema, long array, CheckOptions options) {
        return checked(options, (rules, optionsOfC, result) ->
                LibAssay.assay_rules_check_arrow_table(
                rules, new Pointer(schema), new Pointer(array), optionsOfC, result));
    }

    private interface Checks {
        Pointer check(Pointer rules, Pointer options, PointerByReference result);
    }

    private CheckResult checked(CheckOptions options, Checks checks) {
        return options.call(optionsOfC -> handle.use(
                rules -> new CheckResult(made(result -> checks.check(rules, optionsOfC, result)))));
    }

    /**
     * Applies the repairs of a field to a column, and returns the repaired values, which checks use. An unchanged value
     * is the same object; {@code null} is a missing value. Values of a {@link TextColumn} that are not well-formed
     * UTF-8 are returned as {@code byte[]}.
     */
    public List<Object> repair(String field, List<?> values) {
        // struct ArrowArray: length, null_count, offset, n_buffers, n_children, buffers, …, release at 64
        final int array = 80;
        // struct ArrowSchema: …, release at 56
        final int schema = 72;
        int number = number(field);
        Object[] own = values instanceof TextColumn texts ? texts.exactValues() : values.toArray();
        try (NativeColumns column = new NativeColumns(List.of(field), List.<Object[]>of(own), own.length);
                Memory repaired = new Memory(array + schema)) {
            repaired.clear();
            Pointer schemaOfC = repaired.share(array);
            AssayException.check(handle.use(rules -> LibAssay.assay_rules_repair_column(
                    rules, number, column.memory, own.length, null, repaired, schemaOfC, null)));
            if (repaired.getPointer(64) == null) return new ArrayList<>(Arrays.asList(own));
            try {
                return repaired(repaired, own);
            } finally {
                release(repaired, 64);
                release(schemaOfC, 56);
            }
        }
    }

    private static void release(Pointer structure, long place) {
        com.sun.jna.Function.getFunction(structure.getPointer(place)).invokeVoid(new Object[] {structure});
    }

    /** Reads an array of type large_binary. */
    private static List<Object> repaired(Pointer array, Object[] values) {
        long first = array.getLong(16);
        Pointer buffers = array.getPointer(40);
        Pointer validity = buffers.getPointer(0);
        Pointer offsets = buffers.getPointer(8);
        Pointer bytes = buffers.getPointer(16);
        List<Object> repaired = new ArrayList<>(values.length);
        long row = first;
        for (Object before : values) {
            boolean isThere = validity == null || (validity.getByte(row / 8) >> row % 8 & 1) == 1;
            long start = offsets.getLong(8 * row);
            int length = Math.toIntExact(offsets.getLong(8 * row + 8) - start);
            row++;
            if (!isThere) {
                repaired.add(null);
                continue;
            }
            byte[] now = length == 0 ? new byte[0] : bytes.getByteArray(start, length);
            repaired.add(Arrays.equals(now, Texts.ofValue(before)) ? before : new String(now, StandardCharsets.UTF_8));
        }
        return repaired;
    }

    /** Returns a copy of a record with repaired values. Members that are not fields of the rules are unchanged. */
    public Map<String, Object> repairRecord(Map<String, ?> record) {
        Map<String, Object> repaired = new LinkedHashMap<>(record);
        for (int field = 0; field < fields.size(); field++) {
            String name = fields.get(field);
            paths.get(field).change(repaired, value -> repair(name, List.of(value)).get(0));
        }
        return repaired;
    }

    private int number(String field) {
        int number = fields.indexOf(field);
        if (number < 0) throw AssayException.argument("the rules have no field '" + field + "'");
        return number;
    }

    /**
     * Splits a file (CSV, JSON Lines, optionally compressed) into clean records and rejects, as {@code assay clean}
     * does.
     *
     * @return the report as JSON
     */
    public String cleanFile(Path input, Outputs outputs, CheckOptions options) {
        byte[] path = Texts.zeroEnded(input.toString(), "the path");
        try (Memory outputsOfC = outputs.memory()) {
            return options.call(optionsOfC -> handle.use(rules -> Texts.taken(
                    made(report -> LibAssay.assay_clean_file(rules, path, outputsOfC, optionsOfC, report)))));
        }
    }

    /**
     * Creates an object for the keys of a table that several checks process in parts.
     *
     * @param memory limit of the keys in bytes; 0: a quarter of the memory
     */
    public SeenKeys seenKeys(long memory) {
        if (memory < 0) throw AssayException.argument("memory is " + memory + "; it is 0 or more");
        return handle.use(rules -> new SeenKeys(made(seen -> LibAssay.assay_seen_keys_create(rules, memory, seen))));
    }

    @Override
    public void close() {
        handle.close();
    }

    @Override
    public String toString() {
        return "Rules" + fields;
    }

    private Object writeReplace() {
        String folder = handle.use(rules -> Texts.of(LibAssay.assay_rules_folder(rules)));
        return new Serialized(json(), name, trusted, folder);
    }

    /** The serialized form of rules. Deserialized rules have the same permissions as the original ones. */
    private record Serialized(String json, String name, boolean trusted, String folder) implements Serializable {
        private Object readResolve() {
            if (trusted) return parseTrusted(json, name);
            if (folder == null) return parse(json, name);
            byte[] bytes = Texts.bytes(json);
            byte[] nameOfC = Texts.zeroEnded(name, "the name of the rules");
            byte[] folderOfC = Texts.zeroEnded(folder, "the folder of the rules");
            return new Rules(
                    made(rules -> LibAssay.assay_rules_parse_within(bytes, bytes.length, nameOfC, folderOfC, rules)),
                    name);
        }
    }
}
