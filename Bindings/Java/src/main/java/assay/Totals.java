package assay;

/**
 * Counts of records; {@code clean + rejected = records}.
 *
 * @param undecided records with a finding that a limit left undecided
 * @param findings all findings, including warnings
 */
public record Totals(long records, long clean, long rejected, long undecided, long findings) {}
