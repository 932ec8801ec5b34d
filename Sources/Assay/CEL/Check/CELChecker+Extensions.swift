// The functions of CEL's extensions, and isFormat.

extension CELChecker {
    /// The methods of the extensions.
    static let extensionMethods = CELStringFunction.allCases.map(\.rawValue) + CELListFunction.methods.keys.sorted()

    /// `receiver.function(arguments)` of the strings and lists extensions; `nil` for other methods.
    mutating func extensionMethod(
        _ syntax: CELSyntax, _ receiver: CELSyntax, _ name: CELName, _ arguments: [CELSyntax]
    ) throws(CELMistake) -> CELNode? {
        guard Self.extensionMethods.contains(name.text) else { return nil }
        // Once, because the time of a chain of methods would double with each call otherwise.
        let value = try node(of: receiver)
        if name.text == "reverse", case .list = value.type {
            return try list(syntax, .reverse, value, name, arguments)
        }
        if let function = CELListFunction.methods[name.text] {
            return try list(syntax, function, value, name, arguments)
        }
        guard let function = CELStringFunction(rawValue: name.text) else { return nil }
        let signature = function.signature
        try count(arguments, signature.required...signature.parameters.count, name)
        var nodes = [try argument(value, signature.receiver, of: name)]
        for (argument, type) in zip(arguments, signature.parameters) {
            nodes.append(try self.argument(try node(of: argument), type, of: name))
        }
        return CELNode(.call(.text(function), nodes), signature.result, syntax.range)
    }

    /// `math.function(numbers)`
    mutating func math(
        _ syntax: CELSyntax, _ function: CELMathFunction, _ name: CELName, _ arguments: [CELSyntax]
    ) throws(CELMistake) -> CELNode {
        try count(arguments, function.takesList ? 1...Int.max : 1...1, name)
        var nodes: [CELNode] = []
        for argument in arguments { nodes.append(try node(of: argument)) }
        if function.takesList { return try extreme(syntax, function, name, nodes) }
        let node = nodes[0]
        guard node.type.isNumeric else { throw notNumeric(node, name) }
        let type: CELType = function.isRounding || node.type != .int ? .number : .int
        return CELNode(.call(.math(function), [node.widened(to: type)]), type, syntax.range)
    }

    /// `math.greatest` and `math.least`, of numbers or of one list.
    private func extreme(
        _ syntax: CELSyntax, _ function: CELMathFunction, _ name: CELName, _ nodes: [CELNode]
    ) throws(CELMistake) -> CELNode {
        if nodes.count == 1, case .list(let element) = nodes[0].type {
            guard element.isNumeric else { throw notNumeric(nodes[0], name) }
            let type: CELType = element == .nothing ? .int : element
            let list = nodes[0].widened(to: .list(type), depth: locals.count)
            return CELNode(.call(.math(function), [list]), type, syntax.range)
        }
        for node in nodes where !node.type.isNumeric { throw notNumeric(node, name) }
        let type: CELType = nodes.contains { $0.type == .number } ? .number : .int
        let list = CELNode(.list(nodes.map { $0.widened(to: type) }), .list(type), syntax.range)
        return CELNode(.call(.math(function), [list]), type, syntax.range)
    }

    private func notNumeric(_ node: CELNode, _ name: CELName) -> CELMistake {
        CELMistake("'math.\(name.text)' needs numbers, found \(node.type.name)", at: node.range)
    }

    /// `sets.function(list, list)`
    mutating func sets(
        _ syntax: CELSyntax, _ function: CELListFunction, _ name: CELName, _ arguments: [CELSyntax]
    ) throws(CELMistake) -> CELNode {
        try count(arguments, 2...2, name)
        let (first, second) = (try node(of: arguments[0]), try node(of: arguments[1]))
        for node in [first, second] {
            guard case .list = node.type.joined(.list(.nothing)) else {
                throw CELMistake("'sets.\(name.text)' needs lists, found \(node.type.name)", at: node.range)
            }
        }
        guard let type = first.type.joined(second.type) else {
            throw CELMistake(
                "'sets.\(name.text)' needs lists of one type, found \(first.type.name) and \(second.type.name)",
                at: name.range)
        }
        let lists = [first, second].map { $0.widened(to: type, depth: locals.count) }
        return CELNode(.call(.lists(function), lists), .bool, syntax.range)
    }

    /// `list.distinct()`, `list.sort()`, `list.slice(start, end)` and `list.reverse()`.
    private mutating func list(
        _ syntax: CELSyntax, _ function: CELListFunction, _ list: CELNode, _ name: CELName, _ arguments: [CELSyntax]
    ) throws(CELMistake) -> CELNode {
        guard case .list(let element) = list.type.joined(.list(.nothing)) else {
            throw CELMistake("'\(name.text)' needs a list, found \(list.type.name)", at: list.range)
        }
        if function == .sort && !element.isOrdered {
            throw CELMistake("'sort' needs elements that have an order, found \(element.name)", at: list.range)
        }
        let number = function == .slice ? 2 : 0
        try count(arguments, number...number, name)
        var nodes = [list.widened(to: .list(element))]
        for argument in arguments { nodes.append(try self.argument(try node(of: argument), .int, of: name)) }
        return CELNode(.call(.lists(function), nodes), .list(element), syntax.range)
    }

    /// `isFormat(text, 'email')`: whether a text has a format that rules can name.
    mutating func isFormat(
        _ syntax: CELSyntax, _ name: CELName, _ arguments: [CELSyntax]
    ) throws(CELMistake) -> CELNode {
        try count(arguments, 2...2, name)
        let text = try argument(try node(of: arguments[0]), .string, of: name)
        guard case .literal(.string(let format)) = arguments[1].form else {
            throw CELMistake(
                "the format of 'isFormat' must be a text in quotes", "write isFormat(x, 'email')",
                at: arguments[1].range)
        }
        guard BuiltInType.named(format) != nil else {
            let word = String(format.prefix { $0 != " " })
            let closest = budget.closestName(to: word, among: BuiltInType.all.map(\.name))
            throw CELMistake(
                "unknown format '\(format)' of a string", closest.map { "did you mean '\($0)'?" },
                at: arguments[1].range)
        }
        do {
            formats.append(try CompiledCheck(.type(ValueType(.string, format: format))))
        } catch {
            throw CELMistake(error.message, at: arguments[1].range)
        }
        return CELNode(.call(.isFormat(formats.count - 1), [text]), .bool, syntax.range)
    }

    /// An argument, or the receiver of a method, of a type.
    private func argument(_ node: CELNode, _ type: CELType, of name: CELName) throws(CELMistake) -> CELNode {
        guard node.type.joined(type) == type else {
            let isText = type == .string && Self.hasText(node.type)
            throw CELMistake(
                "'\(name.text)' needs \(type.nameWithArticle), found \(node.type.name)",
                isText ? "write string(\(text(of: node.range)))" : nil, at: node.range)
        }
        return node.widened(to: type, depth: locals.count)
    }
}

extension CELType {
    fileprivate var isNumeric: Bool { joined(.number) == .number }

    fileprivate var nameWithArticle: String { self == .int ? "an int" : "a \(name)" }
}
