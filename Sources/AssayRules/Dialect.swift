internal import Assay

/// How the bytes of a file are told apart into records and fields. The names are those of Table Dialect.
///
/// A description: plain data.
public struct Dialect: Hashable, Sendable, Codable {
    /// One ASCII byte, or the first of two. `nil`: nobody has said; then it is what the name of a file suggests, what the first
    /// records show, or else a comma.
    public var delimiter: UInt8?
    /// The second byte of a delimiter of two, such as `||`; `nil`: it has one.
    public var secondDelimiter: UInt8?
    /// One ASCII byte, by default `"`. `nil`: quotes are data, and no field spans lines.
    public var quoteChar: UInt8?
    /// One ASCII byte that makes the byte after it data, such as MySQL's backslash; `nil`: there is none.
    public var escapeChar: UInt8?
    /// One ASCII byte that lines begin with which are no records; `nil`: there are none.
    public var commentChar: UInt8?
    /// Whether spaces and tabs before a field, and after a closing quote, are no part of its text.
    public var skipInitialSpace: Bool
    /// How many lines stand above the table.
    public var skip: Int
    /// Whether records come after a header.
    public var header: Bool
    /// Which records name the columns, from 1, in ascending order.
    public var headerRows: [Int]
    /// What stands between the parts of a name that comes of several records.
    public var headerJoin: String
    /// What becomes of a record with more fields than the header has names.
    public var extraFields: ExtraFields
    /// Whether a record or the header may end with a delimiter: one more field, which is empty.
    public var trailingDelimiter: Bool
    /// How blank lines are read.
    public var blankLines: BlankLines
    /// Whether `reject` was named, which includes the blank lines after the last record.
    public var rejectsLastBlankLines: Bool
    /// The bytes that end records; `nil`: LF and CR LF, or a bare CR if the first terminator of the file is one.
    public var lineTerminator: LineTerminator?
    /// The encoding of the file, such as `windows-1252`, or `auto`; `nil`: UTF-8, unless its bytes show UTF-16 or UTF-32.
    public var encoding: String?
    /// Whether a named single-byte encoding is used even if the first bytes are well-formed UTF-8, which is an error otherwise.
    public var trustEncoding: Bool

    /// What becomes of a record with more fields than the header has names.
    public enum ExtraFields: String, Hashable, Sendable, Codable, CaseIterable {
        /// It is rejected.
        case reject
        /// It is judged by the fields that have a name.
        case keep
    }

    /// The bytes that end records.
    public enum LineTerminator: String, Hashable, Sendable, Codable, CaseIterable {
        /// LF and CR LF. A bare CR is data.
        case lf
        /// LF, CR LF and a bare CR.
        case cr
    }

    /// How lines without any bytes are read.
    public enum BlankLines: String, Hashable, Sendable, Codable, CaseIterable {
        /// As records with one empty field. Those after the last record are kept, unless the table has a single column or
        /// ``Dialect/rejectsLastBlankLines`` is true.
        case reject
        /// As comments, which stay in place among the clean records.
        case keep
        /// They are counted and left out.
        case skip
    }

    /// A dialect.
    ///
    /// - Parameters:
    ///   - delimiter: one ASCII character; `nil`: the one that the file suggests, or a comma.
    ///   - quoteChar: one ASCII character; `nil`: quotes are ordinary text.
    ///   - header: whether the first record has the names of the columns.
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

    /// The delimiter that records are read with, or its first byte.
    public var separator: UInt8 { delimiter ?? UInt8(ascii: ",") }

    /// All bytes of that delimiter.
    public var separatorBytes: [UInt8] { [separator] + (secondDelimiter.map { [$0] } ?? []) }

    /// The delimiter, where somebody has said which it is.
    var delimiters: [UInt8?] {
        get { [delimiter, secondDelimiter] }
        set { (delimiter, secondDelimiter) = (newValue[0], newValue[1]) }
    }

    /// The delimiter as messages and files name it: `tab`, or the characters themselves.
    package var spelledSeparator: String {
        separatorBytes == [UInt8(ascii: "\t")] ? "tab" : String(decoding: separatorBytes, as: UTF8.self)
    }

    /// Sets the delimiter: one ASCII character, two, `space`, or the tab in one of its spellings. `false`: it is none of these.
    package mutating func setDelimiter(_ text: String) -> Bool {
        let bytes = Array((["tab", "TAB", "\\t"].contains(text) ? "\t" : text == "space" ? " " : text).utf8)
        guard (1...2).contains(bytes.count), bytes.allSatisfy({ $0 < 0x80 && $0 != 10 && $0 != 13 && $0 != 0 }) else {
            return false
        }
        delimiter = bytes[0]
        secondDelimiter = bytes.count > 1 ? bytes[1] : nil
        return true
    }

    /// Two characters that mean two things at once; `nil`: there are none.
    package var conflict: String? {
        // A comma is a delimiter unless somebody says otherwise; that lines may begin with one says so.
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

    /// Whether a bare CR ends records; `nil`: the first terminator of the file decides.
    package var endsAtCR: Bool? { lineTerminator.map { $0 == .cr } }

    /// Whether lines between records may be comments, or blank lines that are not records.
    package var hasLinesBetweenRecords: Bool { commentChar != nil || blankLines != .reject }

    /// The delimiter that the name of a file suggests.
    package static func delimiter(suggestedBy name: String) -> UInt8? {
        var name = name.lowercased()
        for packed in [".gz", ".gzip", ".bgz", ".zst", ".zstd"] where name.ends(withBytesOf: packed) {
            name = String(Substring(name.utf8.dropLast(packed.utf8.count)))
        }
        return name.ends(withBytesOf: ".tsv") ? UInt8(ascii: "\t") : nil
    }
}
