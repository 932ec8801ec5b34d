/// The required order of a column's values in the order of the records.
///
///     constraints: {sorted: ascending}                  SortOrder(.ascending)
///     constraints: {sorted: descending, strict: true}   SortOrder(.descending, isStrict: true)
///
/// A description: plain data. Values are compared by meaning, as bounds are, and texts byte by byte.
public struct SortOrder: Hashable, Sendable, Codable {
    /// The direction of an order.
    public enum Direction: String, Hashable, Sendable, Codable, CaseIterable {
        /// No value is less than an earlier one.
        case ascending
        /// No value is greater than an earlier one.
        case descending
    }

    /// The direction.
    public var direction: Direction
    /// Whether equal values are out of order.
    public var isStrict: Bool

    /// An order.
    ///
    /// - Parameters:
    ///   - direction: The direction.
    ///   - isStrict: Whether equal values are out of order.
    public init(_ direction: Direction, isStrict: Bool = false) {
        self.direction = direction
        self.isStrict = isStrict
    }
}

extension ValueType {
    /// Whether the values of a column can be sorted.
    package var isSortable: Bool { kind != .boolean && !hasMembers && !isAnyJSON }

    /// Whether a column can decide which record is kept. Durations are sortable, but some of them, such as P1M and
    /// P30D, cannot be compared with each other.
    package var isPreferable: Bool { isSortable && kind != .duration }
}

extension Field {
    /// The stable name of the constraint `sorted` in findings and reports, such as `time.sorted`.
    package var sortedID: String { "\(name).sorted" }
}

extension Schema {
    /// Whether some rule compares records with one another.
    package var comparesRecords: Bool {
        !keys.isEmpty || !foreignKeys.isEmpty || fields.contains { $0.sorted != nil }
    }

    /// Whether a later record can change the verdict on an earlier one with the same key.
    package var decidesKeysAtTheEnd: Bool { keep != .first && !keys.isEmpty }

    /// The schema without the rules that compare records with one another.
    package var withoutComparisons: Schema {
        var schema = self
        (schema.keys, schema.foreignKeys) = ([], [])
        for index in schema.fields.indices { schema.fields[index].sorted = nil }
        return schema
    }
}
