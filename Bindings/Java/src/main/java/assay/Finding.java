package assay;

/**
 * One thing that is wrong with one record.
 *
 * @param record the record, from 1
 * @param line of CSV the physical line, from 1; else 0
 * @param offset of CSV the byte at which the cell starts; else 0
 * @param column the field; {@code null} for what is the record's
 * @param rule such as "email.pattern"
 * @param code such as "pattern", "required", "encoding" or "undecided"
 * @param message what is wrong
 * @param severity whether the record is rejected
 */
public record Finding(
        long record, long line, long offset, String column, String rule, String code, String message, Severity severity)
        implements java.io.Serializable {}
