extension ICUTranslator {
    /// Translates a set in brackets, from its `[`, and its quantifier.
    mutating func set() throws(CompileError) {
        try writeLiterals()
        let start = scanner.current.range.lowerBound
        let (set, only) = try brackets()
        // ICU treats a set of one character as that character, which affects case folding.
        if let only { return try literal(only, from: start) }
        try write(set.pattern, from: start)
        try repetition()
    }

    /// Parses from `[` to its `]`, which is then the current character. `only` is the single member, if there is one.
    private mutating func brackets() throws(CompileError) -> (set: ICUSet, only: Unicode.Scalar?) {
        let start = scanner.current.range.lowerBound
        depth += 1
        defer { depth -= 1 }
        if depth > Self.maxDepth { throw refusal(at: start, "sets are nested more than \(Self.maxDepth) deep") }
        try scanner.advance()
        if scanner.isAt(":"), let property = try posixProperty(from: start) { return (property, nil) }
        let isNegated = scanner.isAt("^")
        if isNegated { try scanner.advance() }
        var reader = ICUSetReader()
        if scanner.isAt("]") { try add("]", to: &reader) }
        while !scanner.isAt("]") {
            guard let scalar = scanner.current.scalar else { throw refusal(at: start, "this set has no ]") }
            try member(scalar, to: &reader)
        }
        if case .operation = reader.place { throw refusal("an operation of sets wants a set after it") }
        try apply(&reader)
        let set = reader.left!.set
        if isNegated { return (.complement(set), nil) }
        let isCaseless = flags.contains(.caseInsensitive)
        return (set, reader.only.flatMap { isCaseless && $0.hasCase ? nil : $0 })
    }

    private mutating func member(_ scalar: Unicode.Scalar, to reader: inout ICUSetReader) throws(CompileError) {
        guard !scanner.current.isQuoted else { return try add(scalar, to: &reader) }
        switch scalar {
        case "[":
            let set = try brackets().set
            try scanner.advance()
            reader.add(set, at: .set)
        case "\\": try setEscape(to: &reader)
        case "-": try dash(to: &reader)
        case "&": try ampersand(to: &reader)
        default: try add(scalar, to: &reader)
        }
    }

    private mutating func add(_ scalar: Unicode.Scalar, to reader: inout ICUSetReader) throws(CompileError) {
        reader.add(scalar, isCaseless: flags.contains(.caseInsensitive))
        try scanner.advance()
    }

    /// Parses `-`: a range, a difference (`-` or `--`), or a literal.
    private mutating func dash(to reader: inout ICUSetReader) throws(CompileError) {
        if case .operation = reader.place { return try add("-", to: &reader) }
        let offset = scanner.current.range.lowerBound
        try scanner.advance()
        switch reader.place {
        case .start where scanner.isAt("-"):
            throw refusal(at: offset, "ICU wants a set before --: write \\- for the character")
        case .set where scanner.isAt("["): try single(.difference, &reader)
        case .literal, .range, .set:
            if scanner.isAt("-") { return try operation(.difference, &reader) }
            if case .literal(let low) = reader.place, !scanner.isAt("["), !scanner.isAt("]") {
                // ICU would start the range with the character before the literal - or &.
                guard let low else { throw refusal(at: offset, "a range after a bare - or &: write \\- or \\&") }
                return try range(from: low, &reader)
            }
            reader.add(sign: "-")
        case .start, .operation: reader.add(sign: "-")
        }
    }

    /// Parses `&`: an intersection (`&` or `&&`), or a literal.
    private mutating func ampersand(to reader: inout ICUSetReader) throws(CompileError) {
        if case .operation = reader.place { return try add("&", to: &reader) }
        let offset = scanner.current.range.lowerBound
        try scanner.advance()
        switch reader.place {
        case .start where scanner.isAt("&"):
            throw refusal(at: offset, "ICU wants a set before &&: write \\& for the character")
        case .set where scanner.isAt("["): try single(.intersection, &reader)
        case .literal, .range, .set:
            if scanner.isAt("&") { return try operation(.intersection, &reader) }
            reader.add(sign: "&")
        case .start, .operation: reader.add(sign: "&")
        }
    }

