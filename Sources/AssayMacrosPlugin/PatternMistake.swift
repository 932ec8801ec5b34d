internal import CAssay

/// An error of PCRE2 or Assay for a pattern. It comes from the library's own function, so both reject the same
/// patterns.
struct PatternMistake {
    let message: String

    /// The position in bytes of the pattern.
    let offset: Int

    /// Returns `nil` if the pattern compiles on every host, with and without JIT.
    init?(in pattern: [UInt8], options: PatternOptions) {
        if let error = Self.error(in: pattern, options.bits) {
            message = "this pattern does not compile: \(error.text)"
            offset = error.offset
        } else if let error = Self.error(in: pattern, options.bits | UInt32(ASSAY_PATTERN_NO_JIT)) {
            message = "this pattern would not compile on every host: \(error.text)"
            offset = error.offset
        } else {
            return nil
        }
    }

    private static func error(in pattern: [UInt8], _ bits: UInt32) -> (text: String, offset: Int)? {
        var error = assay_error()
        // One additional byte, because PCRE2 requires an address even for length 0.
        let compiled = (pattern + [0]).withUnsafeBufferPointer { bytes in
            assay_pattern_create(bytes.baseAddress!, pattern.count, bits, 0, &error)
        }
        guard compiled == nil else {
            assay_pattern_free(compiled)
            return nil
        }
        let text = withUnsafeBytes(of: error.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return (text, error.offset)
    }
}
