internal import CAssay

/// A compiled PCRE2 pattern.
///
///     let date = try Pattern(#"\d{4}-\d{2}-\d{2}"#)
///     date.matches("2024-02-29")          // true
///     date.matches("2024-02-29\n")        // false: the whole value must match
///     date.verdicts(for: millionStrings)  // a bit mask, on all processors
///
/// The whole value must match, as with `MATCHES` of `NSPredicate`; ask for ``Options/search`` otherwise. A regular pattern
/// becomes a DFA; others are compiled to machine code (JIT) where the host allows that, and run on PCRE2's
/// interpreter where it does not. The verdicts are the same.
///
/// Immutable and shared freely between threads. To compile the same text only once, ask a ``PatternCache``.
///
/// Source: PCRE2's `pcre2pattern`, `pcre2api` and `pcre2jit` pages.
public final class Pattern: Sendable {
    /// What judges values, best first. Asked for, each means "this one or, where it cannot be had, the next"; the verdicts are
    /// the same, but that those after the first may leave a value ``Verdict/undecided`` that costs too much.
    public enum Engine: String, Hashable, Sendable, Codable, CaseIterable {
        /// A DFA, for patterns of a regular subset: linear in time, several values at once. What it cannot
        /// decide it leaves to the next.
        case dfa
        /// PCRE2's machine code.
        case jit
        /// PCRE2's interpreter, and nothing else.
        case interpreter
    }

    /// The text of the pattern, as it was given.
    public let source: String
    /// The options, as they were given.
    public let options: Options

    /// What PCRE2 has compiled: ``source``, or its translation from another ``Dialect-swift.enum``.
    public let pcre2Source: String

    /// The options that the C core has been given.
    let coreOptions: UInt32

    /// The engine this pattern really runs on, which may come after the one that was asked for. Makes the ``dfa``.
    public var engine: Engine { Engine(running: handle) }

    /// The size of PCRE2's machine code in bytes; 0 where its interpreter judges what PCRE2 judges.
    public let jitSize: Int

    /// Why PCRE2 has made no machine code, such as "the pattern is too large for JIT"; `nil` where it has.
    public var jitRefusal: String? { assay_pattern_jit_refusal(handle).map { String(cString: $0) } }

    /// The DFA of this pattern, or why it has none. It is made when it is first asked for, here or by the values that
    /// are judged, once they are about two thousand: before that PCRE2 judges them.
    ///
    /// - Complexity: the first time, some 100 µs for patterns of everyday size, up to milliseconds with classes of all letters.
    public var dfa: DFA { DFA(assay_pattern_get_dfa(handle)) }

    /// The verdict on a value, and the ticks that PCRE2 took at most; 0 where a DFA judged. They are the same each time: the plan of
    /// the pattern is made before.
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

    /// The engines that judge values first, by length, and the engine for columns: "DFA up to 24 bytes, …".
    ///
    /// - Complexity: as for ``dfa``.
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

    /// The DFA that judges a pattern's values before PCRE2 is asked.
    public enum DFA: Hashable, Sendable {
        /// There is one, with this many states.
        case states(Int)
        /// It is lazy: each thread makes its states from an NFA of this many instructions, when a value needs them. With why all
        /// of them are not made beforehand, in a few words.
        case lazy(instructions: Int, because: String)
        /// Why there is none, in a few words, and the byte of ``Pattern/pcre2Source`` that they are about.
        case none(because: String, offset: Int)
    }

    // SAFETY: the compiled pattern is never written after `init`, but for its DFA, which assay_pattern publishes once;
    // JIT compilation happens inside assay_pattern_create, before anyone else can hold the pointer (pcre2api,
    // "Multithreading").
    nonisolated(unsafe) let handle: OpaquePointer

