package assay;

import java.nio.file.Path;

/**
 * The outputs of {@link Rules#cleanFile}. {@code null} disables an output.
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
}
