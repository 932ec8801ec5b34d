/// One cell that repairs changed, as the clean rows have it.
public struct Change: Hashable, Sendable, Codable {
    /// The number of the record in the table, from 1.
    public var record: Int
    /// The line of the file it stands on, from 1.
    public var line: Int
    /// Where in the file the cell began, in bytes.
    public var offset: Int
    /// The name of its column.
    public var column: String
    /// The repairs that changed it, in order.
    public var repairs: [String]
    /// The cell as it stood in the file, its quotes included.
    public var before: String
    /// What stands in the clean rows instead.
    public var after: String
    /// The file; `nil`: the table has only one.
    public var input: String?
}
