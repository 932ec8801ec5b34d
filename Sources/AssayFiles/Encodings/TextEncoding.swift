internal import Assay
internal import CAssay

/// The encoding that a text is in, and how that is known.
public struct TextEncoding: Hashable, Sendable {
    /// How it is known.
    public enum Origin: String, Hashable, Sendable {
        /// It is what text is in unless something else is known: UTF-8.
        case usual
        /// Somebody has said so.
        case given
        /// There is a byte order mark.
        case mark
        /// Its bytes show it: NULs where UTF-16 and UTF-32 have them, or, for `auto`, well-formed UTF-8.
        case bytes
        /// Its words suggest it.
        case guess
        /// A guess was asked for, and no encoding is certain enough: the text is read as UTF-8.
        case uncertain
    }

    /// Its usual name, such as `windows-1252` or `UTF-16LE`.
    public let name: String
    /// How it is known.
    public let origin: Origin
    /// Of a guess: the number of bytes above ASCII in the text that it is based on.
    public let evidence: Int
    /// Of a guess: the number of different words that have such bytes.
    public let words: Int
    /// How many bytes the byte order mark has.
    let markBytes: Int

    init(_ name: String, _ origin: Origin, evidence: Int = 0, words: Int = 0, markBytes: Int = 0) {
        (self.name, self.origin, self.evidence) = (name, origin, evidence)
        (self.words, self.markBytes) = (words, markBytes)
    }

    static let utf8 = TextEncoding("UTF-8", .usual)

    /// Whether the text is read as it is.
    package var isUTF8: Bool { name == "UTF-8" }

    /// What asks for a guess.
    package static let auto = "auto"

    /// The byte order mark that the text has.
    var mark: [UInt8] { markBytes == 0 ? [] : Self.marks.first { $0.name == name }?.bytes ?? [] }

    /// Finds the encoding of a text by its first bytes.
    ///
    /// - Parameters:
    ///   - asked: a name that is known, or `auto`; `nil`: nobody has said.
    ///   - isAll: whether no more bytes follow.
    /// - Returns: `nil` when more bytes are wanted.
    static func find(in bytes: [UInt8], asked: String?, isAll: Bool) -> TextEncoding? {
        if let asked, asked != auto, let name = Encodings.canonicalName(asked) {
            // "UTF-16" leaves the order of the bytes to the mark.
            let isOpen = !["le", "be"].contains(asked.suffix(2).lowercased())
            let possible = marks.filter { isOpen ? $0.name.prefix(6) == name.prefix(6) : $0.name == name }
            if possible.isEmpty { return TextEncoding(name, .given) }
            if bytes.count < 4 && !isAll { return nil }
            guard let mark = possible.first(where: { bytes.starts(with: $0.bytes) }) else {
                return TextEncoding(name, .given)
            }
            return TextEncoding(mark.name, .given, markBytes: mark.bytes.count)
        }
        // The first bytes of a mark, or a NUL among them.
        let first = bytes.prefix(4)
        if first.count < 2 && !isAll { return nil }
        let mayBeWide = first.contains(0) || [0xFF, 0xFE].contains(first.first ?? 0)
        if mayBeWide {
            if first.count < 4 && !isAll { return nil }
            if let mark = marks.first(where: { bytes.starts(with: $0.bytes) }) {
                return TextEncoding(mark.name, .mark, markBytes: mark.bytes.count)
            }
            if bytes.count < sampleOfNULs && !isAll { return nil }
            if let name = wideEncoding(bytes.prefix(sampleOfNULs)) { return TextEncoding(name, .bytes) }
        }
        if asked == nil { return utf8 }
        if bytes.count < EncodingGuess.sampleBytes && !isAll { return nil }
        var sample = Array(bytes.prefix(EncodingGuess.sampleBytes))
        // A character that is cut off says nothing.
        if !isAll || bytes.count >= EncodingGuess.sampleBytes {
            sample.removeLast(sample.reversed().prefix(4).prefix { $0 >= 0x80 }.count)
        }
        if String(validating: sample, as: UTF8.self) != nil { return TextEncoding("UTF-8", .bytes) }
        return EncodingGuess(sample)?.encoding ?? TextEncoding("UTF-8", .uncertain)
    }

    /// The number of bytes that are compared with an encoding that was named.
    static let contradictionBytes = 1 << 16
    /// Whether the input may contradict this encoding: a single-byte encoding that somebody has named, since any bytes can be
    /// decoded by it.
    var canBeContradicted: Bool { origin == .given && !isUTF8 && assay_encoding_unit(name) == 1 && name != "US-ASCII" }

    /// Refuses an encoding that the first bytes of the input contradict: they have the mark of UTF-8, or words that are well-formed
    /// UTF-8 and no words in the encoding. Decoding them would publish `JosÃ©` for `José` without a finding.
    ///
    /// - Throws: ``InputError``, with the correction.
    func refuseContradiction(by bytes: [UInt8], of input: String) throws {
        guard canBeContradicted else { return }
        let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        var sample = bytes.prefix(Self.contradictionBytes)
        // The last character may be cut off.
        if bytes.count >= Self.contradictionBytes {
            sample.removeLast(sample.reversed().prefix(4).prefix { $0 >= 0x80 }.count)
        }
        let words = EncodingGuess.contradiction(of: name, by: sample)
        guard hasMark || words != nil else { return }
        let evidence =
            hasMark
            ? "it begins with the mark of UTF-8"
            : "\(plural(words ?? 0, "different word")) with characters above ASCII \(words == 1 ? "is" : "are") well-formed UTF-8"
        throw InputError(
            "\(printable(input)) is UTF-8, not \(name): \(evidence)",
            hint:
                "name no encoding, or --encoding UTF-8; the rules or the data package may name one, too; to read it as \(name), add "
                + "--trust-encoding, or trustEncoding: true to the dialect")
    }

    /// UTF-32 before UTF-16, whose little-endian mark is the first half of the other.
    private static let marks: [(name: String, bytes: [UInt8])] = [
        ("UTF-32LE", [0xFF, 0xFE, 0, 0]), ("UTF-32BE", [0, 0, 0xFE, 0xFF]), ("UTF-16LE", [0xFF, 0xFE]),
        ("UTF-16BE", [0xFE, 0xFF]),
    ]

    private static let sampleOfNULs = 200

    /// Without a mark: of text in Latin letters every other byte is NUL, or three of four are.
    private static func wideEncoding(_ sample: ArraySlice<UInt8>) -> String? {
        func share(_ part: Int, of unit: Int) -> Double {
            let places = stride(from: part, to: sample.count, by: unit)
            let count = (sample.count - part + unit - 1) / unit
            return count == 0 ? 0 : Double(places.count { sample[$0] == 0 }) / Double(count)
        }
        guard sample.count >= 6 else { return nil }
        if share(1, of: 4) > 0.9 && share(2, of: 4) > 0.9 {
            if share(0, of: 4) == 0 && share(3, of: 4) > 0.9 { return "UTF-32LE" }
            if share(3, of: 4) == 0 && share(0, of: 4) > 0.9 { return "UTF-32BE" }
        }
        if share(1, of: 2) > 0.9 && share(0, of: 2) == 0 { return "UTF-16LE" }
        return share(0, of: 2) > 0.9 && share(1, of: 2) == 0 ? "UTF-16BE" : nil
    }
}
