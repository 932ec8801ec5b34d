package import Assay

/// A pattern of a rule file, with its place.
package struct WrittenPattern: Sendable {
    package let text: String
    package let options: Pattern.Options
    /// The engine of the pattern. A repair needs the position of a match, which only PCRE2 returns.
    package let engine: Pattern.Engine
    /// A warning without its message.
    package var warning: RuleProblem

    /// The limit on the work for all patterns of a rule file, nominally in nanoseconds.
    private static let maxWork: UInt64 = 60_000_000_000

    /// Returns the growth of the work for a value.
    ///
    /// - Parameter work: The work for earlier patterns of the same file. The work for this one is added.
    /// - Returns: `nil` if the pattern is too large to analyze, or if earlier patterns have exhausted the limit.
    package func growth(_ limits: Limits, adding work: inout UInt64) -> PatternGrowth? {
        if work >= Self.maxWork { return nil }
        let pattern = try? Pattern(text, options: options, engine: engine, maxBytes: limits.patternBytes)
        return pattern?.growth(adding: &work)
    }
}

extension RuleFile {
    /// Returns the patterns of a rule file, in order: of fields, of rules between columns and of repairs.
    ///
    /// - Throws: All mistakes of the file at once, as ``parse(_:name:limits:)``.
    package static func patterns(
        in bytes: [UInt8], name: String, limits: Limits
    ) throws(RuleFileError) -> (patterns: [WrittenPattern], limits: Limits) {
        let (file, reader) = try read(bytes, name: name, limits: limits)
        var places: Set<Int> = []
        let patterns = reader.patterns.sorted { $0.range.lowerBound < $1.range.lowerBound }.filter {
            // A pattern may be read twice, and an expression may contain several.
            $0.isPart || places.insert($0.range.lowerBound).inserted
        }
        let warnings = reader.source.problems(
            patterns.map { Mistake(range: $0.range, message: "", suggestion: nil) }, kind: .warning)
        let written = zip(patterns, warnings).map {
            WrittenPattern(text: $0.text, options: $0.options, engine: $0.engine, warning: $1)
        }
        return (written, file.limits)
    }
}
