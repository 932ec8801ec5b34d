extension CELChecker {
    /// `!x`
    mutating func negation(
        of operand: CELSyntax, at place: Range<Int>, _ range: Range<Int>
    ) throws(CELMistake) -> CELNode {
        let value = try node(of: operand)
        guard value.type.joined(.bool) == .bool else {
            throw CELMistake("'!' needs a bool, found \(value.type.name)", at: place)
        }
        return CELNode(.call(.not, [value.widened(to: .bool)]), .bool, range)
    }

    /// `-x`
    mutating func minus(
        _ operand: CELSyntax, at place: Range<Int>, _ range: Range<Int>
    ) throws(CELMistake) -> CELNode {
        let value = try node(of: operand)
        let type = value.type == .nothing ? .int : value.type
        guard type == .int || type == .number else {
            throw CELMistake("'-' needs an int or a number, found \(type.name)", at: place)
        }
        return CELNode(.call(.negate, [value.widened(to: type)]), type, range)
    }

    /// `left operator right`
    mutating func binary(
        _ binary: CELOperator, at place: Range<Int>, _ left: CELSyntax, _ right: CELSyntax, _ range: Range<Int>
    ) throws(CELMistake) -> CELNode {
        let operands = (try node(of: left), try node(of: right))
        let (type, arguments) =
            switch binary {
            case .and, .or: (CELType.bool, try bools(binary, at: place, operands))
            case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
                (.bool, try comparison(binary, at: place, operands))
            case .contained: (.bool, try membership(at: place, operands))
            case .add, .subtract, .multiply, .divide, .modulo: try arithmetic(binary, at: place, operands)
            }
        return CELNode(.call(binary.function, arguments), type, range)
    }

    /// The operands of `&&` and `||`.
    private func bools(
        _ binary: CELOperator, at place: Range<Int>, _ operands: (CELNode, CELNode)
    ) throws(CELMistake) -> [CELNode] {
        let nodes = [operands.0, operands.1]
        if let wrong = nodes.first(where: { $0.type.joined(.bool) != .bool }) {
            let found = "found \(operands.0.type.name) and \(operands.1.type.name)"
            let advice = wrong.type == .string ? "compare it, as in \(text(of: wrong.range)) == '…'" : nil
            throw CELMistake("'\(binary.rawValue)' needs two bools, \(found)", advice, at: place)
        }
        return nodes.map { $0.widened(to: .bool) }
    }

    /// The operands of `==`, `<` and the other comparisons.
    private func comparison(
        _ binary: CELOperator, at place: Range<Int>, _ operands: (CELNode, CELNode)
    ) throws(CELMistake) -> [CELNode] {
        guard let type = operands.0.type.joined(operands.1.type) else {
            throw CELMistake(
                "'\(binary.rawValue)' needs two values of one type, found \(operands.0.type.name) and "
                    + operands.1.type.name, conversionAdvice(operands.0, operands.1), at: place)
        }
        guard type.isOrdered || binary == .equal || binary == .notEqual else {
            throw CELMistake("'\(binary.rawValue)' needs values with an order, which lists do not have", at: place)
        }
        return [operands.0, operands.1].map { $0.widened(to: type, depth: locals.count) }
    }

    /// `value in list`
    private func membership(
        at place: Range<Int>, _ operands: (CELNode, CELNode)
    ) throws(CELMistake) -> [CELNode] {
        let (value, list) = operands
        guard case .list(let element) = list.type.joined(.list(.nothing)) else {
            let advice =
                list.type == .string && value.type == .string
                ? "write \(text(of: list.range)).contains(\(text(of: value.range)))" : "write a list, as in [1, 2]"
            throw CELMistake("'in' needs a list behind it, found \(list.type.name)", advice, at: place)
        }
        guard let type = element.joined(value.type) else {
            throw CELMistake(
                "'in' needs a value of the list's type, found \(value.type.name) and \(list.type.name)", at: place)
        }
        let depth = locals.count
        return [value.widened(to: type, depth: depth), list.widened(to: .list(type), depth: depth)]
    }

    /// The type of the result of `+ - * / %`, and the operands.
    private func arithmetic(
        _ binary: CELOperator, at place: Range<Int>, _ operands: (CELNode, CELNode)
    ) throws(CELMistake) -> (CELType, [CELNode]) {
        var (left, right) = operands
        // An operand of type `nothing` gets the type that the other operand requires.
        switch (left.type, right.type) {
        case (.nothing, .timestamp): left = left.widened(to: binary == .add ? .duration : .timestamp)
        case (.timestamp, .nothing): right = right.widened(to: .duration)
        default: break
        }
        switch (binary, left.type, right.type) {
        case (.add, .timestamp, .duration), (.subtract, .timestamp, .duration): return (.timestamp, [left, right])
        case (.add, .duration, .timestamp): return (.timestamp, [right, left])
        case (.subtract, .timestamp, .timestamp): return (.duration, [left, right])
        default: break
        }
        let joined = left.type.joined(right.type)
        let type = joined == .nothing ? .int : joined
        guard let type, binary.takes(type) else {
            let advice =
                switch (binary, left.type, right.type) {
                case (.add, .string, _): "write string(\(text(of: right.range)))"
                case (.add, _, .string): "write string(\(text(of: left.range)))"
                case (.modulo, .number, _): "write int(\(text(of: left.range)))"
                case (.modulo, _, .number): "write int(\(text(of: right.range)))"
                default: conversionAdvice(left, right)
                }
            throw CELMistake(
                "'\(binary.rawValue)' needs \(binary.operands), found \(left.type.name) and \(right.type.name)", advice,
                at: place)
        }
        return (type, [left, right].map { $0.widened(to: type, depth: locals.count) })
    }

    /// The conversion of one value to the type of the other: `timestamp(x)` for a string combined with a timestamp.
    func conversionAdvice(_ first: CELNode, _ second: CELNode) -> String? {
        func conversion(of node: CELNode, to type: CELType) -> String? {
            let function: String? =
                switch (node.type, type) {
                case (.string, .int): "int"
                case (.string, .number): "double"
                case (.string, .bool): "bool"
                case (.string, .timestamp), (.int, .timestamp): "timestamp"
                case (.string, .duration): "duration"
                default: nil
                }
            if type == .timestamp, let text = node.midnight { return "write timestamp('\(text)')" }
            return function.map { "write \($0)(\(text(of: node.range)))" }
        }
        return conversion(of: first, to: second.type) ?? conversion(of: second, to: first.type)
    }
}

extension CELNode {
    /// The timestamp of midnight for a literal that is only a date.
    var midnight: String? {
        guard case .literal(.string(let date)) = form else { return nil }
        let text = date + "T00:00:00Z"
        return CELTime(timestamp: text.utf8) == nil ? nil : text
    }
}

extension CELOperator {
    /// Whether the operator accepts two values of a type.
    fileprivate func takes(_ type: CELType) -> Bool {
        switch (self, type) {
        case (.modulo, .int), (_, .int): true
        case (.add, .number), (.subtract, .number), (.multiply, .number), (.divide, .number): true
        case (.add, .duration), (.subtract, .duration), (.add, .string), (.add, .list): true
        default: false
        }
    }

    /// The types of its operands, for messages.
    fileprivate var operands: String {
        switch self {
        case .modulo: "two ints"
        case .add: "two numbers, strings, lists or durations, or a timestamp and a duration"
        case .subtract: "two numbers, timestamps or durations, or a timestamp and a duration"
        default: "two numbers"
        }
    }
}
