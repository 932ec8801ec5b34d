extension CELChecker {
    /// `list.all(x, condition)` and the other macros.
    mutating func macro(
        _ syntax: CELSyntax, _ macro: CELMacro, _ receiver: CELSyntax, _ name: CELName, _ arguments: [CELSyntax]
    ) throws(CELMistake) -> CELNode {
        let list = try node(of: receiver)
        guard case .list(let element) = list.type.joined(.list(.nothing)) else {
            throw CELMistake("'\(name.text)' needs a list, found \(list.type.name)", at: name.range)
        }
        if arguments.count == 3 && macro != .map, case .name = arguments[1].form {
            throw CELRefusal.twoVariableMacros.mistake(at: name.range)
        }
        try count(arguments, macro == .map ? 2...3 : 2...2, name)
        let local = locals.count
        locals.append((try variable(arguments[0], name), element))
        defer { locals.removeLast() }
        let body = try node(of: arguments[1])
        let map = arguments.count == 3 ? try node(of: arguments[2]) : nil
        if macro == .map && map == nil {
            let form = CELNode.Form.macro(.map, list: list, local: local, body: body, map: nil)
            return CELNode(form, .list(body.type), syntax.range)
        }
        guard body.type.joined(.bool) == .bool else {
            throw CELMistake("'\(name.text)' needs a bool here, found \(body.type.name)", at: body.range)
        }
        let type: CELType =
            switch macro {
            case .all, .exists, .existsOne: .bool
            case .filter: list.type
            case .map: .list(map?.type ?? .nothing)
            }
        let form = CELNode.Form.macro(
            macro, list: list, local: local, body: body.widened(to: .bool), map: map)
        return CELNode(form, type, syntax.range)
    }

    /// The name of the elements in a macro.
    private func variable(_ syntax: CELSyntax, _ macro: CELName) throws(CELMistake) -> String {
        if case .name("row", isRooted: false) = syntax.form {
            throw CELMistake("'row' is the record", "write \(macro.text)(x, …)", at: syntax.range)
        }
        guard case .name(let name, isRooted: false) = syntax.form else {
            throw CELMistake(
                "'\(macro.text)' begins with a name for the elements", "write \(macro.text)(x, …)", at: syntax.range)
        }
        return name
    }
}
