package assay;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Finds the value of a field in a record: a member with its name, or a nested member, {@code address.city}. */
final class FieldPath {
    private final String field;
    private final List<String> keys;
    private final boolean isOfElements;

    FieldPath(String field) {
        this.field = field;
        byte[] name = Texts.zeroEnded(field, "the name of the field");
        byte[] written = new byte[name.length];
        byte[] lists = new byte[Long.BYTES];
        long count = LibAssay.assay_path_keys(name, written, lists);
        isOfElements = ByteBuffer.wrap(lists).order(ByteOrder.nativeOrder()).getLong() > 0;
        List<String> read = new ArrayList<>();
        for (int start = 0, end = 0; read.size() < count; start = ++end) {
            while (written[end] != 0) end++;
            read.add(new String(written, start, end - start, StandardCharsets.UTF_8));
        }
        keys = read.isEmpty() || isOfElements ? List.of(field) : List.copyOf(read);
    }

    /** The value in a record, or {@code null} if it is missing. */
    Object value(Map<?, ?> record) {
        Object own = record.get(field);
        if (own != null || record.containsKey(field)) return own;
        if (isOfElements) {
            throw AssayException.argument("the field '" + field
                    + "' is about the elements of a list, which are judged in JSON Lines only");
        }
        Object value = record;
        for (String key : keys) value = value instanceof Map<?, ?> map ? map.get(key) : null;
        return value;
    }

    /** Changes the value in a copy of a record, and copies the enclosing maps. Does not add missing members. */
    void change(Map<String, Object> record, UnaryOperator<Object> change) {
        if (record.containsKey(field)) {
            record.computeIfPresent(field, (name, value) -> change.apply(value));
        } else {
            change(record, keys, change);
        }
    }

    private static void change(Map<String, Object> record, List<String> keys, UnaryOperator<Object> change) {
        List<String> rest = keys.subList(1, keys.size());
        record.computeIfPresent(keys.get(0), (key, value) -> {
            if (rest.isEmpty()) return change.apply(value);
            if (!(value instanceof Map<?, ?> inner)) return value;
            Map<String, Object> copy = new LinkedHashMap<>();
            inner.forEach((name, member) -> copy.put(String.valueOf(name), member));
            change(copy, rest, change);
            return copy;
        });
    }
}
