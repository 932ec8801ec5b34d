internal import CAssay

/// A compiled PCRE2 pattern.
///
///     let date = try Pattern(#"\d{4}-\d{2}-\d{2}"#)
///     date.matches("2024-02-29")          // true
///     date.matches("2024-02-29\n")        // false: the whole value must match
///     date.verdicts(for: millionStrings)  // a bit mask, on all processors
///
/// The whole value must match, as with `MATCHES` of `NSPredicate`, unless ``Options/search`` is set. Regular patterns
/// become a DFA. Other patterns are compiled to machine code (JIT) if the host allows it, and otherwise run on PCRE2's
/// interpreter. The verdicts are the same.
///
/// Immutable and shared freely between threads. Use a ``PatternCache`` to compile each text only once.
///
/// Source: PCRE2's `pcre2pattern`, `pcre2api` and `pcre2jit` pages.
public final class Pattern: Sendable {
    /// The engine that checks values, fastest first. A requested engine is replaced by the next one if it is not
    /// available. The verdicts are the same, except that the later engines may leave an expensive value
    /// ``Verdict/undecided``.
    public enum Engine: String, Hashable, Sendable, Codable, CaseIterable {
        /// A DFA, for patterns of a regular subset. It takes linear time and checks several values at once. It leaves
        /// values that it cannot decide to the next engine.
        case dfa
        /// PCRE2's machine code.
        case jit
        /// Only PCRE2's interpreter.
        case interpreter
    }

    /// The text of the pattern, as passed to `init`.
    public let source: String
    /// The options, as passed to `init`.
    public let options: Options

    /// The pattern that PCRE2 has compiled: ``source``, or its translation from another ``Dialect-swift.enum``.
    public let pcre2Source: String

    /// The options that were passed to the C core.
    let coreOptions: UInt32

    /// The actual engine of this pattern, which may follow the requested one. Constructs the ``dfa``.
    public var engine: Engine { Engine(running: handle) }

    /// The size of PCRE2's machine code in bytes; 0 if PCRE2 uses its interpreter. PCRE2 makes the machine code on the
    /// first access to this property, or once it has checked about a kilobyte of values.
    public var jitSize: Int { assay_pattern_jit_size(handle) }

    /// The reason why PCRE2 did not produce machine code, such as "the pattern is too large for JIT"; `nil` if it did.
    public var jitRefusal: String? { assay_pattern_jit_refusal(handle).map { String(cString: $0) } }

    /// The DFA of this pattern, or the reason why it has no DFA. It is constructed by the first access to this
    /// property, or after about two thousand checked values. Until then, PCRE2 checks the values.
    ///
    /// - Complexity: On the first access, some 100 µs for typical patterns, up to milliseconds with classes of all
    ///   letters.
    public var dfa: DFA { DFA(assay_pattern_get_dfa(handle)) }

    /// The verdict on a value, and the maximum number of ticks that PCRE2 took; 0 if a DFA checked it. The result is
    /// the same each time, because the plan of the pattern is made first.
    func countedVerdict(of value: String) -> (verdict: Verdict, ticks: Int) {
        _ = assay_pattern_get_dfa(handle)
        var ticks: UInt64 = 0
        let verdict = withUTF8(of: value) { value in
            withThreadScratch { scratch in
                Verdict(assay_pattern_match_counting(handle, scratch, value.cBase, value.count, &ticks))
            }
        }
        return (verdict, Int(clamping: ticks))
    }

    /// The filter of a search, in a few words such as "bytes that each match has (Teddy)"; nil if it has no filter.
    ///
    /// - Complexity: as for ``dfa``.
    public var prefilter: String? { assay_pattern_prefilter(handle).map { String(cString: $0) } }

    /// The engines that check values first, by length, and the engine for columns: "DFA up to 24 bytes, …".
    package var plan: String { Self.plan(of: handle) }

