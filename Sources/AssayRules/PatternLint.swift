package import Assay

/// A pattern of a rule file, with its place.
package struct WrittenPattern: Sendable {
    package let text: String
    package let options: Pattern.Options
    /// What judges its values; a repair has to know where a match stands, which only PCRE2 tells.
    package let engine: Pattern.Engine
    /// A warning that lacks its words.
    package var warning: RuleProblem

    /// The work that all patterns of a rule file may take together, nominally in nanoseconds.
    private static let mostWork: UInt64 = 60_000_000_000

    /// How the work for a value grows.
    ///
    /// - Parameter work: what was spent on patterns of the same file before; what this one costs is added.
    /// - Returns: `nil` where the pattern is too large to be followed, or those before it have used up what a file may take.
    package func growth(_ limits: Limits, adding work: inout UInt64) -> PatternGrowth? {
        if work >= Self.mostWork { return nil }
        let pattern = try? Pattern(text, options: options, engine: engine, maxBytes: limits.patternBytes)
        return pattern?.growth(adding: &work)
    }
}

extension RuleFile {
    /// The patterns of a rule file, in its order: of fields, of rules between columns and of repairs.
    ///
    /// - Throws: all mistakes of the file at once, as ``parse(_:name:limits:)``.
    package static func patterns(
        in bytes: [UInt8], name: String, limits: Limits
    ) throws(RuleFileError) -> (patterns: [WrittenPattern], limits: Limits) {
        let (file, reader) = try read(bytes, name: name, limits: limits)
        var places: Set<Int> = []
        let patterns = reader.patterns.sorted { $0.range.lowerBound < $1.range.lowerBound }.filter {
            // One that is read twice, and several of one expression.
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
