extension ICUTranslator {
    /// Translates a group of any kind, a change of flags, or a comment.
    mutating func group() throws(CompileError) {
        let start = scanner.current.range.lowerBound
        try scanner.advance()
        guard scanner.isAt("?") else {
            groupCount += 1
            return try repeatable("(", from: start)
        }
        scanner.keepsNumberSign = true
        try scanner.advance()
        guard let scalar = scanner.current.scalar, !scanner.current.isQuoted else { throw unknownGroup("", at: start) }
        switch scalar {
        case ":", ">":
            try scanner.advance()
            try repeatable("(?\(scalar)", from: start)
        case "=", "!":
            try scanner.advance()
            _ = try body("(?\(scalar)", from: start)
        case "<": try angle(from: start)
        case "#": try comment(from: start)
        case "-": try settings(from: start)
        case _ where ICUText.isLetter(scalar): try settings(from: start)
        default: throw unknownGroup("\(scalar)", at: start)
        }
    }

    /// Skips a comment before a possible quantifier, because a comment does not separate a quantifier from its operand.
    /// Returns whether there was a comment.
    mutating func skipComment() throws(CompileError) -> Bool {
        guard scanner.isAt("(") else { return false }
        let before = scanner
        let start = scanner.current.range.lowerBound
        try scanner.advance()
        if scanner.isAt("?") {
            scanner.keepsNumberSign = true
            try scanner.advance()
            if scanner.isAt("#") {
                try comment(from: start)
                return true
            }
        }
        scanner = before
        return false
    }

    private mutating func comment(from start: Int) throws(CompileError) {
        while !scanner.isAt(")") {
            if scanner.current.scalar == nil { throw refusal(at: start, "this comment has no )") }
            try scanner.advance()
        }
        try scanner.advance()
    }

    /// Translates `(?<=`, `(?<!` or `(?<name>`. Names become numbers, because PCRE2 limits the length of names.
    private mutating func angle(from start: Int) throws(CompileError) {
        try scanner.advance()
        if scanner.isAt("=") || scanner.isAt("!") {
            let opening = scanner.isAt("=") ? "(?<=" : "(?<!"
            try scanner.advance()
            lookbehindDepth += 1
            _ = try body(opening, from: start)
            lookbehindDepth -= 1
            return
        }
        let offset = scanner.current.range.lowerBound
        let name = try groupName()
        groupCount += 1
        if groupNames.updateValue(groupCount, forKey: name) != nil {
            throw refusal(at: offset, "two groups are called \(name)")
        }
        try scanner.advance()
        try repeatable("(", from: start)
    }

    /// Parses a name up to its `>`.
    mutating func groupName() throws(CompileError) -> String {
        var name = ""
        while let scalar = scanner.current.scalar, !scanner.current.isQuoted, scalar != ">" {
            guard ICUText.isLetter(scalar) || (!name.isEmpty && ICUText.isDigit(scalar)) else { break }
            name.unicodeScalars.append(scalar)
            try scanner.advance()
        }
        guard !name.isEmpty, scanner.isAt(">") else {
            throw refusal("the name of a group is letters and digits, a letter first, and ends with >")
        }
        return name
    }

    /// Translates `(?i)`, `(?i-s)` and `(?x:`. Only `i` is passed to PCRE2; the translation implements the other flags.
    private mutating func settings(from start: Int) throws(CompileError) {
        var new = flags
        var isOn = true
        while let scalar = scanner.current.scalar, !scanner.current.isQuoted, scalar != ")", scalar != ":" {
            if scalar == "-" {
                isOn = false
            } else if let flag = ICUFlags(letter: scalar) {
                if isOn { new.insert(flag) } else { new.remove(flag) }
            } else if scalar == "w" || scalar == "u" {
                throw refusal("the flag \(scalar) of ICU has no counterpart in PCRE2")
            } else {
                throw unknownGroup("\(scalar)", at: start)
            }
            try scanner.advance()
        }
        try writeLiterals()
        let change =
            new.contains(.caseInsensitive) == flags.contains(.caseInsensitive)
            ? "" : new.contains(.caseInsensitive) ? "i" : "-i"
        let source = start..<scanner.current.range.upperBound
        if scanner.isAt(")") {
            use(new)
            if !change.isEmpty { result.append("(?\(change))", for: source) }
            try scanner.advance()
        } else if scanner.isAt(":") {
            let outer = flags
            use(new)
            try scanner.advance()
            let mayBeEmpty = try body("(?\(change):", from: start, flagsAfter: outer)
            try repetition(mayBeEmpty: mayBeEmpty)
        } else {
            throw refusal(at: start, "this group has no )")
        }
    }

    private mutating func repeatable(_ opening: String, from start: Int) throws(CompileError) {
        let mayBeEmpty = try body(opening, from: start)
        try repetition(mayBeEmpty: mayBeEmpty)
    }

    /// Translates the body of a group and its `)`. Returns whether the group can match the empty string.
    private mutating func body(_ opening: String, from start: Int, flagsAfter: ICUFlags? = nil) throws(CompileError)
        -> Bool
    {
        let outer = flagsAfter ?? flags
        let outerTakesCharacter = takesCharacter
        try writeLiterals()
        depth += 1
        if depth > Self.maxDepth { throw refusal(at: start, "groups are nested more than \(Self.maxDepth) deep") }
        result.append(opening, for: start..<max(start, scanner.current.range.lowerBound))
        let mayBeEmpty = try alternatives()
        guard scanner.isAt(")") else { throw refusal(at: start, "this group has no )") }
        result.append(")", for: scanner.current.range)
        depth -= 1
        use(outer)
        takesCharacter = outerTakesCharacter
        try scanner.advance()
        return mayBeEmpty
    }

    private func unknownGroup(_ kind: String, at start: Int) -> CompileError {
        let advice =
            switch kind {
            case "P": ": write (?<name>…) and \\k<name>"
            case "'": ": write (?<name>…)"
            default: ""
            }
        return refusal(at: start, "ICU has no (?\(kind)\(advice)")
    }
}
