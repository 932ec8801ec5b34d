package assay;

import com.sun.jna.Pointer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An error in a call, in rules or in the layout of a table. Bad data is never an exception: it is a {@link Finding}.
 */
public final class AssayException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The kinds of mistakes, in the order of the header. */
    public enum Kind { ARGUMENT, MEMORY, RULES, COLUMNS, ARROW, STREAM, INPUT, FILE, CANCELLED, INTERNAL }

    /**
     * One mistake; a rule file may have several.
     *
     * @param line in the rule file, from 1; 0: unknown
     * @param column in characters, from 1; in a pattern the byte; 0: unknown
     * @param message a sentence without a full stop
     * @param hint a suggestion, or {@code null}
     * @param text the whole text for people, possibly several lines
     */
    public record Mistake(Kind kind, long line, long column, String message, String hint, String text)
            implements java.io.Serializable {}

    private final ArrayList<Mistake> mistakes;

    private AssayException(List<Mistake> mistakes) {
        super(mistakes.stream().map(Mistake::text).collect(Collectors.joining("\n")));
        this.mistakes = new ArrayList<>(mistakes);
    }

    static AssayException argument(String message) {
        return of(Kind.ARGUMENT, message);
    }

    static AssayException cancelled(String message) {
        return of(Kind.CANCELLED, message);
    }

    private static AssayException of(Kind kind, String message) {
        return new AssayException(List.of(new Mistake(kind, 0, 0, message, null, message)));
    }

    /** All mistakes, at least one. */
    public List<Mistake> mistakes() {
        return List.copyOf(mistakes);
    }

    /** The kind of the first mistake. */
    public Kind kind() {
        return mistakes.get(0).kind();
    }

    /** Throws the fault that a function of libassay returned, and frees it. */
    static void check(Pointer fault) {
        if (fault == null) return;
        List<Mistake> mistakes = new ArrayList<>();
        // struct assay_fault: size, code, line, column, reserved, message, hint, text, next
        for (Pointer one = fault; one != null; one = one.getPointer(48)) {
            int code = one.getInt(8);
            Kind[] kinds = Kind.values();
            mistakes.add(new Mistake(
                    code >= 1 && code <= kinds.length ? kinds[code - 1] : Kind.INTERNAL,
                    Integer.toUnsignedLong(one.getInt(12)),
                    Integer.toUnsignedLong(one.getInt(16)),
                    Texts.of(one.getPointer(24)),
                    Texts.of(one.getPointer(32)),
                    Texts.of(one.getPointer(40))));
        }
        LibAssay.assay_fault_free(fault);
        throw new AssayException(mistakes);
    }
}
