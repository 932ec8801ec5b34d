/// A character of the pattern that means itself.
struct ICULiteral {
    var scalar: Unicode.Scalar
    var source: Range<Int>
}

extension ICUTranslator {
    /// The current character means itself. It is written later, together with its neighbours.
    mutating func literal(_ scalar: Unicode.Scalar, from start: Int? = nil) throws(CompileError) {
        let source = scanner.current.range
        literals.append(ICULiteral(scalar: scalar, source: (start ?? source.lowerBound)..<source.upperBound))
        try scanner.advance()
        try repetition()
    }

    /// Writes the characters that wait.
    ///
    /// - Parameter isLastRepeated: a quantifier follows, which belongs to the last character alone.
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

    /// Where case is ignored ICU compares by full case folding, in which ß is ss. PCRE2 compares character by character,
    /// so that the characters that fold to several are written as alternatives:
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
            // What has no other spelling stays as it was written: of letters that are younger than PCRE2's Unicode it does not
            // know the other case.
            let written = folded[start].literal.scalar
            let isAlone = text == ICUText.literal(scalars[start])
            result.append(isAlone ? ICUText.literal(written) : text, for: source)
            start = end
        }
    }
}

extension Unicode.Scalar {
    /// Whether there is another character that is the same where case is ignored.
    var hasCase: Bool {
        let mappings = [properties.lowercaseMapping, properties.uppercaseMapping, properties.titlecaseMapping]
        return mappings.contains { $0.unicodeScalars.count == 1 && $0.unicodeScalars.first! != self }
            || self == "ß" || !ICUFullFolding.partners(in: self...self).isEmpty
    }
}
