package assay;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import java.nio.file.Path;

/** The library, and functions that do not need rules. */
public final class Assay {
    private Assay() {}

    /** The release of libassay, such as "0.1.0". */
    public static String release() {
        return Texts.of(LibAssay.assay_release());
    }

    /** The regular expression engine, such as "PCRE2 10.42 2022-12-11, Unicode 14.0.0, JIT". */
    public static String engine() {
        return Texts.of(LibAssay.assay_engine());
    }

    /**
     * Profiles every value of a file, as {@code assay profile} does.
     *
     * @param showsValues whether to include the most frequent values
     * @return JSON
     */
    public static String profile(Path file, boolean showsValues) {
        return profile(file, showsValues, CheckOptions.DEFAULT);
    }

    /** Profiles a file with the threads and the progress callback of the options. */
    public static String profile(Path file, boolean showsValues, CheckOptions options) {
        return written(file, options, (table, optionsOfC, text) ->
                LibAssay.assay_rules_profile(null, table, (byte) (showsValues ? 1 : 0), optionsOfC, text));
    }

    /**
     * Infers rules that fit a file, as {@code assay infer} does.
     *
     * @return YAML, with comments
     */
    public static String infer(Path file) {
        return infer(file, CheckOptions.DEFAULT);
    }

    /** Infers rules with the threads and the progress callback of the options. */
    public static String infer(Path file, CheckOptions options) {
        return written(file, options, (table, optionsOfC, text) ->
                LibAssay.assay_rules_infer(null, table, optionsOfC, text));
    }

    private interface Writes {
        Pointer write(Memory table, Pointer options, PointerByReference text);
    }

    private static String written(Path file, CheckOptions options, Writes writes) {
        // struct assay_table: size, path, open, context, name
        try (Memory path = Texts.memory(file.toString(), "the path");
                Memory table = new Memory(40)) {
            table.clear();
            table.setLong(0, table.size());
            table.setPointer(8, path);
            return options.call(optionsOfC -> {
                PointerByReference text = new PointerByReference();
                AssayException.check(writes.write(table, optionsOfC, text));
                return Texts.taken(text.getValue());
            });
        }
    }
}
