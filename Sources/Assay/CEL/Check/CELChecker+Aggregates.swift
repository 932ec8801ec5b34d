// Aggregates of columns, in the expressions of rules on a table.

extension CELChecker {
    /// `mean(amount)` and the other aggregates, and `share(…)`; `nil` for other functions, and outside of rules on a
    /// table.
    mutating func aggregate(
        _ syntax: CELSyntax, _ name: CELName, _ arguments: [CELSyntax]
    ) throws(CELMistake) -> CELNode? {
        if aggregates == nil { return nil }
        if name.text == "share" { return try share(syntax, name, arguments) }
        guard let function = CELAggregate.Function(rawValue: name.text) else { return nil }
        let allowed =
            switch function {
            case .count: 0...1
            case .quantile: 2...2
            default: 1...1
            }
        try count(arguments, allowed, name)
        var aggregate = CELAggregate(function)
        var type = CELType.int
        if let argument = arguments.first {
            let column = try aggregatedColumn(argument, of: function)
            guard let result = function.result(of: column.type) else {
                throw CELMistake(
                    "'\(name.text)' needs \(function.takes), and '\(text(of: argument.range))' is "
                        + column.type.name, "set the type of the field", at: argument.range)
            }
            type = result
            aggregate = CELAggregate(
                function, column: column.index, share: arguments.count > 1 ? try quantileShare(arguments[1]) : nil)
        }
        guard let place = aggregates?.place(of: aggregate, type) else {
            throw CELMistake(
                "more than \(CELAggregate.maxCount) different aggregates of a table",
                "divide the rules between several files", at: syntax.range)
        }
        return CELNode(.field(place), type, syntax.range)
    }

    /// The mistake of an aggregate outside of rules on a table, or of one that is written as a method.
    func misplacedAggregate(_ name: CELName, of receiver: CELSyntax? = nil) -> CELMistake? {
        guard let function = CELAggregate.Function(rawValue: name.text), function != .count || aggregates != nil else {
            return nil
        }
        if aggregates == nil {
            return CELMistake(
                "'\(name.text)' is an aggregate, which only rules on a table have",
                "write a rule with \(function.usage) under 'table'", at: name.range)
        }
        return receiver.map { receiver in
            CELMistake(
                "'\(name.text)' is written before its column",
                "write \(function.usage.replacing("x", with: text(of: receiver.range)))", at: name.range)
        }
    }

    /// The mistake of a column that is not the argument of an aggregate.
    func columnWithoutAggregate(_ name: String, at range: Range<Int>) -> CELMistake {
        CELMistake(
            "a rule on a table needs an aggregate of the column '\(name)'",
            "write count(\(text(of: range))), min(\(text(of: range))) or another aggregate; rules on each record "
                + "belong under 'rows'", at: range)
    }

    /// The column of an aggregate.
    private mutating func aggregatedColumn(
        _ argument: CELSyntax, of function: CELAggregate.Function
    ) throws(CELMistake) -> (index: Int, type: CELType) {
        if case .unsupported(let refusal) = argument.form { throw refusal.mistake(at: argument.range) }
        guard let name = columnName(argument) else {
            throw CELMistake(
                "'\(function.rawValue)' needs a column, and aggregates of expressions are not supported",
                "write \(function.usage) with the name of a column", at: argument.range)
        }
        if case .name(_, isRooted: false) = argument.form, locals.contains(where: { $0.name == name }) {
            throw CELMistake(
                "'\(function.rawValue)' needs a column, and '\(name)' is a macro's variable", at: argument.range)
        }
        guard let index = place(of: name) else { throw unknown(name, at: argument.range) }
        return (index, variables[index].type)
    }

    /// The share of a quantile.
    private func quantileShare(_ argument: CELSyntax) throws(CELMistake) -> CELNumber {
        let number: CELNumber? =
            switch argument.form {
            case .literal(.int(let value)): CELNumber(value)
            case .literal(.number(let value)): value
            default: nil
            }
        guard let number, !(number < CELNumber(0)), !(CELNumber(1) < number) else {
            throw CELMistake(
                "the share of 'quantile' must be a number from 0 to 1", "write quantile(x, 0.95)", at: argument.range)
        }
        return number.stripped
    }

    /// `share(missing(email))`: a number of records divided by the number of all records.
    private mutating func share(
        _ syntax: CELSyntax, _ name: CELName, _ arguments: [CELSyntax]
    ) throws(CELMistake) -> CELNode {
        try count(arguments, 1...1, name)
        let part = try node(of: arguments[0])
        guard part.type.joined(.int) == .int else {
            throw CELMistake(
                "'share' needs a number of records, found \(part.type.name)", "write share(missing(x))", at: part.range)
        }
        guard let place = aggregates?.place(of: CELAggregate(.count), .int) else {
            throw CELMistake(
                "more than \(CELAggregate.maxCount) different aggregates of a table",
                "divide the rules between several files", at: syntax.range)
        }
        let records = CELNode(.field(place), .int, syntax.range)
        let operands = [part, records].map { $0.widened(to: .number, depth: locals.count) }
        return CELNode(.call(.divide, operands), .number, syntax.range)
    }
}