    /// Returns the plan of a compiled pattern of the C core; see ``plan``.
    static func plan(of handle: OpaquePointer) -> String {
        let plan = assay_pattern_get_plan(handle)
        guard let short = plan.for_short, let middle = plan.for_middle, let long = plan.for_long,
            let columns = plan.for_columns
        else { return "not made: out of memory" }
        var ranges: [(engine: String, end: String)] = [
            (String(cString: short), " up to \(plan.short_max) bytes"),
            (String(cString: middle), " up to \(plan.middle_max) bytes"), (String(cString: long), " above"),
        ]
        for index in ranges.indices.dropLast().reversed() where ranges[index].engine == ranges[index + 1].engine {
            ranges.remove(at: index)
        }
        let values = ranges.count == 1 ? ranges[0].engine : ranges.map { $0.engine + $0.end }.joined(separator: ", ")
        return "\(values); columns: \(String(cString: columns))"
    }

    /// The DFA that checks a pattern's values before PCRE2.
    public enum DFA: Hashable, Sendable {
        /// A DFA with this number of states.
        case states(Int)
        /// A lazy DFA: each thread constructs states from an NFA of this many instructions when a value needs them.
        /// `because` is the reason why not all states are constructed in advance, in a few words.
        case lazy(instructions: Int, because: String)
        /// No DFA. `because` is the reason in a few words, and `offset` the byte of ``Pattern/pcre2Source`` that it
        /// concerns.
        case none(because: String, offset: Int)
    }

    // SAFETY: the compiled pattern is never written after `init`, except for its DFA, which assay_pattern publishes
    // once. JIT compilation is part of assay_pattern_create, which completes before another thread can see the pointer
    // (pcre2api, "Multithreading").
    nonisolated(unsafe) let handle: OpaquePointer

    /// Compiles a pattern.
    ///
    /// - Parameters:
    ///   - dialect: The syntax of the pattern; as of ``Pattern/dialect-swift.property``.
    ///   - engine: The first engine to try.
    ///   - maxBytes: The maximum length of the pattern in bytes.
    /// - Throws: ``CompileError`` with the byte offset and PCRE2's message. In addition to invalid patterns, it refuses
    ///   `\C`, callouts, and a leading `(*…)` that changes encoding, newlines, limits or the engine.
    /// - Complexity: Some 10–120 µs for typical patterns, several hundred with classes of all letters; bounded by
    ///   `maxBytes`.
    public init(
        _ source: String, dialect: Dialect = .pcre2, options: Options = [], engine: Engine = .dfa,
        maxBytes: Int = 10_000
    ) throws(CompileError) {
        if source.utf8.count > maxBytes {
            throw CompileError(
                part: .pattern,
                message:
                    "the pattern has \(source.utf8.count) bytes, more than the limit of \(maxBytes) (pattern-bytes)")
        }
        let options = options.in(dialect)
        let translation = options.contains(.icuSyntax) ? try ICUTranslation(of: source, options: options) : nil
        // The text of a translated pattern includes its flags, except letter case, search and linear time.
        let coreOptions =
            (translation == nil ? options : options.intersection([.caseInsensitive, .search, .linearTime])).rawValue
        var text = translation?.text ?? source
        var error = assay_error()
        let bits = coreOptions | engine.withoutThoseBefore
        let maxTextBytes = translation == nil ? maxBytes : ICUTranslation.maxBytes
        let handle = text.withUTF8 { bytes in
            assay_pattern_create(bytes.cBase, bytes.count, bits, maxTextBytes, &error)
        }
        guard let handle else {
            let engineCode = error.engine_code
            var error = CompileError(error, part: .pattern)
            error.offset = error.offset.map { translation?.sourceOffset(ofResult: $0) ?? $0 }
            // The longest translation is that of word boundaries: thirty nested look-behinds.
            let hasBoundary = source.contains(bytesOf: "\\b") || source.contains(bytesOf: "\\B")
            if translation != nil, engineCode == Self.lookBehindIsTooComplicated, hasBoundary {
                error.message = "PCRE2 needs a look-behind for each \\b and \\B, and supports only about 20"
            }
            throw error
        }
        pcre2Source = text
        self.coreOptions = coreOptions
        self.source = source
        self.options = options
        self.handle = handle
    }

