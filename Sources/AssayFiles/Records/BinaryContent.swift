internal import Assay
internal import CAssay

/// The bytes of a file in an unknown format that is not text, such as encrypted or compressed data.
///
/// Control characters are the criterion, because text in any encoding has only a few kinds. A file is not text if,
/// among its first 64 KiB,
///
/// - at least one byte in 20 is a control character that text does not have,
/// - they are of at least 12 kinds, because some exports use a few as delimiters or as padding,
/// - and at least one byte in 50 is not part of well-formed UTF-8.
///
/// 26 of 256 random byte values are such control characters, so that 512 random bytes meet the conditions with a
/// probability of more than 99.99 % (binomial distribution). Fewer bytes are read as text, unless all are NUL, as in a
/// file that lost its content. UTF-16 without a mark also meets the conditions in scripts with characters for every low
/// byte, so its encoding must be named.
struct BinaryContent: Hashable, Sendable {
    /// The number of examined bytes.
    let bytes: Int
    /// The number of control characters among these bytes.
    let controls: Int
    /// The number of different control characters.
    let kinds: Int

    private static let minBytes = 512
    private static let minKinds = 12

    /// - Returns: `nil` if the bytes may be text.
    /// - Complexity: O(bytes), with at most one pass for text.
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

    /// The ASCII control characters except those of text: tab, line and page ends, escape, and a Ctrl-Z at the end.
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

    /// Returns the error for such a file.
    func error(for input: String) -> InputError {
        var error = InputError(
            kinds == 1
                ? "\(printable(input)) is not text: "
                    + "\(bytes == 1 ? "its first byte is" : "its first \(grouped(bytes)) bytes are") NUL"
                : "\(printable(input)) is not text: \(plural(controls, "byte")) of its first \(grouped(bytes)) are "
                    + "control "
                    + "characters, of \(kinds) kinds")
        error.override = .encoding
        return error
    }
}

extension InputError {
    /// Refuses a file with first bytes that are not text, before an encoding is guessed or decoded.
    ///
    /// A magic number overrides a named encoding, because it cannot be text. The share of control characters does not.
    /// For input that is read without decoding, ``TableHead`` examines the first bytes.
    ///
    /// - Parameters:
    ///   - bytes: The first bytes of the file after decompression.
    ///   - requested: The name of an encoding, or `auto`. `nil` if the user named no encoding.
    static func refuseBinary(_ bytes: [UInt8], of input: String, requested: String?, hasHeader: Bool) throws(InputError)
    {
        let isWide = TextEncoding.find(in: bytes, requested: nil, isAll: true).map { $0.origin != .usual } ?? false
        if requested == nil && !isWide { return }
        // `TableHead` refuses a format that text may have, unless another format was named.
        if let format = ForeignFormat(magicOf: bytes), !format.mayBeTable(bytes) {
            throw InputError(foreign: format, input: input, hasHeader: hasHeader)
        }
        if requested == TextEncoding.auto && !isWide, let content = BinaryContent(firstBytes: bytes[...]) {
            throw content.error(for: input)
        }
    }

    init(foreign format: ForeignFormat, input: String, isJSONLines: Bool = false, hasHeader: Bool) {
        self.init(
            "\(printable(input)) is \(format.name), not \(isJSONLines ? "JSON Lines" : "CSV")",
            remedy: .convert(format, hasHeader: hasHeader))
    }
}
