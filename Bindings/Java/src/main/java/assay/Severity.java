package assay;

/** What becomes of a record with a finding. */
public enum Severity {
    /** It is rejected. */
    REJECT,
    /** It stays. */
    WARN;

    static Severity of(int number) {
        return number == 0 ? REJECT : WARN;
    }
}
