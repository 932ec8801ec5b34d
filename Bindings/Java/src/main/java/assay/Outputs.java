package assay;

import java.nio.file.Path;

/**
 * Where the outputs of {@link Rules#cleanFile} go; {@code null}: nowhere.
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

    /** Good rows. */
    public Outputs clean(Path path) {
        clean = path;
        return this;
    }

    /** Bad rows. */
    public Outputs rejects(Path path) {
        rejects = path;
        return this;
    }

    /** JSON lines; CSV if it ends in {@code .csv}. */
    public Outputs findings(Path path) {
        findings = path;
        return this;
    }

    /** Counts, as JSON. */
    public Outputs report(Path path) {
        report = path;
        return this;
    }

    /** Which cells of clean records repairs changed; as the findings. */
    public Outputs changes(Path path) {
        changes = path;
        return this;
    }

    /** Whether outputs that exist may be replaced. */
    public Outputs replace(boolean replace) {
        this.replace = replace;
        return this;
    }

    /** Whether the rejects get the columns {@code _line} and {@code _reasons}. */
    public Outputs annotate(boolean annotate) {
        this.annotate = annotate;
        return this;
    }
}
