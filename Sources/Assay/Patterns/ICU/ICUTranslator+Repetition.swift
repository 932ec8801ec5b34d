extension ICUTranslator {
    /// Translates an optional quantifier: `*`, `+`, `?`, `{n}`, `{n,}` or `{n,m}`, with an optional `?` or `+`.
    ///
    /// - Parameter mayBeEmpty: Whether the operand can match the empty string.
    mutating func repetition(mayBeEmpty: Bool = false) throws(CompileError) {
        while try skipComment() {}
        guard let scalar = scanner.current.scalar, !scanner.current.isQuoted, "*+?{".unicodeScalars.contains(scalar)
        else {
            takesCharacter = takesCharacter || !mayBeEmpty
            return
        }
        try writeLiterals(isLastRepeated: true)
        let start = scanner.current.range.lowerBound
        var text = "\(scalar)"
        if scalar == "{" { text = try interval() }
        var end = scanner.current.range.upperBound
        try scanner.advance()
        if scanner.isAt("?") || scanner.isAt("+") {
            text += scanner.isAt("?") ? "?" : "+"
            end = scanner.current.range.upperBound
            try scanner.advance()
        }
        if mayBeEmpty && (text == "*+" || text == "++") {
            throw refusal(at: start, "ICU repeats an empty match of this forever: write {0,}+ or {1,}+")
        }
        let mayBeLeftOut = ["*", "?", "{0"].contains { text.hasPrefix($0) }
        takesCharacter = takesCharacter || !(mayBeEmpty || mayBeLeftOut)
        result.append(text, for: start..<end)
    }

    /// Parses an interval up to its `}`, which is then the current character.
    private mutating func interval() throws(CompileError) -> String {
        let start = scanner.current.range.lowerBound
        try scanner.advance()
        guard let low = try number() else {
            let advice = scanner.isAt(",") ? "{0,n} for up to n" : "\\{ for the character"
            throw refusal(at: start, "ICU wants a number after this {: write \(advice)")
        }
        var text = "{\(low)"
        if scanner.isAt(",") {
            try scanner.advance()
            text += ","
            if let high = try number() { text += "\(high)" }
        }
        guard scanner.isAt("}") else {
            throw refusal(at: start, "this { has no }: repetitions are {n}, {n,} and {n,m}")
        }
        return text + "}"
    }

    private mutating func number() throws(CompileError) -> Int? {
        var number: Int?
        while let scalar = scanner.current.scalar, !scanner.current.isQuoted, ICUText.isDigit(scalar) {
            let value = (number ?? 0) * 10 + Int(scalar.value - 48)
            // PCRE2's maximum.
            if value > 65_535 { throw refusal("PCRE2 repeats at most 65535 times") }
            number = value
            try scanner.advance()
        }
        return number
    }
}
