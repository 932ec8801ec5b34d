/// How the bytes of a file are told apart into records and fields. The names are those of Table Dialect.
///
/// A description: plain data.
public struct Dialect: Hashable, Sendable, Codable {
    /// One ASCII byte. `nil`: nobody has said; then it is what the name of a file suggests, or else a comma.
    public var delimiter: UInt8?
    /// One ASCII byte, by default `"`. `nil`: quotes are data, and no field spans lines.
    public var quoteChar: UInt8?
    /// Whether the first record names the columns.
    public var header: Bool

    /// A dialect.
    ///
    /// - Parameters:
    ///   - delimiter: one ASCII character; `nil`: the one that the name of the file suggests, or a comma.
    ///   - quoteChar: one ASCII character; `nil`: quotes are ordinary text.
    ///   - header: whether the first record has the names of the columns.
    public init(delimiter: UInt8? = nil, quoteChar: UInt8? = UInt8(ascii: "\""), header: Bool = true) {
        self.delimiter = delimiter
        self.quoteChar = quoteChar
        self.header = header
    }

    /// The delimiter that records are read with.
    public var separator: UInt8 { delimiter ?? UInt8(ascii: ",") }

    /// The delimiter that the name of a file suggests.
    package static func delimiter(suggestedBy name: String) -> UInt8? {
        var name = name.lowercased()
        for packed in [".gz", ".gzip", ".bgz", ".zst", ".zstd"] where name.hasSuffix(packed) {
            name.removeLast(packed.count)
        }
        return name.hasSuffix(".tsv") ? UInt8(ascii: "\t") : nil
    }
}
