package assay;

/** The effect of a finding on its record. */
public enum Severity {
    /** The record is rejected. */
    REJECT,
    /** The record stays clean. */
    WARN;

    static Severity of(int number) {
        return number == 0 ? REJECT : WARN;
    }
}
