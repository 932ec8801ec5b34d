internal import Assay
internal import CAssay

/// The encoding of a text, with the origin of that knowledge.
public struct TextEncoding: Hashable, Sendable {
    /// The origin of the knowledge of an encoding.
    public enum Origin: String, Hashable, Sendable {
        /// The default, UTF-8.
        case usual
        /// A name in an option, a rule file or a data package.
        case given
        /// A byte order mark.
        case mark
        /// The bytes: NULs at the places where UTF-16 and UTF-32 have them, or, for `auto`, well-formed UTF-8.
        case bytes
        /// A guess from the words.
        case guess
        /// A guess was requested, but no encoding is certain enough. The text is read as UTF-8.
        case uncertain
    }

    /// The canonical name, such as `windows-1252` or `UTF-16LE`.
    public let name: String
    /// The origin of the knowledge.
    public let origin: Origin
    /// For a guess: the number of bytes above ASCII in the sample.
    public let evidence: Int
    /// For a guess: the number of distinct words with such bytes.
    public let words: Int
    /// The number of bytes of the byte order mark.
    let markBytes: Int

    init(_ name: String, _ origin: Origin, evidence: Int = 0, words: Int = 0, markBytes: Int = 0) {
        (self.name, self.origin, self.evidence) = (name, origin, evidence)
        (self.words, self.markBytes) = (words, markBytes)
    }

    static let utf8 = TextEncoding("UTF-8", .usual)

    /// Whether the text needs no conversion.
    package var isUTF8: Bool { name == "UTF-8" }

    /// The name that requests a guess.
    package static let auto = "auto"

    /// The byte order mark of the text; empty if it has none.
    var mark: [UInt8] { markBytes == 0 ? [] : Self.marks.first { $0.name == name }?.bytes ?? [] }

    /// Determines the encoding of a text from its first bytes.
    ///
    /// - Parameters:
    ///   - requested: A known name, or `auto`; `nil` if no encoding was named.
    ///   - isAll: Whether `bytes` is the complete text.
    /// - Returns: The encoding; `nil` if more bytes are needed.
    static func find(in bytes: [UInt8], requested: String?, isAll: Bool) -> TextEncoding? {
        if let requested, requested != auto, let name = Encodings.canonicalName(requested) {
            // "UTF-16" leaves the byte order to the mark.
            let isOpen = !["le", "be"].contains(requested.suffix(2).lowercased())
            let possible = marks.filter { isOpen ? $0.name.prefix(6) == name.prefix(6) : $0.name == name }
            if possible.isEmpty { return TextEncoding(name, .given) }
            if bytes.count < 4 && !isAll { return nil }
            guard let mark = possible.first(where: { bytes.starts(with: $0.bytes) }) else {
                return TextEncoding(name, .given)
            }
            return TextEncoding(mark.name, .given, markBytes: mark.bytes.count)
        }
        // A mark starts with FF, FE or NUL, and wide characters contain NULs.
        let first = bytes.prefix(4)
        if first.count < 2 && !isAll { return nil }
        let mayBeWide = first.contains(0) || [0xFF, 0xFE].contains(first.first ?? 0)
        if mayBeWide {
            if first.count < 4 && !isAll { return nil }
            if let mark = marks.first(where: { bytes.starts(with: $0.bytes) }) {
                return TextEncoding(mark.name, .mark, markBytes: mark.bytes.count)
            }
            if bytes.count < UnmarkedEncoding.sampleBytes && !isAll { return nil }
            if let name = UnmarkedEncoding.wide(bytes[...]) { return TextEncoding(name, .bytes) }
        }
        if requested == nil { return utf8 }
        if bytes.count < EncodingGuess.sampleBytes && !isAll { return nil }
        var sample = Array(bytes.prefix(EncodingGuess.sampleBytes))
        // A truncated character is removed, because it is not evidence.
        if !isAll || bytes.count >= EncodingGuess.sampleBytes {
            sample.removeLast(sample.reversed().prefix(4).prefix { $0 >= 0x80 }.count)
        }
        if let name = UnmarkedEncoding.wide(sample[...]) ?? UnmarkedEncoding.escaped(sample[...]) {
            return TextEncoding(name, .bytes)
        }
        if String(validating: sample, as: UTF8.self) != nil { return TextEncoding("UTF-8", .bytes) }
        return EncodingGuess(sample)?.encoding ?? TextEncoding("UTF-8", .uncertain)
    }

    /// The number of bytes that are compared with a named encoding.
    static let contradictionBytes = 1 << 16
    /// Whether the input may contradict this encoding: only a named single-byte encoding, which can decode any bytes.
    var canBeContradicted: Bool { origin == .given && !isUTF8 && assay_encoding_unit(name) == 1 && name != "US-ASCII" }

    /// Rejects an encoding that the first bytes of the input contradict: they have UTF-8's mark, or words that are
    /// well-formed UTF-8 and not words in the encoding. Decoding them would write `JosÃ©` for `José` without a finding.
    ///
    /// - Throws: ``InputError`` with the correction.
    func refuseContradiction(by bytes: [UInt8], of input: String) throws {
        guard canBeContradicted else { return }
        let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        var sample = bytes.prefix(Self.contradictionBytes)
        // The last character may be truncated.
        if bytes.count >= Self.contradictionBytes {
            sample.removeLast(sample.reversed().prefix(4).prefix { $0 >= 0x80 }.count)
        }
        let words = EncodingGuess.contradiction(of: name, by: sample)
        guard hasMark || words != nil else { return }
        let evidence =
            hasMark
            ? "it begins with the mark of UTF-8"
            : "\(plural(words ?? 0, "different word")) with characters that are not ASCII \(words == 1 ? "is" : "are") "
                + "well-formed UTF-8"
        throw InputError(
            "\(printable(input)) is UTF-8, not \(name): \(evidence)",
            override: .contradicted(name))
    }

    /// The byte order marks. UTF-32 is before UTF-16, because the mark of UTF-16LE is the start of that of UTF-32LE.
    private static let marks: [(name: String, bytes: [UInt8])] = [
        ("UTF-32LE", [0xFF, 0xFE, 0, 0]), ("UTF-32BE", [0, 0, 0xFE, 0xFF]), ("UTF-16LE", [0xFF, 0xFE]),
        ("UTF-16BE", [0xFE, 0xFF]),
    ]
}
