package assay;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;

/** The result of a check. It is immutable and does not refer to the data; many threads may read it at once. */
public final class CheckResult implements AutoCloseable {
    private static final int REJECTED = 1;
    private static final int UNDECIDED = 2;
    private static final int MISSING = 3;

    private final Handle handle;
    private final Totals totals;

    /** Takes ownership of a result of libassay. */
    CheckResult(Pointer result) {
        handle = new Handle(this, result, LibAssay::assay_result_free);
        try (Memory counts = new Memory(40)) {
            LibAssay.assay_result_totals(result, counts, counts.size());
            long[] read = counts.getLongArray(0, 5);
            totals = new Totals(read[0], read[1], read[2], read[3], read[4]);
        }
    }

    public Totals totals() {
        return totals;
    }

    /** Returns whether all records are clean. */
    public boolean isClean() {
        return totals.rejected() == 0;
    }

    /** The rejected rows, from 0. Empty for CSV, because its findings have record numbers. */
    public BitSet rejected() {
        return rows(REJECTED);
    }

    /** The rows that a limit left undecided. They are also rejected. */
    public BitSet undecided() {
        return rows(UNDECIDED);
    }

    /** The rows without a value. Only known for a check of one column. */
    BitSet missing() {
        return rows(MISSING);
    }

    private BitSet rows(int kind) {
        return handle.use(result -> {
            Pointer words = LibAssay.assay_result_rows(result, kind);
            int count = Math.toIntExact((totals.records() + 63) / 64);
            return words == null ? new BitSet() : BitSet.valueOf(words.getLongArray(0, count));
        });
    }

    /** All findings, in the order of the records. */
    public List<Finding> findings() {
        return findings(Long.MAX_VALUE);
    }

    /** The first findings, at most {@code limit}. */
    public List<Finding> findings(long limit) {
        final int batch = 64;
        final int size = 64;
        return handle.use(result -> {
            List<Finding> findings = new ArrayList<>();
            try (Memory cursor = new Memory(32);
                    Memory found = new Memory(batch * size)) {
                cursor.clear();
                while (findings.size() < limit) {
                    long room = Math.min(batch, limit - findings.size());
                    int count = (int) LibAssay.assay_result_findings(result, cursor, found, size, room);
                    if (count == 0) break;
                    for (int i = 0; i < count; i++) findings.add(finding(found.share(i * size)));
                }
            }
            return Collections.unmodifiableList(findings);
        });
    }

    private static Finding finding(Pointer one) {
        // struct assay_finding: record, line, offset, column, rule, code, message, severity, reserved
        return new Finding(
                one.getLong(0),
                one.getLong(8),
                one.getLong(16),
                Texts.of(one.getPointer(24)),
                Texts.of(one.getPointer(32)),
                Texts.of(one.getPointer(40)),
                Texts.of(one.getPointer(48)),
                Severity.of(one.getInt(56)));
    }

    /** The number of findings of each rule, including rules without findings. */
    public List<RuleCount> counts() {
        return handle.use(result -> {
            List<RuleCount> counts = new ArrayList<>();
            Pointer tally = LibAssay.assay_tally_create();
            LibAssay.assay_tally_add(tally, result);
            // struct assay_rule_count: column, rule, severity, reserved, failed, undecided
            try (Memory one = new Memory(40)) {
                while (LibAssay.assay_tally_get(tally, counts.size(), one, one.size()) != 0) {
                    counts.add(new RuleCount(
                            Texts.of(one.getPointer(0)),
                            Texts.of(one.getPointer(8)),
                            Severity.of(one.getInt(16)),
                            one.getLong(24),
                            one.getLong(32)));
                }
            }
            LibAssay.assay_tally_free(tally);
            return Collections.unmodifiableList(counts);
        });
    }

    /** The number of records that the rules of a column reject, each counted once. */
    public long rejectedBy(String column) {
        byte[] name = Texts.zeroEnded(column, "the name of a column");
        return handle.use(result -> LibAssay.assay_result_rejected_by(result, name));
    }

    @Override
    public void close() {
        handle.close();
    }
}
