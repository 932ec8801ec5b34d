/// Columns whose values must stand in another table, or elsewhere in the same one.
///
///     foreignKeys:                          ForeignKey(
///       - fields: customer_id                 fields: ["customer_id"],
///         reference:                          reference: .init(resource: "customers.csv", fields: ["id"]))
///           resource: customers.csv
///           fields: id
///
/// A description: plain data. Values compare as those of a ``Key`` do, and as values of this table's fields. A record that lacks
/// a part refers to nothing, which is allowed (SQL's MATCH SIMPLE).
/// Source: Table Schema v2, "foreignKeys" (<https://datapackage.org/standard/table-schema/#foreignKeys>).
public struct ForeignKey: Hashable, Sendable, Codable {
    /// What is referred to.
    public struct Reference: Hashable, Sendable, Codable {
        /// The path of a CSV or JSON Lines file, relative to the rule file; empty: the table itself.
        public var resource: String
        /// The names of its columns, as many as the key has.
        public var fields: [String]

        /// What is referred to.
        ///
        /// - Parameters:
        ///   - resource: the path of a file, relative to the rule file; empty: the table itself.
        ///   - fields: the names of its columns, as many as the key has.
        public init(resource: String = "", fields: [String]) {
            self.resource = resource
            self.fields = fields
        }

        /// Whether the table refers to itself.
        public var isOwnTable: Bool { resource.isEmpty }
    }

    /// The names of the columns that refer; one at least.
    public var fields: [String]
    /// What they refer to.
    public var reference: Reference
    /// The stable name that findings and the report have: `foreignKeys.1`.
    public var id: String

    /// A foreign key.
    ///
    /// - Parameters:
    ///   - fields: the names of the columns that refer; one at least.
    ///   - reference: what they refer to.
    ///   - number: which of the table's foreign keys it is, from 1.
    public init(fields: [String], reference: Reference, number: Int = 1) {
        self.fields = fields
        self.reference = reference
        id = "foreignKeys.\(number)"
    }
}
