package assay;

/**
 * The number of findings of a rule.
 *
 * @param column the field; {@code null} for rules of whole records
 */
public record RuleCount(String column, String rule, Severity severity, long failed, long undecided)
        implements java.io.Serializable {}
