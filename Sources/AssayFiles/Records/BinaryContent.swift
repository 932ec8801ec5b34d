internal import Assay
internal import CAssay

/// The bytes of a file that is not text, and whose format is not known: encrypted or compressed data, objects in memory.
///
/// Control characters are the evidence, because no encoding of text has many kinds of them. A file is not text if, of its first
/// 64 KiB,
///
/// - at least one byte in 20 is a control character that text does not have,
/// - of at least 12 kinds, because some exports use a few of them as delimiters or as padding,
/// - and at least one byte in 50 is not part of well-formed UTF-8.
///
/// Of random bytes, 26 of 256 are such control characters, so that 512 of them fulfil the conditions with a probability of
/// more than 99.99 % (binomial distribution). Fewer bytes than these are read as text, unless all of them are NUL, as in a file whose
/// content was lost. UTF-16 without a mark, in scripts whose
/// characters have every low byte, fulfils them as well, and must be named.
struct BinaryContent: Hashable, Sendable {
    /// The number of bytes that were looked at.
    let bytes: Int
    /// The number of them that are control characters.
    let controls: Int
    /// The number of different control characters.
    let kinds: Int

    private static let minBytes = 512
    private static let minKinds = 12

    /// - Returns: `nil` for bytes that may be text.
    /// - Complexity: O(bytes), and no more than one pass for text.
    init?(firstBytes bytes: ArraySlice<UInt8>) {
        let sample = bytes.prefix(1 << 16)
        // A mark of UTF-8 and line ends are not content.
        let content = sample.starts(with: [0xEF, 0xBB, 0xBF]) ? sample.dropFirst(3) : sample
        if content.contains(0) && content.allSatisfy({ $0 == 0 || $0 == 10 || $0 == 13 }) {
            (self.bytes, controls, kinds) = (sample.count, sample.count, 1)
            return
        }
        guard sample.count >= Self.minBytes else { return nil }
        var counts = [Int](repeating: 0, count: 256)
        for byte in sample { counts[Int(byte)] += 1 }
        let controls = Self.controls.map { counts[Int($0)] }.filter { $0 > 0 }
        (self.bytes, self.controls, kinds) = (sample.count, controls.reduce(0, +), controls.count)
        guard self.controls * 20 >= sample.count, kinds >= Self.minKinds,
            Self.illFormedBytes(sample) * 50 >= sample.count
        else { return nil }
    }

    /// The control characters of ASCII but those of text: tab, the ends of lines and pages, escape, and Ctrl-Z at the end.
    private static let controls = (UInt8(0)...0x1F).filter { ![9, 10, 11, 12, 13, 0x1A, 0x1B].contains($0) } + [0x7F]

    private static func illFormedBytes(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            var (position, count) = (0, 0)
            while position < bytes.count {
                position += assay_utf8_valid_prefix(bytes.baseAddress! + position, bytes.count - position)
                if position == bytes.count { break }
                position += 1
                count += 1
            }
            return count
        }
    }

    /// The error that refuses such a file.
    func error(for input: String) -> InputError {
        InputError(
            kinds == 1
                ? "\(printable(input)) is not text: \(bytes == 1 ? "its first byte is" : "its first \(grouped(bytes)) bytes are") NUL"
                : "\(printable(input)) is not text: \(plural(controls, "byte")) of its first \(grouped(bytes)) are control "
                    + "characters, of \(kinds) kinds",
            hint: InputError.encodingAdvice)
    }
}

extension InputError {
    /// Refuses a file whose first bytes are not text, before an encoding is guessed or decoded.
    ///
    /// A magic number overrules an encoding that was named, because no text has it. The share of control characters does not.
    /// Of an input that is read as it is, ``TableHead`` looks at the first bytes.
    ///
    /// - Parameters:
    ///   - bytes: the first bytes as they are in the file, unpacked.
    ///   - asked: the name of an encoding, or `auto`; `nil`: nobody has said.
    static func refuseBinary(_ bytes: [UInt8], of input: String, asked: String?, hasHeader: Bool) throws(InputError) {
        let isWide = TextEncoding.find(in: bytes, asked: nil, isAll: true).map { $0.origin != .usual } ?? false
        if asked == nil && !isWide { return }
        // `TableHead` refuses a format that text may have, unless another format was named.
        if let format = ForeignFormat(magicOf: bytes), !format.mayBeTable(bytes) {
            throw InputError(foreign: format, input: input, hasHeader: hasHeader)
        }
        if asked == TextEncoding.auto && !isWide, let content = BinaryContent(firstBytes: bytes[...]) {
            throw content.error(for: input)
        }
    }

    init(foreign format: ForeignFormat, input: String, isJSONLines: Bool = false, hasHeader: Bool) {
        self.init(
            "\(printable(input)) is \(format.name), not \(isJSONLines ? "JSON Lines" : "CSV")",
            remedy: .convert(format, hasHeader: hasHeader))
    }
}
