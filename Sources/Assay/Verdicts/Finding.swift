/// One thing that is wrong with one record of a file.
public struct Finding: Hashable, Sendable, Codable {
    /// The number of the record, from 1, the header not counted.
    public var record: Int
    /// The physical line, from 1, on which the cell starts (the record, where there is no column).
    public var line: Int
    /// The byte offset in the file at which the cell starts (the record, where there is no column).
    public var offset: Int
    /// Where on its line the cell starts, in Unicode scalars from 1, as editors count; `nil`: nobody has counted.
    public var character: Int?
    /// The column's name; `nil` for structure and encoding, which are findings about the whole record.
    public var column: String?
    /// The column's position, from 1; `nil` for structure and encoding.
    public var position: Int?
    /// The rule's stable name, such as `email.pattern`.
    public var rule: String
    /// The kind of rule, such as `pattern`, `structure.fields` or `undecided`.
    public var code: String
    /// Whether the finding rejected the record.
    public var severity: Severity
    /// What is wrong, in plain English. It holds no value of the data.
    public var message: String
    /// The cell's text, only where it was asked for.
    public var value: String?
    /// The file, where several are one table; line and offset are its own.
    public var input: String?

    /// A finding of one's own, for code that adds to those of a run. The parameters are the properties.
    public init(
        record: Int, line: Int, offset: Int, column: String?, position: Int?, rule: String, code: String,
        severity: Severity, message: String, value: String? = nil, input: String? = nil, character: Int? = nil
    ) {
        self.record = record
        self.line = line
        self.offset = offset
        self.column = column
        self.position = position
        self.rule = rule
        self.code = code
        self.severity = severity
        self.message = message
        self.value = value
        self.input = input
        self.character = character
    }
}