    private mutating func range(from low: Unicode.Scalar, _ reader: inout ICUSetReader) throws(CompileError) {
        if scanner.isAt("\\") {
            try scanner.advance()
            if let letter = scanner.current.scalar, ICUText.isLetter(letter) {
                throw refusal("\\\(letter) is no end of a range: write \\- for the character before it")
            }
        }
        guard let high = scanner.current.scalar else { return }
        guard low <= high else { throw refusal("this range ends before it begins") }
        reader.add(low...high, isCaseless: flags.contains(.caseInsensitive))
        try scanner.advance()
    }

    private mutating func setEscape(to reader: inout ICUSetReader) throws(CompileError) {
        let start = scanner.current.range.lowerBound
        try scanner.advance()
        guard let scalar = scanner.current.scalar else { throw refusal(at: start, "the pattern ends with a \\") }
        if reader.endsWithOperation && (ICUSet.shorthand(scalar) != nil || scalar == "p" || scalar == "P") {
            // ICU would add it to the preceding brackets.
            throw refusal(at: start, "a property after -[…] or &[…]: put it in brackets of its own, [\\\(scalar)]")
        }
        switch scalar {
        case "p", "P": reader.add(try property(from: start), at: .set)
        case "N": throw try named(at: start)
        default:
            // Letters and digits without a meaning in sets are literal: [\b] is b, and [\1] is 1.
            guard let set = ICUSet.shorthand(scalar) else { return try add(scalar, to: &reader) }
            reader.add(set, at: .range)
        }
        try scanner.advance()
    }

    /// Parses `[:alpha:]` up to its `]`. If it is not a property, returns `nil` and consumes no characters.
    private mutating func posixProperty(from start: Int) throws(CompileError) -> ICUSet? {
        let before = scanner
        try scanner.advance()
        let isNegated = scanner.isAt("^")
        if isNegated { try scanner.advance() }
        var name = ""
        while let scalar = scanner.current.scalar {
            // ICU misparses this, because it looks for the end of a property name.
            if scanner.current.isQuoted { throw refusal(at: start, "write [\\: for a set with a colon") }
            if scalar == ":" && !name.isEmpty {
                try scanner.advance()
                // The bracket may be escaped.
                if scanner.current.scalar == "]" { return try property(name, isNegated: isNegated, from: start) }
                break
            }
            name.unicodeScalars.append(scalar)
            try scanner.advance()
        }
        scanner = before
        return nil
    }

    // MARK: - Operations

    /// Parses `&[…]` and `-[…]` after a set, from UnicodeSet's older syntax. They bind as tightly as adjacent members.
    private mutating func single(
        _ operation: ICUSetReader.Operation, _ reader: inout ICUSetReader
    ) throws(CompileError) {
        let offset = scanner.current.range.lowerBound
        let other = try brackets().set
        reader.operand = try combined(
            reader.operand, reader.operandHasCase, operation, other, false, at: offset)
        try scanner.advance()
        reader.place = .set
        reader.endsWithOperation = true
        reader.memberCount += 1
        reader.only = nil
    }

    /// Parses the second character of `&&` or `--`.
    private mutating func operation(
        _ operation: ICUSetReader.Operation, _ reader: inout ICUSetReader
    ) throws(CompileError) {
        try apply(&reader)
        reader.left!.operation = operation
        reader.place = .operation
        try scanner.advance()
    }

    /// Evaluates `left op operand` as the new `left`.
    private func apply(_ reader: inout ICUSetReader) throws(CompileError) {
        var set = reader.operand
        var hasCase = reader.operandHasCase
        if let left = reader.left {
            set = try combined(left.set, left.hasCase, left.operation, set, hasCase, at: nil)
            hasCase = hasCase || left.hasCase
            reader.only = nil
        }
        reader.left = (set, hasCase, .intersection)
        reader.operand = .empty
        reader.operandHasCase = false
        reader.memberCount += 1
    }

    /// Combines two sets. ICU adds case variants after an operation, PCRE2 before it. The results differ only if both
    /// sides, or the subtracted side, directly contain letters: `[a&&A]` is empty in ICU.
    private func combined(
        _ one: ICUSet, _ oneHasCase: Bool, _ operation: ICUSetReader.Operation, _ other: ICUSet,
        _ otherHasCase: Bool, at offset: Int?
    ) throws(CompileError) -> ICUSet {
        if flags.contains(.caseInsensitive), otherHasCase, oneHasCase || operation == .difference {
            throw refusal(
                at: offset,
                "where case is ignored, put the right side of && or -- in brackets of its own, [a-z--[aeiou]]")
        }
        return operation == .intersection ? .intersection(one, other) : .difference(one, other)
    }
}
