internal import Assay
internal import CDigest

/// The identity of findings across runs.
struct Fingerprint {
    private var seen: [ByteEqualString: Int] = [:]

    /// Returns 32 hexadecimal digits, derived from the file, the rule, the column and the number of the record, so that
    /// they are equal in each run over the same file. Values are excluded, because guesses of a value could be verified
    /// with the digits. Duplicates are numbered from the second on.
    mutating func of(file: String, rule: String, column: String?, record: Int) -> String {
        let text = [file, rule, column ?? "", String(record)].joined(separator: "\0")
        let number = seen[ByteEqualString(text), default: 0]
        seen[ByteEqualString(text)] = number + 1
        return Self.digest(number == 0 ? text : text + "\0\(number)")
    }

    private static func digest(_ text: String) -> String {
        var sum = digest_begin(DIGEST_SHA256)
        let bytes = Array(text.utf8)
        digest_add(&sum, bytes, bytes.count)
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { result in
            result.initialize(repeating: 0)
            _ = digest_end(&sum, result.baseAddress)
            let letters = Array("0123456789abcdef".utf8)
            return String(
                decoding: result.prefix(16).flatMap { [letters[Int($0 >> 4)], letters[Int($0 & 15)]] }, as: UTF8.self)
        }
    }
}
