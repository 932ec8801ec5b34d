/// Converts syntax into type-checked nodes, or throws the first mistake.
struct CELChecker {
    let text: [UInt8]
    private let columns: CELColumns
    var variables: [CELVariable] { columns.variables }
    /// The remaining budget for reading rule files.
    var budget: ReadingBudget
    /// The variables of the enclosing macros, outermost first.
    var locals: [(name: String, type: CELType)] = []
    /// The patterns of `matches`.
    var patterns: [Pattern] = []
    /// The formats of `isFormat`.
    var formats: [CompiledCheck] = []
    /// The aggregates of a rule on a table; `nil` for rules on records.
    var aggregates: CELAggregates?
    /// The time zones, by their names in the text.
    var zones: [String: ZoneOffsets] = [:]

    init(_ text: [UInt8], _ columns: CELColumns, _ budget: ReadingBudget) {
        (self.text, self.columns, self.budget) = (text, columns, budget)
    }

    /// The node of a syntax tree.
    ///
    /// - Throws: The first mistake.
    mutating func node(of syntax: CELSyntax) throws(CELMistake) -> CELNode {
        switch syntax.form {
        case .literal(let value): CELNode(.literal(value), value.type, syntax.range)
        case .name(let name, let isRooted): try self.name(name, isRooted: isRooted, at: syntax.range)
        case .select(let operand, let field): try selection(syntax, operand, field)
        case .index(let operand, let index): try self.index(syntax, operand, index)
        case .call(let name, let arguments): try call(syntax, name, arguments)
        case .method(let receiver, let name, let arguments): try method(syntax, receiver, name, arguments)
        case .list(let elements): try list(elements, at: syntax.range)
        case .not(let operand, let place): try negation(of: operand, at: place, syntax.range)
        case .negate(let operand, let place): try minus(operand, at: place, syntax.range)
        case .binary(let binary, let place, let left, let right):
            try self.binary(binary, at: place, left, right, syntax.range)
        case .conditional(let condition, let place, let first, let second):
            try conditional(syntax, condition, at: place, first, second)
        case .unsupported(let refusal): throw refusal.mistake(at: syntax.range)
        }
    }

    /// The place of a variable; `nil` for an unknown name.
    func place(of name: String) -> Int? { columns.places[name] }

    /// The text of a range, or `…` if it has more than 40 bytes.
    func text(of range: Range<Int>) -> String {
        range.count <= 40 ? String(decoding: text[range], as: UTF8.self) : "…"
    }

    /// A list of one type. Its elements are widened to this type.
    private mutating func list(_ elements: [CELSyntax], at range: Range<Int>) throws(CELMistake) -> CELNode {
        var nodes: [CELNode] = []
        var type = CELType.nothing
        for element in elements {
            let node = try node(of: element)
            guard let joined = type.joined(node.type) else {
                throw CELMistake(
                    "the elements of a list need one type, found \(type.name) and \(node.type.name)",
                    "write \(text(of: elements[0].range)) and this in one way", at: node.range)
            }
            type = joined
            nodes.append(node)
        }
        let depth = locals.count
        return CELNode(.list(nodes.map { $0.widened(to: type, depth: depth) }), .list(type), range)
    }

    /// `list[index]`, or `row["column"]`.
    private mutating func index(
        _ syntax: CELSyntax, _ operand: CELSyntax, _ index: CELSyntax
    ) throws(CELMistake) -> CELNode {
        if isRow(operand) {
            guard case .literal(.string(let name)) = index.form else {
                throw CELMistake(
                    "the name of a column must be a text in quotes", "write row[\"name\"]", at: index.range)
            }
            return try column(name, at: syntax.range, name: index.range)
        }
        let list = try node(of: operand)
        guard case .list(let element) = list.type.joined(.list(.nothing)) else {
            throw CELMistake("only lists have an index, and this is \(list.type.name)", at: list.range)
        }
        let place = try node(of: index)
        guard place.type.joined(.int) == .int else {
            throw CELMistake("an index must be an int, and this is \(place.type.name)", at: place.range)
        }
        return CELNode(.call(.index, [list, place.widened(to: .int)]), element, syntax.range)
    }

    /// `condition ? first : second`
    private mutating func conditional(
        _ syntax: CELSyntax, _ condition: CELSyntax, at place: Range<Int>, _ first: CELSyntax, _ second: CELSyntax
    ) throws(CELMistake) -> CELNode {
        let condition = try node(of: condition)
        guard condition.type.joined(.bool) == .bool else {
            throw CELMistake("'?' needs a bool before it, found \(condition.type.name)", at: place)
        }
        let (first, second) = (try node(of: first), try node(of: second))
        guard let type = first.type.joined(second.type) else {
            throw CELMistake(
                "'?' needs two values of one type, found \(first.type.name) and \(second.type.name)",
                conversionAdvice(first, second), at: place)
        }
        let branches = [first, second].map { $0.widened(to: type, depth: locals.count) }
        return CELNode(.call(.conditional, [condition.widened(to: .bool)] + branches), type, syntax.range)
    }
}

extension CELValue {
    /// The type of a literal.
    fileprivate var type: CELType {
        switch self {
        case .bool: .bool
        case .int: .int
        case .number: .number
        case .string: .string
        case .timestamp: .timestamp
        case .duration: .duration
        case .list(let values): .list(values.first?.type ?? .nothing)
        }
    }
}
