package assay;

import com.sun.jna.Memory;
import java.nio.file.Path;

/**
 * The outputs of {@link Rules#cleanFile} and their options. A path that is {@code null} disables an output.
 *
 * <pre>{@code new Outputs().clean(Path.of("clean.csv")).rejects(Path.of("rejects.csv")).annotate(true)}</pre>
 */
public final class Outputs {
    Path clean;
    Path rejects;
    Path findings;
    Path report;
    Path changes;
    boolean replace;
    boolean annotate;
    long maxFindings;
    long head;
    String compression;
    String encoding;
    String delimiter;
    boolean showValues;
    boolean guardFormulas;

    /** The clean records. */
    public Outputs clean(Path path) {
        clean = path;
        return this;
    }

    /** The rejected records. */
    public Outputs rejects(Path path) {
        rejects = path;
        return this;
    }

    /** The findings, as JSON Lines, or as CSV if the name ends in {@code .csv}. */
    public Outputs findings(Path path) {
        findings = path;
        return this;
    }

    /** The counts, as JSON. */
    public Outputs report(Path path) {
        report = path;
        return this;
    }

    /** The cells of clean records that repairs changed, in the format of the findings. */
    public Outputs changes(Path path) {
        changes = path;
        return this;
    }

    /** Whether to replace existing outputs. */
    public Outputs replace(boolean replace) {
        this.replace = replace;
        return this;
    }

    /** Whether to add the columns {@code _line} and {@code _reasons} to the rejects. */
    public Outputs annotate(boolean annotate) {
        this.annotate = annotate;
        return this;
    }

    /** The maximum number of findings written; the rest is counted. 0: a million; {@code Long.MAX_VALUE}: no limit. */
    public Outputs maxFindings(long count) {
        if (count < 0) throw AssayException.argument("maxFindings is " + count + "; it is 0 or more");
        maxFindings = count;
        return this;
    }

    /** The maximum number of records read; 0: all. */
    public Outputs head(long records) {
        if (records < 0) throw AssayException.argument("head is " + records + "; it is 0 or more");
        head = records;
        return this;
    }

    /**
     * The expected compression of clean and rejects: {@code none}, {@code gzip} or {@code zstd}. Their names determine
     * it: {@code .gz}, {@code .zst}, and none. A call with other names fails. {@code null}: any.
     */
    public Outputs compression(String name) {
        compression = name;
        return this;
    }

    /** The encoding of the input, such as {@code windows-1252}, or {@code auto}; {@code null}: from the rules. */
    public Outputs encoding(String name) {
        encoding = name;
        return this;
    }

    /**
     * The delimiter of the input: one or two ASCII characters, {@code tab} or {@code space}; {@code null}: from the
     * rules.
     */
    public Outputs delimiter(String delimiter) {
        this.delimiter = delimiter;
        return this;
    }

    /** Whether findings and changes include values of the data. */
    public Outputs showValues(boolean show) {
        showValues = show;
        return this;
    }

    /** Whether cells that a spreadsheet would evaluate get an apostrophe in front. */
    public Outputs guardFormulas(boolean guard) {
        guardFormulas = guard;
        return this;
    }

    /** The outputs in the layout of C, in one block of memory with their texts. */
    Memory memory() {
        // struct assay_outputs: size, clean, rejects, findings, report, replace, annotate, changes, max_findings, head,
        // compression, encoding, delimiter, show_values, guard_formulas
        final int size = 104;
        int[] places = {8, 16, 24, 32, 48, 72, 80, 88};
        byte[][] texts = {
            ofPath(clean), ofPath(rejects), ofPath(findings), ofPath(report), ofPath(changes),
            ofText(compression, "the compression"), ofText(encoding, "the encoding"), ofText(delimiter, "the delimiter")
        };
        long all = size;
        for (byte[] text : texts) all += text == null ? 0 : text.length;
        Memory outputs = new Memory(all);
        outputs.clear();
        outputs.setLong(0, size);
        outputs.setByte(40, (byte) (replace ? 1 : 0));
        outputs.setByte(41, (byte) (annotate ? 1 : 0));
        outputs.setLong(56, maxFindings == Long.MAX_VALUE ? -1 : maxFindings);
        outputs.setLong(64, head);
        outputs.setByte(96, (byte) (showValues ? 1 : 0));
        outputs.setByte(97, (byte) (guardFormulas ? 1 : 0));
        long used = size;
        for (int i = 0; i < texts.length; i++) {
            if (texts[i] == null) continue;
            outputs.write(used, texts[i], 0, texts[i].length);
            outputs.setPointer(places[i], outputs.share(used));
            used += texts[i].length;
        }
        return outputs;
    }

    private static byte[] ofPath(Path path) {
        return path == null ? null : Texts.zeroEnded(path.toString(), "the path");
    }

    private static byte[] ofText(String text, String what) {
        return text == null ? null : Texts.zeroEnded(text, what);
    }
}
