package assay;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/**
 * A compiled PCRE2 pattern. The whole value must match, unless {@link Flag#SEARCH} is set. Any number of threads may
 * use it.
 */
public final class Pattern implements AutoCloseable, java.io.Serializable {
    private static final long serialVersionUID = 1;

    /**
     * The flags, in the order of the header. Without flags, case matters, {@code \d \w \s} are ASCII, and {@code .}
     * does not match a line feed.
     */
    public enum Flag {
        CASE_INSENSITIVE,
        UNICODE_CLASSES,
        DOT_ALL,
        EXTENDED,
        MULTILINE,
        /** A match anywhere in the value suffices. */
        SEARCH,
        /** Refuses the pattern unless a DFA matches it in linear time, for untrusted patterns. */
        LINEAR_TIME
    }

    private final String pattern;
    private final int flags;
    private final transient Rules rules;

    public Pattern(String pattern, Flag... flags) {
        this(pattern, bits(flags));
    }

    private Pattern(String pattern, int flags) {
        this.pattern = pattern;
        this.flags = flags;
        rules = Rules.ofPattern(pattern, flags);
    }

    private static int bits(Flag[] flags) {
        int bits = 0;
        for (Flag flag : flags) bits |= 1 << flag.ordinal();
        return bits;
    }

    /** Returns whether one value matches, or {@code null} if a limit left it undecided. */
    public Boolean matches(String value) {
        if (value == null) throw AssayException.argument("there is no value");
        return rules.acceptsValues(value) ? Boolean.TRUE : match(List.of(value), CheckOptions.ALONE).get(0);
    }

    /** Returns whether each value matches, or {@code null} for a missing value and if a limit left it undecided. */
    public List<Boolean> match(List<?> values) {
        return match(values, CheckOptions.DEFAULT);
    }

    public List<Boolean> match(List<?> values, CheckOptions options) {
        try (CheckResult result = rules.checkColumn("value", values, options)) {
            BitSet rejected = result.rejected();
            BitSet unknown = result.undecided();
            unknown.or(result.missing());
            int rows = Math.toIntExact(result.totals().records());
            List<Boolean> verdicts = new ArrayList<>(rows);
            for (int row = 0; row < rows; row++) verdicts.add(unknown.get(row) ? null : !rejected.get(row));
            return verdicts;
        }
    }

    @Override
    public void close() {
        rules.close();
    }

    @Override
    public String toString() {
        return pattern;
    }

    private Object readResolve() {
        return new Pattern(pattern, flags);
    }
}