    /// Compiles a pattern.
    ///
    /// - Parameters:
    ///   - dialect: whose words the pattern is written in; the same as ``Options/icuSyntax`` among the options.
    ///   - engine: the first one to try.
    ///   - maxBytes: the longest pattern accepted, in bytes.
    /// - Throws: ``CompileError`` with the byte offset and PCRE2's own words. Refused besides what PCRE2 refuses: `\C`,
    ///   callouts, and a leading `(*…)` that would change encoding, newline, limits or engine.
    /// - Complexity: some 10–120 µs for patterns of everyday size, several hundred with classes of all letters; bounded by
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
        let options = dialect == .icu ? options.union(.icuSyntax) : options
        let translation = options.contains(.icuSyntax) ? try ICUTranslation(of: source, options: options) : nil
        // The flags of a translated pattern are part of its text, but for the case of letters and where it may match.
        let coreOptions = (translation == nil ? options : options.intersection([.caseInsensitive, .search])).rawValue
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
            // The longest translation is that of word boundaries: thirty look-behinds, one in the other.
            let hasBoundary = source.contains(bytesOf: "\\b") || source.contains(bytesOf: "\\B")
            if translation != nil, engineCode == Self.lookBehindIsTooComplicated, hasBoundary {
                error.message = "PCRE2 looks behind for each \\b and \\B, and for no more than about 20 of them"
            }
            throw error
        }
        pcre2Source = text
        self.coreOptions = coreOptions
        self.source = source
        self.options = options
        self.handle = handle
        jitSize = assay_pattern_jit_size(handle)
    }

    /// PCRE2_ERROR_LOOKBEHIND_TOO_COMPLICATED.
    private static let lookBehindIsTooComplicated: Int32 = 135

    deinit { assay_pattern_free(handle) }

    /// A pattern written in source code.
    ///
    /// - Precondition: the pattern compiles. It is the programmer's own text, so a mistake in it is a bug.
    public static func literal(_ source: StaticString, options: Options = []) -> Pattern {
        do {
            return try Pattern("\(source)", options: options)
        } catch {
            // Not a precondition failure: those are silent in release builds.
            fatalError("the pattern \(source) does not compile: \(error)")
        }
    }

    /// Whether the value matches. A value that a limit left ``Verdict/undecided`` does not.
    public func matches(_ value: String) -> Bool { verdict(of: value) == .pass }

    /// Whether the value matches. A value that a limit left ``Verdict/undecided`` does not.
    public func matches(_ value: Substring) -> Bool { verdict(of: value) == .pass }

    /// A pattern in a `switch` is there for the values that match it: `case date: …`.
    public static func ~= (pattern: Pattern, value: String) -> Bool { pattern.matches(value) }

    /// A pattern in a `switch` is there for the values that match it: `case date: …`.
    public static func ~= (pattern: Pattern, value: Substring) -> Bool { pattern.matches(value) }

    /// Judges one value under the default ``MatchLimits``. Thread-safe; allocates nothing.
    public func verdict(of value: String) -> Verdict { withUTF8(of: value) { verdict(of: $0) } }

    /// Judges one value under the default ``MatchLimits``. Thread-safe; allocates nothing.
    public func verdict(of value: Substring) -> Verdict { withUTF8(of: value) { verdict(of: $0) } }

    /// Judges one value, which must be well-formed UTF-8.
    @inline(__always)
    func verdict(of value: UnsafeBufferPointer<UInt8>) -> Verdict {
        let (bytes, count) = (value.cBase, value.count)
        // Most values are short, and then no scratch has to be found.
        let quick = assay_pattern_match_short(handle, bytes, count)
        if quick != .ASSAY_UNDECIDED { return Verdict(quick) }
        return withThreadScratch { Verdict(assay_pattern_match(handle, $0, bytes, count)) }
    }
}

extension Pattern.Engine {
    /// What a compiled pattern runs on.
    init(running pattern: OpaquePointer) {
        let dfa = assay_pattern_get_dfa(pattern)
        if dfa.states > 0 || dfa.instructions > 0 {
            self = .dfa
        } else {
            self = assay_pattern_jit_size(pattern) > 0 ? .jit : .interpreter
        }
    }

    /// The options of the C core that switch off what comes before.
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
    /// The text of the pattern and the names of its options, on one line, the text cut after 100 characters:
    /// `\d{4}-\d{2} (search)`.
    public var description: String {
        let names = Options.names.filter { options.contains($0.option) }.map(\.name)
        return source.onOneLine(limit: 100) + (names.isEmpty ? "" : " (\(names.joined(separator: ", ")))")
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
        hasher.combine(ByteEqualString(source))
        hasher.combine(options)
    }
}
