package assay;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;

/** Conversions of texts to and from C. */
final class Texts {
    private Texts() {}

    /** Copies a text of libassay; {@code null} for NULL. */
    static String of(Pointer text) {
        return text == null ? null : text.getString(0, "UTF-8");
    }

    /** Copies a text that the caller owns, and frees it. */
    static String taken(Pointer text) {
        String copy = of(text);
        LibAssay.assay_text_free(text);
        return copy;
    }

    /** A text with a NUL at its end for C. The text must not contain another NUL. */
    static byte[] zeroEnded(String text, String what) {
        byte[] bytes = bytes(text + '\0');
        for (int i = 0; i < bytes.length - 1; i++) {
            if (bytes[i] == 0) throw AssayException.argument(what + " has a NUL in it");
        }
        return bytes;
    }

    static Memory memory(String text, String what) {
        byte[] bytes = zeroEnded(text, what);
        Memory memory = new Memory(bytes.length);
        memory.write(0, bytes, 0, bytes.length);
        return memory;
    }

    /** The bytes of a value to check, or {@code null} if it is missing. */
    static byte[] ofValue(Object value) {
        if (value == null) return null;
        if (value instanceof byte[] bytes) return bytes;
        if (value instanceof CharSequence || value instanceof Boolean) return bytes(value.toString());
        if (value instanceof Number number) return bytes(ofNumber(number));
        if (value instanceof TemporalAccessor time) return bytes(ofTime(time));
        throw AssayException.argument("a value is a text, bytes, a number, a boolean or a time of java.time, not a "
                + value.getClass().getName());
    }

    /** A number in the notation of the types {@code integer} and {@code number}. */
    private static String ofNumber(Number value) {
        if (value instanceof BigDecimal decimal) {
            // Large scales are mistakes, and their zeros would fill the memory.
            return Math.abs((long) decimal.scale()) < 1000 ? decimal.toPlainString() : decimal.toString();
        }
        if (!(value instanceof Double || value instanceof Float)) return value.toString();
        double number = value.doubleValue();
        if (Double.isInfinite(number)) return number > 0 ? "INF" : "-INF";
        boolean isIntegral = number == Math.rint(number);
        return isIntegral ? new BigDecimal(value.toString()).toBigInteger().toString() : value.toString();
    }

    /**
     * A time with seconds, which {@code toString()} omits if they are zero, and with an offset in place of its zone.
     */
    private static String ofTime(TemporalAccessor time) {
        if (time instanceof LocalTime) return DateTimeFormatter.ISO_LOCAL_TIME.format(time);
        if (time instanceof OffsetTime) return DateTimeFormatter.ISO_OFFSET_TIME.format(time);
        if (time instanceof LocalDateTime) return DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(time);
        if (time instanceof ZonedDateTime zoned) time = zoned.toOffsetDateTime();
        if (!(time instanceof OffsetDateTime moment)) return time.toString();
        // An offset must not have seconds (RFC 3339, 4.2), but local mean time has them.
        boolean hasSeconds = moment.getOffset().getTotalSeconds() % 60 != 0;
        return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
                hasSeconds ? moment.withOffsetSameInstant(ZoneOffset.UTC) : moment);
    }

    /**
     * The UTF-8 form. Half a surrogate pair becomes three invalid bytes, and therefore a finding. {@code getBytes}
     * would replace it with a question mark.
     */
    static byte[] bytes(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) return withSurrogates(text);
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] withSurrogates(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length() + 8);
        text.codePoints().forEach(point -> {
            if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
                bytes.write(0xE0 | point >> 12);
                bytes.write(0x80 | point >> 6 & 0x3F);
                bytes.write(0x80 | point & 0x3F);
            } else {
                bytes.writeBytes(Character.toString(point).getBytes(StandardCharsets.UTF_8));
            }
        });
        return bytes.toByteArray();
    }
}
