internal import CAssay

/// A compiled PCRE2 pattern.
///
///     let date = try Pattern(#"\d{4}-\d{2}-\d{2}"#)
///     date.matches("2024-02-29")          // true
///     date.matches("2024-02-29\n")        // false: the whole value must match
///     date.verdicts(for: millionStrings)  // a bit mask, on all processors
///
/// The whole value must match, as with `MATCHES` of `NSPredicate`; ask for ``Options/search`` otherwise. The pattern is
/// compiled to machine code (JIT) where the host allows that and runs on PCRE2's interpreter, with the same verdicts,
/// where it does not.
///
/// Immutable and shared freely between threads. To compile the same text only once, ask a ``PatternCache``.
///
/// Source: PCRE2's `pcre2pattern`, `pcre2api` and `pcre2jit` pages.
public final class Pattern: Sendable {
    /// Which of PCRE2's two matchers to use.
    public enum Engine: String, Hashable, Sendable, Codable {
        /// Machine code where the host allows it, else the interpreter.
        case jit
        /// The interpreter, everywhere. Slower, same verdicts.
        case interpreter
    }

    public let source: String
    public let options: Options

    /// What PCRE2 has compiled: ``source``, or its translation from another ``Dialect-swift.enum``.
    public let pcre2Source: String

    /// The options that the C core has been given.
    let coreOptions: UInt32

    /// The engine this pattern really runs on: `interpreter` also where JIT was asked for and could not be had.
    public let engine: Engine

    /// The size of the machine code in bytes; 0 on the interpreter.
    public let jitSize: Int

    // SAFETY: the compiled pattern is never written after `init`; JIT compilation happens inside assay_pattern_create,
    // before anyone else can hold the pointer (pcre2api, "Multithreading").
    nonisolated(unsafe) let handle: OpaquePointer

    /// Compiles a pattern.
    ///
    /// - Parameters:
    ///   - dialect: whose words the pattern is written in; the same as ``Options/icuCompatible`` among the options.
    ///   - engine: ``Engine/interpreter`` to do without JIT.
    ///   - maxBytes: the longest pattern accepted, in bytes.
    /// - Throws: ``CompileError`` with the byte offset and PCRE2's own words. Refused besides what PCRE2 refuses: `\C`,
    ///   callouts, and a leading `(*…)` that would change encoding, newline, limits or engine.
    /// - Complexity: some 20–150 µs for patterns of everyday size, bounded by `maxBytes`.
    public init(
        _ source: String, dialect: Dialect = .pcre2, options: Options = [], engine: Engine = .jit,
        maxBytes: Int = 10_000
    ) throws(CompileError) {
        if source.utf8.count > maxBytes {
            throw CompileError(
                part: .pattern,
                message:
                    "the pattern has \(source.utf8.count) bytes, more than the limit of \(maxBytes) (pattern-bytes)")
        }
        let options = dialect == .icuCompatible ? options.union(.icuCompatible) : options
        let translation = options.contains(.icuCompatible) ? try ICUTranslation(of: source, options: options) : nil
        // The flags of a translated pattern are part of its text, but for the case of letters and where it may match.
        let coreOptions = (translation == nil ? options : options.intersection([.caseInsensitive, .search])).rawValue
        var text = translation?.text ?? source
        var error = assay_error()
        let bits = coreOptions | (engine == .interpreter ? UInt32(ASSAY_PATTERN_NO_JIT) : 0)
        let maxTextBytes = translation == nil ? maxBytes : ICUTranslation.maxBytes
        let handle = text.withUTF8 { bytes in
            assay_pattern_create(bytes.cBase, bytes.count, bits, maxTextBytes, &error)
        }
        guard let handle else {
            var error = CompileError(error, part: .pattern)
            error.offset = error.offset.map { translation?.sourceOffset(ofResult: $0) ?? $0 }
            throw error
        }
        pcre2Source = text
        self.coreOptions = coreOptions
        self.source = source
        self.options = options
        self.handle = handle
        jitSize = assay_pattern_jit_size(handle)
        self.engine = jitSize > 0 ? .jit : .interpreter
    }

    deinit { assay_pattern_free(handle) }

    /// A pattern written in source code.
    ///
    /// - Precondition: the pattern compiles. It is the programmer's own text, so a mistake in it is a bug.
    public static func literal(_ source: StaticString, options: Options = []) -> Pattern {
        do {
            return try Pattern("\(source)", options: options)
        } catch {
            preconditionFailure("the pattern \(source) does not compile: \(error)")
        }
    }

    /// Whether the value matches. A value that a limit left ``Verdict/undecided`` does not.
    public func matches(_ value: String) -> Bool { verdict(of: value) == .pass }

    /// Judges one value under the default ``MatchLimits``. Thread-safe; allocates nothing.
    public func verdict(of value: String) -> Verdict { withUTF8(of: value, verdict) }

    /// Judges one value under the default ``MatchLimits``. Thread-safe; allocates nothing.
    public func verdict(of value: Substring) -> Verdict { withUTF8(of: value, verdict) }

    private func verdict(_ bytes: UnsafeBufferPointer<UInt8>) -> Verdict {
        withThreadScratch { scratch in
            Verdict(assay_pattern_match(handle, scratch, bytes.cBase, bytes.count))
        }
    }
}

extension Pattern: Hashable {
    /// Equal patterns judge alike: same text, same options, same engine.
    public static func == (one: Pattern, other: Pattern) -> Bool {
        one === other
            || (one.source.utf8.elementsEqual(other.source.utf8) && one.options == other.options
                && one.engine == other.engine)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(source))
        hasher.combine(options)
    }
}
