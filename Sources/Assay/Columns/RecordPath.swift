internal import CAssay

/// The name of a field as a path into nested records.
///
///     address.city     the member "city" of the member "address"
///     a\.b             the member "a.b"
///     tags[]           the elements of the member "tags": one list
///
/// A member with exactly the field's name takes precedence over the path. The C core defines the grammar
/// (`assay_path_read`), which JSON Lines also use.
package struct RecordPath: Hashable, Sendable {
    package let keys: [String]
    /// The number of `[]` in the path.
    package let lists: Int
    /// The number of `[]` after each key.
    private let listsAfter: [Int]

    /// Returns `nil` if the name is not a path, such as `a..b`.
    package init?(_ name: String) {
        var name = name
        let read: (keys: [String], listsAfter: [Int])? = name.withUTF8 { bytes in
            var reader = assay_path_reader()
            reader.name = assay_text(bytes: bytes.baseAddress, count: bytes.count)
            var keys: [String] = []
            var listsAfter: [Int] = []
            while !reader.is_end {
                var isRead = false
                let before = reader.lists
                let key = [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
                    isRead = assay_path_read(&reader, buffer.baseAddress)
                    count = reader.key_count
                }
                guard isRead else { return nil }
                keys.append(String(decoding: key, as: UTF8.self))
                listsAfter.append(Int(reader.lists - before))
            }
            return (keys, listsAfter)
        }
        guard let read else { return nil }
        (keys, listsAfter) = read
        lists = read.listsAfter.reduce(0, +)
    }

    /// The path of a value.
    ///
    /// - Parameter indexes: The index of the element in each list, from 0. `nil` ends the path, because the value is
    ///   in the place of that list.
    package func valuePath(_ indexes: some Sequence<Int?> = []) -> ValuePath {
        var steps: [ValuePath.Step] = []
        var rest = indexes.makeIterator()
        for (key, lists) in zip(keys, listsAfter) {
            steps.append(.field(key))
            for _ in 0..<lists {
                guard case let index?? = rest.next() else { return ValuePath(steps) }
                steps.append(.index(index))
            }
        }
        return ValuePath(steps)
    }

    /// The column name for these keys in a flat table: the key of a top-level column, or the path of a nested one.
    package static func columnName(_ keys: [String]) -> String {
        keys.count == 1 ? keys[0] : keys.map(escaped).joined(separator: ".")
    }

    /// The column of a flat table that the name of a field refers to as a path: `a.b` for `a\.b`. `nil` if only a
    /// column with the same name can belong to the field.
    package static func column(of field: String) -> String? {
        guard field.utf8.contains(UInt8(ascii: "\\")), let path = Self(field), path.lists == 0 else { return nil }
        return columnName(path.keys)
    }

    private static func escaped(_ key: String) -> String {
        String(
            decoding: key.utf8.flatMap { byte in isSyntax(byte) ? [UInt8(ascii: "\\"), byte] : [byte] }, as: UTF8.self)
    }

    private static func isSyntax(_ byte: UInt8) -> Bool {
        [UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "\\")].contains(byte)
    }
}

/// The lookup of a field's text in a record that is given as column name to text.
struct FieldKey: Hashable, Sendable {
    private let name: String
    private let column: String?

    init(_ field: String) { (name, column) = (field, RecordPath.column(of: field)) }

    func text(in record: [String: String]) -> String? { record[name] ?? column.flatMap { record[$0] } }
}
