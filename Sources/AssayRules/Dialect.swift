internal import Assay

/// The syntax of records and fields in the bytes of a file. The names are those of Table Dialect.
///
/// A description: plain data. It is as flat as a Table Dialect.
public struct Dialect: Hashable, Sendable, Codable {
    /// One ASCII byte, or the first of two. `nil` detects the delimiter: by the file name, then by the first records.
    /// The default is a comma.
    public var delimiter: UInt8?
    /// The second byte of a two-byte delimiter such as `||`, or `nil`.
    public var secondDelimiter: UInt8?
    /// One ASCII byte, by default `"`. If it is `nil`, quotes are data, and no field spans lines.
    public var quoteChar: UInt8?
    /// One ASCII byte that makes the next byte data, such as MySQL's backslash, or `nil`.
    public var escapeChar: UInt8?
    /// One ASCII byte at the start of lines that are comments, or `nil`.
    public var commentChar: UInt8?
    /// Whether spaces and tabs before a field, and after a closing quote, are excluded from its text.
    public var skipInitialSpace: Bool
    /// The number of lines above the table.
    public var skip: Int
    /// Whether the table has a header.
    public var header: Bool
    /// The numbers of the records that name the columns, from 1, in ascending order.
    public var headerRows: [Int]
    /// The separator between the parts of a column name that spans several records.
    public var headerJoin: String
    /// The treatment of records with more fields than the header.
    public var extraFields: ExtraFields
    /// Whether a record or the header may end with a delimiter, that is, with an additional empty field.
    public var trailingDelimiter: Bool
    /// The treatment of blank lines.
    public var blankLines: BlankLines
    /// Whether `reject` was named explicitly, which includes the blank lines after the last record.
    public var rejectsLastBlankLines: Bool
    /// The bytes that end records. `nil` means LF and CR LF, or a bare CR if the first terminator of the file is one.
    public var lineTerminator: LineTerminator?
    /// The encoding of the file, such as `windows-1252`, or `auto`. `nil` means UTF-8, unless the bytes indicate UTF-16
    /// or UTF-32.
    public var encoding: String?
    /// Whether to use a named single-byte encoding even if the first bytes are well-formed UTF-8, which is an error
    /// otherwise.
    public var trustEncoding: Bool

    /// The treatment of records with more fields than the header.
    public enum ExtraFields: String, Hashable, Sendable, Codable, CaseIterable {
        /// The record is rejected.
        case reject
        /// Only the fields that have a name are checked.
        case keep
    }

    /// The bytes that end records.
    public enum LineTerminator: String, Hashable, Sendable, Codable, CaseIterable {
        /// LF and CR LF. A bare CR is data.
        case lf
        /// LF, CR LF and a bare CR.
        case cr
    }

    /// The treatment of lines without any bytes.
    public enum BlankLines: String, Hashable, Sendable, Codable, CaseIterable {
        /// Blank lines are records with one empty field. Those after the last record are kept, unless the table has a
        /// single column or ``Dialect/rejectsLastBlankLines`` is true.
        case reject
        /// Blank lines are comments, which keep their places among the clean records.
        case keep
        /// Blank lines are counted and left out.
        case skip
    }

    /// Creates a dialect.
    ///
    /// - Parameters:
    ///   - delimiter: One ASCII character; `nil` detects it.
    ///   - quoteChar: One ASCII character; `nil` makes quotes ordinary text.
    ///   - header: Whether the first record names the columns.
    public init(delimiter: UInt8? = nil, quoteChar: UInt8? = UInt8(ascii: "\""), header: Bool = true) {
        self.delimiter = delimiter
        self.quoteChar = quoteChar
        self.header = header
        (secondDelimiter, escapeChar, commentChar, encoding) = (nil, nil, nil, nil)
        lineTerminator = nil
        skipInitialSpace = false
        skip = 0
        headerRows = [1]
        headerJoin = " "
        extraFields = .reject
        trailingDelimiter = false
        trustEncoding = false
        blankLines = .reject
        rejectsLastBlankLines = false
    }

    /// The delimiter for reading records, or its first byte.
    public var separator: UInt8 { delimiter ?? UInt8(ascii: ",") }

    /// All bytes of the delimiter.
    public var separatorBytes: [UInt8] { [separator] + (secondDelimiter.map { [$0] } ?? []) }

    /// The delimiter, if it is set.
    var delimiters: [UInt8?] {
        get { [delimiter, secondDelimiter] }
        set { (delimiter, secondDelimiter) = (newValue[0], newValue[1]) }
    }

    /// The delimiter in messages and files: `tab`, or the characters themselves.
    package var spelledSeparator: String {
        separatorBytes == [UInt8(ascii: "\t")] ? "tab" : String(decoding: separatorBytes, as: UTF8.self)
    }

    /// Sets the delimiter: one ASCII character, two, `space`, or a spelling of tab. Returns `false` if the text is
    /// invalid.
    package mutating func setDelimiter(_ text: String) -> Bool {
        let bytes = Array((["tab", "TAB", "\\t"].contains(text) ? "\t" : text == "space" ? " " : text).utf8)
        guard (1...2).contains(bytes.count), bytes.allSatisfy({ $0 < 0x80 && $0 != 10 && $0 != 13 && $0 != 0 }) else {
            return false
        }
        delimiter = bytes[0]
        secondDelimiter = bytes.count > 1 ? bytes[1] : nil
        return true
    }

    /// A description of a byte with two conflicting meanings, or `nil`.
    package var conflict: String? {
        // The default delimiter is a comma, except if the comma is the comment character.
        let isComma = delimiter == nil && commentChar != UInt8(ascii: ",")
        let bytes: [(String, UInt8?)] = [
            ("delimiter", isComma ? separator : delimiter), ("quote", quoteChar), ("escape", escapeChar),
            ("comment", commentChar),
        ]
        for (index, one) in bytes.enumerated() {
            guard let byte = one.1 else { continue }
            if let other = bytes[..<index].first(where: { $0.1 == byte }) {
                return "the \(other.0) and the \(one.0) are the same character"
            }
        }
        let others = [quoteChar, escapeChar].compactMap(\.self)
        return secondDelimiter.map(others.contains) ?? false ? "the delimiter contains the quote or the escape" : nil
    }

    /// Whether a bare CR ends records. If it is `nil`, the first terminator of the file decides.
    package var endsAtCR: Bool? { lineTerminator.map { $0 == .cr } }

    /// Whether lines between records may be comments, or blank lines that are not records.
    package var hasLinesBetweenRecords: Bool { commentChar != nil || blankLines != .reject }

    /// Returns the delimiter that the ending of a file name implies.
    package static func delimiter(suggestedBy name: String) -> UInt8? {
        var name = name.lowercased()
        for packed in [".gz", ".gzip", ".bgz", ".zst", ".zstd"] where name.ends(withBytesOf: packed) {
            name = String(Substring(name.utf8.dropLast(packed.utf8.count)))
        }
        return name.ends(withBytesOf: ".tsv") ? UInt8(ascii: "\t") : nil
    }
}
