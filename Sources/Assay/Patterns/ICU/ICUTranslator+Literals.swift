/// A literal character of the pattern.
struct ICULiteral {
    var scalar: Unicode.Scalar
    var source: Range<Int>
}

extension ICUTranslator {
    /// Adds the current character as a literal. It is written later, together with adjacent literals.
    mutating func literal(_ scalar: Unicode.Scalar, from start: Int? = nil) throws(CompileError) {
        let source = scanner.current.range
        literals.append(ICULiteral(scalar: scalar, source: (start ?? source.lowerBound)..<source.upperBound))
        try scanner.advance()
        try repetition()
    }

    /// Writes the pending literals.
    ///
    /// - Parameter isLastRepeated: Whether a quantifier follows, which applies only to the last literal.
    mutating func writeLiterals(isLastRepeated: Bool = false) throws(CompileError) {
        guard let last = literals.last else { return }
        if isLastRepeated && literals.count > 1 {
            literals.removeLast()
            try writeLiterals()
            literals = [last]
        }
        defer { literals = [] }
        if flags.contains(.caseInsensitive) { return try writeFolded() }
        for literal in literals { result.append(ICUText.literal(literal.scalar), for: literal.source) }
    }

    /// Writes the pending literals for case-insensitive matching. ICU compares by full case folding, in which ß equals
    /// ss. PCRE2 compares character by character, so characters with a folding of several are written as alternatives:
    ///
    ///     (?i)fuss     fu(?:ss|[ßẞ])
    private mutating func writeFolded() throws(CompileError) {
        let folded = literals.flatMap { literal in
            ICUFullFolding.folded(literal.scalar).map { (scalar: $0, literal: literal, source: literal.source) }
        }
        let scalars = folded.map(\.scalar)
        var start = 0
        while start < folded.count {
            let end = ICUFullFolding.endOfCluster(in: scalars, from: start)
            let source = folded[start].source.lowerBound..<folded[end - 1].source.upperBound
            guard let text = ICUFullFolding.alternatives(scalars[start..<end]) else {
                throw refusal(
                    at: source.lowerBound,
                    "where case is ignored, these letters have too many spellings, ß for ss and the like")
            }
            // A character without other spellings stays as in the pattern, because PCRE2 does not know the case
            // variants of letters that are newer than its Unicode version.
            let written = folded[start].literal.scalar
            let isAlone = text == ICUText.literal(scalars[start])
            result.append(isAlone ? ICUText.literal(written) : text, for: source)
            start = end
        }
    }
}

extension Unicode.Scalar {
    /// Whether another character is equal when case is ignored.
    var hasCase: Bool {
        let mappings = [properties.lowercaseMapping, properties.uppercaseMapping, properties.titlecaseMapping]
        return mappings.contains { $0.unicodeScalars.count == 1 && $0.unicodeScalars.first! != self }
            || self == "ß" || !ICUFullFolding.partners(in: self...self).isEmpty
    }
}
