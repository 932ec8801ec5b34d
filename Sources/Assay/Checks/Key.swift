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
///
///     keep: last                   DuplicatePolicy.last
///     keep: {max: updated_at}      DuplicatePolicy.max("updated_at")
///
/// Only records without other rejecting findings are compared. Among equally preferred records, the first one in the
/// input is kept.
public enum DuplicatePolicy: Hashable, Sendable {
    /// The first record in input order.
    case first
    /// The last record in input order.
    case last
    /// No record.
    case none
    /// The record with the greatest value in this column, compared as in a sorted column. A record without a value is
    /// kept only if no other record with the key has one.
    case max(String)
    /// The record with the least value in this column.
    case min(String)
}

extension DuplicatePolicy {
    /// The policies without a column, by their names in rules.
    package static let named: [(name: String, policy: DuplicatePolicy)] = [
        ("first", .first), ("last", .last), ("none", .none),
    ]

    /// The name of a policy without a column.
    package var name: String? { Self.named.first { $0.policy == self }?.name }

    /// The column whose values decide, and whether the greatest value is preferred.
    package var column: (name: String, isDescending: Bool)? {
        switch self {
        case .first, .last, .none: nil
        case .max(let name): (name, true)
        case .min(let name): (name, false)
        }
    }

    /// The policy in words, for messages.
    package var text: String {
        if let name { return name }
        guard let column else { preconditionFailure("a policy has a name or a column") }
        return "{\(column.isDescending ? "max" : "min"): \(column.name)}"
    }
}

extension DuplicatePolicy: Codable {
    private enum Member: String, CodingKey { case max, min }

    public init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: Member.self) {
            guard members.allKeys.count == 1, let member = members.allKeys.first else {
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "expected 'max' or 'min'"))
            }
            let name = try members.decode(String.self, forKey: member)
            self = member == .max ? .max(name) : .min(name)
            return
        }
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let policy = Self.named.first(where: { $0.name == name })?.policy else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no policy is called '\(name)'")
        }
        self = policy
    }

    public func encode(to encoder: any Encoder) throws {
        guard let column else {
            var container = encoder.singleValueContainer()
            return try container.encode(name)
        }
        var container = encoder.container(keyedBy: Member.self)
        try container.encode(column.name, forKey: column.isDescending ? .max : .min)
    }
}
