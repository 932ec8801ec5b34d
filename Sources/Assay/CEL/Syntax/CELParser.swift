/// Parses an expression into a tree.
///
/// It accepts the whole grammar of CEL. Features without support in row rules become
/// ``CELSyntax/Form/unsupported(_:)``, which the checker refuses. The length of the text, the nesting depth and the
/// height of the tree are bounded, so that the stack cannot overflow.
///
/// Source: cel-spec, "Syntax".
struct CELParser {
    /// The maximum length of an expression in bytes.
    static let maxBytes = 1 << 16
    /// The maximum nesting depth of parentheses, lists, calls and conditions. A depth of 100 needs between 256 and 512
    /// KiB of stack.
    private static let maxDepth = 60

    var lexer: CELLexer
    /// The next token.
    var token: CELToken
    /// The end of the previous token.
    var end = 0
    /// The number of enclosing expressions.
    private var depth = 0

    private init(_ bytes: [UInt8]) throws(CELMistake) {
        lexer = CELLexer(bytes)
        token = try lexer.next()
    }

    /// Parses a whole text.
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
        // The outermost expression has depth 0.
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

    /// `ConditionalOr` and all operators of higher precedence, by precedence climbing.
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

    /// A balanced tree of operands with the same operator. It keeps the height of long `&&` and `||` chains small,
    /// because the order of these operands does not matter.
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

    /// `Unary`. A run of equal signs is reduced to one or two, which have the same meaning.
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

    /// Reads the next number as negative, because -2^63 is an integer, and 2^63 is not.
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

    /// Advances to the next token, and returns the range of the current one.
    @discardableResult
    mutating func advance() throws(CELMistake) -> Range<Int> {
        let range = token.range
        end = range.upperBound
        token = try lexer.next()
        return range
    }

    /// A node from the start of its first part to the previous token.
    func node(_ form: CELSyntax.Form, from first: CELSyntax, _ parts: [CELSyntax]) throws(CELMistake) -> CELSyntax {
        try node(form, from: first.range.lowerBound, parts)
    }

    /// A node from a place to the previous token.
    func node(_ form: CELSyntax.Form, from start: Int, _ parts: [CELSyntax]) throws(CELMistake) -> CELSyntax {
        try node(form, start..<end, parts)
    }

    /// A node.
    ///
    /// - Throws: A mistake if the node is higher than ``CELSyntax/maxHeight``.
    private func node(
        _ form: CELSyntax.Form, _ range: Range<Int>, _ parts: [CELSyntax]
    ) throws(CELMistake) -> CELSyntax {
        let height = 1 + parts.reduce(0) { max($0, $1.height) }
        if height > CELSyntax.maxHeight { throw Self.tooDeep(at: range) }
        return CELSyntax(form: form, range: range, height: height)
    }

    /// The mistake of an expression that is nested too deeply.
    private static func tooDeep(at range: Range<Int>) -> CELMistake {
        CELMistake("the expression is nested too deeply", "split it into several rules", at: range)
    }

    /// The mistake of a token after the expression.
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

    /// The next token, for messages.
    var described: String {
        token.kind == .end ? "the end" : "'\(lexer.text(token.range).prefix(40))'"
    }
}

extension CELOperator {
    /// Whether it is `&&` or `||`.
    fileprivate var isLogical: Bool { self == .and || self == .or }
}
