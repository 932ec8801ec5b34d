package assay;

/**
 * One failed or undecided rule of one record.
 *
 * @param record the number of the record, from 1
 * @param line in CSV the physical line, from 1; otherwise 0
 * @param offset in CSV the byte at which the cell starts; otherwise 0
 * @param column the field; {@code null} for a finding about the whole record
 * @param rule such as "email.pattern"
 * @param code such as "pattern", "required", "encoding" or "undecided"
 * @param message the description of the problem
 * @param severity whether the record is rejected
 */
public record Finding(
        long record, long line, long offset, String column, String rule, String code, String message, Severity severity)
        implements java.io.Serializable {}
