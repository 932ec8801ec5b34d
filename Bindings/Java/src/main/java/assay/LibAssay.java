package assay;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;

/**
 * The functions of {@code assay/assay.h}, bound by JNA. {@code size_t} is a {@code long}, {@code bool} a {@code byte};
 * {@code Bindings/check_declarations.py} compares them with the header.
 *
 * <p>JNA searches for the library in {@code jna.library.path}, {@code LD_LIBRARY_PATH} and the default paths of the
 * system.
 */
final class LibAssay {
    /** The version of the interface, which is part of the name of the library. */
    private static final int ABI = 1;

    private static final String NAME = Platform.isMac() ? "libassay." + ABI + ".dylib" : "libassay.so." + ABI;

    static {
        Native.register(LibAssay.class, NAME);
    }

    private LibAssay() {}

    /** The address of a function. */
    static Pointer addressOf(String function) {
        return NativeLibrary.getInstance(NAME).getFunction(function);
    }

    static native Pointer assay_release();

    static native Pointer assay_engine();

    static native void assay_fault_free(Pointer fault);

    static native Pointer assay_rules_parse(byte[] text, long count, byte[] name, PointerByReference rules);

    static native Pointer assay_rules_load(byte[] path, PointerByReference rules);

    static native Pointer assay_rules_parse_trusted(byte[] text, long count, byte[] name, PointerByReference rules);

    static native Pointer assay_rules_parse_within(
            byte[] text, long count, byte[] name, byte[] folder, PointerByReference rules);

    static native Pointer assay_rules_folder(Pointer rules);

    static native Pointer assay_rules_load_trusted(byte[] path, PointerByReference rules);

    static native Pointer assay_rules_from_pattern(byte[] text, long count, int flags, PointerByReference rules);

    static native void assay_rules_free(Pointer rules);

    static native long assay_rules_field_count(Pointer rules);

    static native Pointer assay_rules_field_name(Pointer rules, long field);

    static native Pointer assay_rules_json(Pointer rules);

    static native long assay_path_keys(byte[] path, byte[] keys, byte[] lists);

    static native Pointer assay_seen_keys_create(Pointer rules, long memory, PointerByReference seen);

    static native void assay_seen_keys_free(Pointer seen);

    static native Pointer assay_rules_check_column(
            Pointer rules, long field, Pointer column, long count, Pointer options, PointerByReference result);

    static native Pointer assay_rules_check_columns(
            Pointer rules, Pointer columns, long columnCount, long count, Pointer options, PointerByReference result);

    /** With addresses, which JNA passes faster than pointers. */
    static native byte assay_rules_accepts(long rulesAddress, long valuesAddress, long lengthsAddress);

    static native Pointer assay_rules_check_csv(
            Pointer rules, byte[] bytes, long count, Pointer options, PointerByReference result);

    static native Pointer assay_rules_check_arrow_table(
            Pointer rules, Pointer schema, Pointer array, Pointer options, PointerByReference result);

    static native Pointer assay_rules_repair_column(
            Pointer rules, long field, Pointer column, long count, Pointer options, Pointer repaired,
            Pointer repairedSchema, Pointer changes);

    static native void assay_result_totals(Pointer result, Pointer totals, long size);

    static native long assay_result_rejected_by(Pointer result, byte[] column);

    static native Pointer assay_result_rows(Pointer result, int rows);

    static native long assay_result_findings(
            Pointer result, Pointer cursor, Pointer findings, long size, long capacity);

    static native void assay_result_free(Pointer result);

    static native Pointer assay_tally_create();

    static native void assay_tally_add(Pointer tally, Pointer result);

    static native byte assay_tally_get(Pointer tally, long index, Pointer count, long size);

    static native void assay_tally_free(Pointer tally);

    static native Pointer assay_clean_file(
            Pointer rules, byte[] input, Pointer outputs, Pointer options, PointerByReference report);

    static native void assay_text_free(Pointer text);

    static native Pointer assay_rules_profile(
            Pointer rules, Pointer table, byte showsValues, Pointer options, PointerByReference profile);

    static native Pointer assay_rules_infer(Pointer rules, Pointer table, Pointer options, PointerByReference inferred);
}
