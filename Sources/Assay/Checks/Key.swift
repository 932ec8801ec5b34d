/// Columns with values that no two records may share: a key of a table.
///
///     constraints: {unique: true}          Key(.unique, fields: ["email"])
///     primaryKey: id                       Key(.primary, fields: ["id"])
///     uniqueKeys: [[country, number]]      Key(.combination, fields: ["country", "number"], number: 1)
///
/// A description: plain data. Values are compared by meaning: `007` equals `7` as an integer, and `1.0` equals `1` as a
/// number. Texts are compared byte by byte. A record with a missing part has no key value, which is allowed except for
/// the primary key.
/// Source: Table Schema v2, "primaryKey", "uniqueKeys", "unique" (<https://datapackage.org/standard/table-schema/>).
public struct Key: Hashable, Sendable, Codable {
    /// The kind of key in a rule file.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// The constraint `unique` of a single field.
        case unique
        /// The table's `primaryKey`. No part may be missing.
        case primary
        /// One of the table's `uniqueKeys`.
        case combination
    }

    /// The kind of key.
    public var kind: Kind
    /// The names of the columns, at least one.
    public var fields: [String]
    /// The stable name in findings and reports: `email.unique`, `primaryKey`, `uniqueKeys.1`.
    public var id: String

    /// A key.
    ///
    /// - Parameters:
    ///   - kind: The kind of key.
    ///   - fields: The names of the columns, at least one.
    ///   - number: The position among the `uniqueKeys`, from 1.
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

/// The records that are kept among records with the same key.
public enum DuplicatePolicy: String, Hashable, Sendable, Codable, CaseIterable {
    /// The first record in input order without other rejecting findings.
    case first
    /// No record.
    case none
}
