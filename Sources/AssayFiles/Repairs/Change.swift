/// One cell of the clean records that repairs changed.
public struct Change: Hashable, Sendable, Codable {
    /// The number of the record in the table, from 1.
    public var record: Int
    /// The line of the record in the file, from 1.
    public var line: Int
    /// The offset of the cell in the file, in bytes.
    public var offset: Int
    /// The name of the column.
    public var column: String
    /// The repairs that changed the cell, in order.
    public var repairs: [String]
    /// The cell in the input, including its quotes.
    public var before: String
    /// The cell in the clean records.
    public var after: String
    /// The file. `nil` if the table has only one.
    public var input: String?
}
