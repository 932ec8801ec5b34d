/// Columns whose values no two records may share: a key of a table.
///
///     constraints: {unique: true}          Key(.unique, fields: ["email"])
///     primaryKey: id                       Key(.primary, fields: ["id"])
///     uniqueKeys: [[country, number]]      Key(.combination, fields: ["country", "number"], number: 1)
///
/// A description: plain data. Values compare as what they mean: `007` equals `7` as an integer, `1.0` equals `1` as a number;
/// texts compare byte by byte. Where a part is missing a record has no such key, which is allowed unless it is the primary one.
/// Source: Table Schema v2, "primaryKey", "uniqueKeys", "unique" (<https://datapackage.org/standard/table-schema/>).
public struct Key: Hashable, Sendable, Codable {
    /// What makes it a key.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// The constraint `unique` of its one field.
        case unique
        /// The table's `primaryKey`: no part of it may be missing.
        case primary
        /// One of the table's `uniqueKeys`.
        case combination
    }

    /// What makes it a key.
    public var kind: Kind
    /// The names of its columns; one at least.
    public var fields: [String]
    /// The stable name that findings and the report have: `email.unique`, `primaryKey`, `uniqueKeys.1`.
    public var id: String

    /// A key.
    ///
    /// - Parameters:
    ///   - kind: what makes it a key.
    ///   - fields: the names of its columns; one at least.
    ///   - number: which of the `uniqueKeys` it is, from 1.
    public init(_ kind: Kind, fields: [String], number: Int = 1) {
        self.kind = kind
        self.fields = fields
        id =
            switch kind {
            case .unique: "\(fields.first ?? "").unique"
            case .primary: "primaryKey"
            case .combination: "uniqueKeys.\(number)"
            }
    }
}

/// Which of the records stay that have a key in common.
public enum KeptRecords: String, Hashable, Sendable, Codable, CaseIterable {
    /// The first in input order that is good in all else.
    case first
    /// None of them.
    case none
}