    /// PCRE2_ERROR_LOOKBEHIND_TOO_COMPLICATED.
    private static let lookBehindIsTooComplicated: Int32 = 135

    deinit { assay_pattern_free(handle) }

    /// A pattern in source code.
    ///
    /// - Precondition: The pattern compiles. A mistake is a bug, because the text is the programmer's own.
    public static func literal(_ source: StaticString, options: Options = []) -> Pattern {
        do {
            return try Pattern("\(source)", options: options)
        } catch {
            // Not a precondition failure, because those print no message in release builds.
            fatalError("the pattern \(source) does not compile: \(error)")
        }
    }

    /// Whether the value matches. False if a limit leaves it ``Verdict/undecided``.
    public func matches(_ value: String) -> Bool { verdict(of: value) == .pass }

    /// Whether the value matches. False if a limit leaves it ``Verdict/undecided``.
    public func matches(_ value: Substring) -> Bool { verdict(of: value) == .pass }

    /// Whether the value matches, for `switch` statements: `case date: …`.
    public static func ~= (pattern: Pattern, value: String) -> Bool { pattern.matches(value) }

    /// Whether the value matches, for `switch` statements: `case date: …`.
    public static func ~= (pattern: Pattern, value: Substring) -> Bool { pattern.matches(value) }

    /// Checks one value under the default ``MatchLimits``. Thread-safe, without allocations.
    public func verdict(of value: String) -> Verdict { withUTF8(of: value) { verdict(of: $0) } }

    /// Checks one value under the default ``MatchLimits``. Thread-safe, without allocations.
    public func verdict(of value: Substring) -> Verdict { withUTF8(of: value) { verdict(of: $0) } }

    /// Checks one value, which must be well-formed UTF-8.
    @inline(__always)
    func verdict(of value: UnsafeBufferPointer<UInt8>) -> Verdict {
        let (bytes, count) = (value.cBase, value.count)
        // Most values are short and need no scratch.
        let quick = assay_pattern_match_short(handle, bytes, count)
        if quick != .ASSAY_UNDECIDED { return Verdict(quick) }
        return withThreadScratch { Verdict(assay_pattern_match(handle, $0, bytes, count)) }
    }
}

extension Pattern.Engine {
    /// The engine of a compiled pattern.
    init(running pattern: OpaquePointer) {
        let dfa = assay_pattern_get_dfa(pattern)
        if dfa.states > 0 || dfa.instructions > 0 {
            self = .dfa
        } else {
            self = assay_pattern_jit_size(pattern) > 0 ? .jit : .interpreter
        }
    }

    /// The options of the C core that disable the preceding engines.
    var withoutThoseBefore: UInt32 {
        switch self {
        case .dfa: 0
        case .jit: UInt32(ASSAY_PATTERN_NO_DFA)
        case .interpreter: UInt32(ASSAY_PATTERN_NO_JIT)
        }
    }
}

extension Pattern.DFA {
    fileprivate init(_ dfa: assay_pattern_dfa) {
        guard let refusal = dfa.refusal else {
            self = .states(Int(dfa.states))
            return
        }
        let because = String(cString: refusal)
        self =
            dfa.instructions > 0
            ? .lazy(instructions: Int(dfa.instructions), because: because)
            : .none(because: because, offset: dfa.refusal_offset)
    }
}

extension Pattern: CustomStringConvertible {
    /// The text of the pattern, cut after 100 characters, and the names of its options, on one line: `\d{4}-\d{2}
    /// (search)`.
    public var description: String {
        let names = Options.names.filter { options.contains($0.option) }.map(\.name)
        return source.onOneLine(limit: 100) + (names.isEmpty ? "" : " (\(names.joined(separator: ", ")))")
    }
}

extension Pattern: Hashable {
    /// Equal patterns have the same text, options and engine, and therefore return the same verdicts.
    public static func == (one: Pattern, other: Pattern) -> Bool {
        one === other
            || (one.source.utf8.elementsEqual(other.source.utf8) && one.options == other.options
                && one.engine == other.engine)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ByteEqualString(source))
        hasher.combine(options)
    }
}
