/// One failure of a rule in one record of a file.
public struct Finding: Hashable, Sendable, Codable {
    /// The number of the record, from 1, without the header.
    public var record: Int
    /// The physical line, from 1, on which the cell starts; without a column, that of the record.
    public var line: Int
    /// The byte offset in the file at which the cell starts; without a column, that of the record.
    public var offset: Int
    /// The position of the cell on its line, in Unicode scalars from 1, as in editors; `nil` if it was not counted.
    public var character: Int?
    /// The column's name; `nil` for findings about the whole record, such as structure and encoding.
    public var column: String?
    /// The column's position, from 1; `nil` for findings about the whole record.
    public var position: Int?
    /// The rule's stable name, such as `email.pattern`.
    public var rule: String
    /// The kind of rule, such as `pattern`, `structure.fields` or `undecided`.
    public var code: String
    /// Whether the finding rejected the record.
    public var severity: Severity
    /// A message in English. It does not contain the value.
    public var message: String
    /// The cell's text; `nil` unless requested.
    public var value: String?
    /// The file, if several files are one table. Line and offset then refer to that file.
    public var input: String?

    /// A finding for code that adds findings to those of a run. The parameters are the properties.
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
