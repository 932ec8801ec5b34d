/// Reads an expression into a tree.
///
/// It knows all of CEL's grammar. What row rules have not becomes ``CELSyntax/Form/unsupported(_:)``, for the checker to refuse.
/// Text, depth and height of the tree are bounded, so that nothing runs out of stack.
///
/// Source: cel-spec, "Syntax".
struct CELParser {
    /// The longest expression in bytes.
    static let maxBytes = 1 << 16
    /// The most parentheses, lists, calls and conditions inside one another; 100 take between 256 and 512 KiB of stack.
    private static let maxDepth = 60

    var lexer: CELLexer
    /// What is next.
    var token: CELToken
    /// Where the last word ended.
    var end = 0
    /// How many expressions are around.
    private var depth = 0

    private init(_ bytes: [UInt8]) throws(CELMistake) {
        lexer = CELLexer(bytes)
        token = try lexer.next()
    }

    /// The tree of a whole text.
    ///
    /// - Complexity: O(*n*).
    static func tree(of bytes: [UInt8]) throws(CELMistake) -> CELSyntax {
        if bytes.count > maxBytes {
            throw CELMistake(
                "the expression has \(bytes.count) bytes; the most are \(maxBytes)", "split it into several rules",
                at: 0..<0)
        }
        var parser = try CELParser(bytes)
        if parser.token.kind == .end { throw CELMistake("the expression is empty", at: 0..<bytes.count) }
        let tree = try parser.expression()
        if parser.token.kind != .end { throw parser.surplus() }
        return tree
    }

    /// `Expr`
    mutating func expression() throws(CELMistake) -> CELSyntax {
        depth += 1
        defer { depth -= 1 }
        // The expression itself is in nothing.
        if depth - 1 > Self.maxDepth { throw Self.tooDeep(at: token.range) }
        let condition = try operation()
        guard token.isSymbol("?") else { return condition }
        let place = try advance()
        let first = try operation()
        guard token.isSymbol(":") else {
            throw CELMistake("the ':' of this '?' is missing", "write condition ? value : value", at: place)
        }
        try advance()
        let second = try expression()
        return try node(.conditional(condition, at: place, first, second), from: condition, [condition, first, second])
    }

    /// `ConditionalOr` and what binds tighter, by precedence climbing.
    private mutating func operation(above lowest: Int = 0) throws(CELMistake) -> CELSyntax {
        var left = try unary()
        while let binary = token.binaryOperator, binary.precedence >= lowest {
            var operands = [left]
            var places: [Range<Int>] = []
            repeat {
                places.append(try advance())
                operands.append(try operation(above: binary.precedence + 1))
            } while binary.isLogical && token.binaryOperator == binary
            left = try balanced(binary, operands[...], places[...])
        }
        return left
    }

    /// A tree of operands between equal operators. Long chains of `&&` and `||`, whose order does not matter, stay low.
    private func balanced(
        _ binary: CELOperator, _ operands: ArraySlice<CELSyntax>, _ places: ArraySlice<Range<Int>>
    ) throws(CELMistake) -> CELSyntax {
        if operands.count == 1 { return operands.first! }
        let middle = operands.startIndex + operands.count / 2
        let left = try balanced(binary, operands[..<middle], places[..<(middle - 1)])
        let right = try balanced(binary, operands[middle...], places[middle...])
        let range = left.range.lowerBound..<right.range.upperBound
        return try node(.binary(binary, at: places[middle - 1], left, right), range, [left, right])
    }

    /// `Unary`. Of a run of equal signs one or two are as good as all.
    private mutating func unary() throws(CELMistake) -> CELSyntax {
        guard token.isSymbol("!") || token.isSymbol("-") else { return try member() }
        let sign = token
        var places: [Range<Int>] = []
        while token.kind == sign.kind { places.append(try advance()) }
        var operand: CELSyntax
        if sign.isSymbol("-"), let literal = try negativeLiteral(after: places.last!) {
            places.removeLast()
            operand = try member(of: literal)
        } else {
            operand = try member()
        }
        for place in places.prefix(places.isEmpty ? 0 : 2 - places.count % 2).reversed() {
            let form = sign.isSymbol("!") ? CELSyntax.Form.not(operand, at: place) : .negate(operand, at: place)
            operand = try node(form, from: place.lowerBound, [operand])
        }
        return operand
    }

    /// The number that is next, with its minus: -2^63 is an integer, and 2^63 is none.
    private mutating func negativeLiteral(after minus: Range<Int>) throws(CELMistake) -> CELSyntax? {
        let value: CELValue
        switch token.kind {
        case .integer(let magnitude):
            guard magnitude <= Int64.min.magnitude else {
                throw CELLexer.tooLarge("-" + lexer.text(token.range), at: minus.lowerBound..<token.range.upperBound)
            }
            value = .int(Int64(truncatingIfNeeded: 0 &- magnitude))
        case .number(let number):
            guard let negative = number.negated else { return nil }
            value = .number(negative)
        default: return nil
        }
        try advance()
        return try node(.literal(value), from: minus.lowerBound, [])
    }

    /// Takes the next word, and says where it stands.
    @discardableResult
    mutating func advance() throws(CELMistake) -> Range<Int> {
        let range = token.range
        end = range.upperBound
        token = try lexer.next()
        return range
    }

    /// A node from the start of its first part to the last word.
    func node(_ form: CELSyntax.Form, from first: CELSyntax, _ parts: [CELSyntax]) throws(CELMistake) -> CELSyntax {
        try node(form, from: first.range.lowerBound, parts)
    }

    /// A node from some place to the last word.
    func node(_ form: CELSyntax.Form, from start: Int, _ parts: [CELSyntax]) throws(CELMistake) -> CELSyntax {
        try node(form, start..<end, parts)
    }

    /// A node that is not too high.
    private func node(
        _ form: CELSyntax.Form, _ range: Range<Int>, _ parts: [CELSyntax]
    ) throws(CELMistake) -> CELSyntax {
        let height = 1 + parts.reduce(0) { max($0, $1.height) }
        if height > CELSyntax.maxHeight { throw Self.tooDeep(at: range) }
        return CELSyntax(form: form, range: range, height: height)
    }

    /// The mistake of too many parts one in the other.
    private static func tooDeep(at range: Range<Int>) -> CELMistake {
        CELMistake("the expression is nested too deeply", "split it into several rules", at: range)
    }

    /// The mistake of a word after the expression.
    private func surplus() -> CELMistake {
        let advice: String? =
            switch token.kind {
            case .identifier("and"), .identifier("AND"): "write '&&'"
            case .identifier("or"), .identifier("OR"): "write '||'"
            case .identifier("is"), .identifier("IS"): "write '==', or has(x) for a column with a value"
            case .identifier("like"), .identifier("LIKE"): "write x.matches('…')"
            case .symbol(")"), .symbol("]"), .symbol("}"): "remove it, or open it before"
            default: nil
            }
        return CELMistake("an operator is missing before \(described)", advice, at: token.range)
    }

    /// The next word, in a message.
    var described: String {
        token.kind == .end ? "the end" : "'\(lexer.text(token.range).prefix(40))'"
    }
}

extension CELOperator {
    /// Whether it is `&&` or `||`.
    fileprivate var isLogical: Bool { self == .and || self == .or }
}
