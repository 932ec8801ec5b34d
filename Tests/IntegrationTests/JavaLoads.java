// Loads libassay into a JVM through JNA, and judges a column on several Java threads at once. Prints "ok".
import com.sun.jna.Library;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

public class JavaLoads {
    public interface Assay extends Library {
        int assay_abi_version();

        Pointer assay_rules_from_pattern(byte[] text, long count, int flags, PointerByReference rules);

        Pointer assay_rules_check_column(Pointer rules, long field, Pointer column, long count, Pointer options, PointerByReference result);

        void assay_result_totals(Pointer result, long[] totals);

        void assay_result_free(Pointer result);

        void assay_rules_free(Pointer rules);
    }

    static final List<String> VALUES = List.of("DE104233", "de104233", "FR200917");

    public static void main(String[] arguments) {
        Assay assay = Native.load(arguments[0], Assay.class);
        PointerByReference rules = new PointerByReference();
        byte[] pattern = "[A-Z]{2}\\d{6}".getBytes(StandardCharsets.UTF_8);
        if (assay.assay_rules_from_pattern(pattern, pattern.length, 0, rules) != null) throw new AssertionError("rules");

        // struct assay_column: size, name, layout, reserved, bytes, byte_count, offsets, pointers, lengths, validity
        Memory bytes = new Memory(64), offsets = new Memory(16), column = new Memory(72);
        int used = 0;
        offsets.setInt(0, 0);
        for (int row = 0; row < VALUES.size(); row++) {
            byte[] value = VALUES.get(row).getBytes(StandardCharsets.UTF_8);
            bytes.write(used, value, 0, value.length);
            used += value.length;
            offsets.setInt(4 * (row + 1), used);
        }
        column.clear();
        column.setLong(0, 72);
        column.setInt(16, 1);
        column.setPointer(24, bytes);
        column.setLong(32, used);
        column.setPointer(40, offsets);

        IntStream.range(0, 64).parallel().forEach(run -> {
            PointerByReference result = new PointerByReference();
            Pointer fault = assay.assay_rules_check_column(rules.getValue(), 0, column, VALUES.size(), null, result);
            if (fault != null) throw new AssertionError("fault");
            long[] totals = new long[5];
            assay.assay_result_totals(result.getValue(), totals);
            if (totals[0] != 3 || totals[1] != 2 || totals[2] != 1) throw new AssertionError("totals");
            assay.assay_result_free(result.getValue());
        });
        assay.assay_rules_free(rules.getValue());
        System.out.println("ok " + assay.assay_abi_version());
    }
}
