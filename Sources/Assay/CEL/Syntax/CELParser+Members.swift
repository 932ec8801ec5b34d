// Values, with their fields, indices and calls.

extension CELParser {
    /// `Member`
    mutating func member() throws(CELMistake) -> CELSyntax {
        try member(of: primary())
    }

    /// Reads the fields, indices and calls after a value.
    mutating func member(of value: CELSyntax) throws(CELMistake) -> CELSyntax {
        var value = value
        while true {
            switch token.kind {
            case .symbol("."):
                try advance()
                value = try selection(of: value)
            case .symbol("["):
                let place = try advance()
                let isOptional = try skip("?")
                let index = try expression()
                try close("]", of: place)
                let form = isOptional ? CELSyntax.Form.unsupported(.optionals) : .index(value, index)
                value = try node(form, from: value, [value, index])
            case .symbol("{") where value.isQualifiedName: value = try message(from: value.range.lowerBound)
            default: return value
            }
        }
    }

    /// `.name` or `.function(arguments)`
    private mutating func selection(of value: CELSyntax) throws(CELMistake) -> CELSyntax {
        let isOptional = try skip("?")
        let name = try selector()
        if isOptional { return try node(.unsupported(.optionals), from: value, [value]) }
        guard token.isSymbol("(") else { return try node(.select(value, name), from: value, [value]) }
        let place = try advance()
        let arguments = try list(until: ")", of: place)
        return try node(.method(value, name, arguments), from: value, [value] + arguments)
    }

    /// A name after a point, which may be a reserved word or in backquotes.
    private mutating func selector() throws(CELMistake) -> CELName {
        switch token.kind {
        case .identifier(let text) where !CELToken.keywords.contains(text):
            return CELName(text: text, range: try advance())
        case .quotedIdentifier(let text): return CELName(text: text, range: try advance())
        default: throw CELMistake("a name is missing before \(described)", "write row[\"name\"]", at: token.range)
        }
    }

    /// `Primary`
    private mutating func primary() throws(CELMistake) -> CELSyntax {
        let place = token.range
        switch token.kind {
        case .integer(let magnitude):
            guard let value = Int64(exactly: magnitude) else {
                throw CELLexer.tooLarge(lexer.text(place), at: place)
            }
            return try literal(.literal(.int(value)))
        case .number(let value): return try literal(.literal(.number(value)))
        case .string(let value): return try literal(.literal(.string(value)))
        case .oversized: return try literal(.unsupported(.oversized))
        case .unsigned: return try literal(.unsupported(.unsigned))
        case .bytes: return try literal(.unsupported(.bytes))
        case .identifier("true"): return try literal(.literal(.bool(true)))
        case .identifier("false"): return try literal(.literal(.bool(false)))
        case .identifier("null"): return try literal(.unsupported(.null))
        case .identifier(let text) where text != "in": return try name(text, from: place.lowerBound, isRooted: false)
        case .symbol("."):
            try advance()
            guard case .identifier(let text) = token.kind, !CELToken.keywords.contains(text) else {
                throw CELMistake("a name is missing before \(described)", at: token.range)
            }
            return try name(text, from: place.lowerBound, isRooted: true)
        case .symbol("("):
            try advance()
            let value = try expression()
            try close(")", of: place)
            return CELSyntax(form: value.form, range: place.lowerBound..<end, height: value.height)
        case .symbol("["):
            try advance()
            return try listLiteral(from: place)
        case .symbol("{"): return try map()
        case .end: throw CELMistake("the expression ends before a value", at: place)
        default: throw CELMistake("a value is missing before \(described)", foreignAdvice, at: place)
        }
    }

    /// A literal of one token.
    private mutating func literal(_ form: CELSyntax.Form) throws(CELMistake) -> CELSyntax {
        let start = try advance().lowerBound
        return try node(form, from: start, [])
    }

    /// A name, or a call of a function.
    private mutating func name(_ text: String, from start: Int, isRooted: Bool) throws(CELMistake) -> CELSyntax {
        let name = CELName(text: text, range: try advance())
        if CELToken.reserved.contains(text) {
            throw CELMistake("'\(text)' is a reserved word", "write row[\"\(text)\"] for the column", at: name.range)
        }
        guard token.isSymbol("(") else { return try node(.name(text, isRooted: isRooted), from: start, []) }
        let place = try advance()
        let arguments = try list(until: ")", of: place)
        return try node(.call(name, arguments), from: start, arguments)
    }

    /// The list literal `[a, b]`.
    private mutating func listLiteral(from place: Range<Int>) throws(CELMistake) -> CELSyntax {
        var elements: [CELSyntax] = []
        var isOptional = false
        while !token.isSymbol("]") {
            if try skip("?") { isOptional = true }
            elements.append(try expression())
            guard try skip(",") else { break }
        }
        try close("]", of: place)
        return try node(isOptional ? .unsupported(.optionals) : .list(elements), from: place.lowerBound, elements)
    }

    /// The arguments of a call.
    private mutating func list(until closing: String, of place: Range<Int>) throws(CELMistake) -> [CELSyntax] {
        var elements: [CELSyntax] = []
        if try skip(closing) { return elements }
        repeat { elements.append(try expression()) } while try skip(",")
        try close(closing, of: place)
        return elements
    }

    /// `{key: value}`
    private mutating func map() throws(CELMistake) -> CELSyntax {
        let place = try advance()
        var parts: [CELSyntax] = []
        while !token.isSymbol("}") {
            _ = try skip("?")
            parts.append(try expression())
            parts.append(try entryValue())
            guard try skip(",") else { break }
        }
        try close("}", of: place)
        return try node(.unsupported(.maps), from: place.lowerBound, parts)
    }

    /// `{field: value}` after the name of a message's type.
    private mutating func message(from start: Int) throws(CELMistake) -> CELSyntax {
        let place = try advance()
        var parts: [CELSyntax] = []
        while !token.isSymbol("}") {
            _ = try skip("?")
            _ = try selector()
            parts.append(try entryValue())
            guard try skip(",") else { break }
        }
        try close("}", of: place)
        return try node(.unsupported(.messages), from: start, parts)
    }

    /// `: value` in a map or a message.
    private mutating func entryValue() throws(CELMistake) -> CELSyntax {
        guard try skip(":") else { throw CELMistake("':' is missing before \(described)", at: token.range) }
        return try expression()
    }

    /// Skips a symbol and returns true if it is next.
    private mutating func skip(_ symbol: String) throws(CELMistake) -> Bool {
        guard token.isSymbol(symbol) else { return false }
        try advance()
        return true
    }

    /// Reads the closing bracket for the bracket at a place.
    ///
    /// - Throws: A mistake if another token is next.
    private mutating func close(_ closing: String, of place: Range<Int>) throws(CELMistake) {
        if try skip(closing) { return }
        if token.kind == .end {
            throw CELMistake("the '\(lexer.text(place))' is never closed", "write '\(closing)'", at: place)
        }
        throw CELMistake("'\(closing)' or an operator is missing before \(described)", at: token.range)
    }

    /// The correction of a token of another language.
    private var foreignAdvice: String? {
        switch token.kind {
        case .symbol("=="), .symbol("!="), .symbol("&&"), .symbol("||"): "write a value on both sides"
        case .symbol(">"): "write '!=' for '<>'"
        default: nil
        }
    }
}

extension CELSyntax {
    /// Whether the syntax is a name, or names separated by points.
    fileprivate var isQualifiedName: Bool {
        switch form {
        case .name: true
        case .select(let operand, _): operand.isQualifiedName
        default: false
        }
    }
}
