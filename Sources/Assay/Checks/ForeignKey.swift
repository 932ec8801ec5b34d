/// Columns with values that must exist in another table, or elsewhere in the same table.
///
///     foreignKeys:                          ForeignKey(
///       - fields: customer_id                 fields: ["customer_id"],
///         reference:                          reference: .init(resource: "customers.csv", fields: ["id"]))
///           resource: customers.csv
///           fields: id
///
/// A description: plain data. Values are compared like those of a ``Key``, as values of this table's fields. A record
/// in which a column of the key is missing is allowed and does not refer to a record (SQL's MATCH SIMPLE).
/// Source: Table Schema v2, "foreignKeys" (<https://datapackage.org/standard/table-schema/#foreignKeys>).
public struct ForeignKey: Hashable, Sendable, Codable {
    /// The referenced columns of a table.
    public struct Reference: Hashable, Sendable, Codable {
        /// The path of a CSV or JSON Lines file, relative to the rule file; empty for the table itself.
        public var resource: String
        /// The names of the referenced columns. Their number must be that of the key's columns.
        public var fields: [String]

        /// A reference to columns of a table.
        ///
        /// - Parameters:
        ///   - resource: The path of a file, relative to the rule file; empty for the table itself.
        ///   - fields: The names of the referenced columns, in the order of the key's columns.
        public init(resource: String = "", fields: [String]) {
            self.resource = resource
            self.fields = fields
        }

        /// Whether the table refers to itself.
        public var isOwnTable: Bool { resource.isEmpty }
    }

    /// The names of the referring columns, at least one.
    public var fields: [String]
    /// The referenced columns.
    public var reference: Reference
    /// The stable name in findings and reports, such as `foreignKeys.1`.
    public var id: String

    /// A foreign key.
    ///
    /// - Parameters:
    ///   - fields: The names of the referring columns, at least one.
    ///   - reference: The referenced columns.
    ///   - number: The position among the table's foreign keys, from 1.
    public init(fields: [String], reference: Reference, number: Int = 1) {
        self.fields = fields
        self.reference = reference
        id = "foreignKeys.\(number)"
    }
}
