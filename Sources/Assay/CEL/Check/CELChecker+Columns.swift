// Names: columns, the variables of macros, row["name"] and has().

extension CELChecker {
    /// Whether the syntax is `row`, the record, which supports only access to columns.
    func isRow(_ syntax: CELSyntax) -> Bool {
        if case .name("row", _) = syntax.form { true } else { false }
    }

    /// A single name: the variable of a macro, or a column.
    mutating func name(_ name: String, isRooted: Bool, at range: Range<Int>) throws(CELMistake) -> CELNode {
        if !isRooted, let local = locals.lastIndex(where: { $0.name == name }) {
            return CELNode(.local(local), locals[local].type, range)
        }
        return try column(name, at: range, name: range)
    }

    /// `row.column`, or a column with points in its name. Other values have no fields.
    mutating func selection(
        _ syntax: CELSyntax, _ operand: CELSyntax, _ field: CELName
    ) throws(CELMistake) -> CELNode {
        if let name = columnName(syntax), isRow(operand) || place(of: name) != nil {
            return try column(name, at: syntax.range, name: field.range)
        }
        if let refusal = namespace(of: operand) { throw refusal.mistake(at: syntax.range) }
        let value = try node(of: operand)
        let advice = ["length", "size", "count"].contains(field.text) ? "write size(\(text(of: value.range)))" : nil
        throw CELRefusal.fields.mistake(advice, at: field.range)
    }

    /// `has(x)`: whether a column has a value.
    mutating func has(_ syntax: CELSyntax, _ arguments: [CELSyntax]) throws(CELMistake) -> CELNode {
        if aggregates != nil {
            throw CELMistake(
                "'has' is about one record, and this is a rule on a table", "write count(x) > 0", at: syntax.range)
        }
        let advice = "write has(name), or has(row[\"name\"])"
        guard arguments.count == 1, let argument = arguments.first else {
            throw CELMistake("'has' takes one column", advice, at: syntax.range)
        }
        if case .unsupported(let refusal) = argument.form { throw refusal.mistake(at: argument.range) }
        if case .select(let operand, _) = argument.form, case .unsupported(let refusal) = operand.form {
            throw refusal.mistake(at: operand.range)
        }
        guard let name = columnName(argument) else {
            throw CELMistake("'has' needs a column", advice, at: argument.range)
        }
        if case .name(_, isRooted: false) = argument.form, locals.contains(where: { $0.name == name }) {
            throw CELMistake("'has' needs a column, and '\(name)' is a macro's variable", at: argument.range)
        }
        guard let place = place(of: name) else { throw unknown(name, at: argument.range) }
        return CELNode(.has(place), .bool, syntax.range)
    }

    /// The feature of a function's receiver, if the receiver is the namespace of an extension and not a column.
    func namespace(of syntax: CELSyntax) -> CELRefusal? {
        switch syntax.form {
        case .name(let name, _):
            place(of: name) == nil && !locals.contains { $0.name == name } ? CELRefusal.namespaces[name] : nil
        case .select(let operand, _): namespace(of: operand)
        default: nil
        }
    }

    /// The name of the column that an expression refers to, which may not exist: `x`, `x.y`, `row.x`, `row["x"]`.
    func columnName(_ syntax: CELSyntax) -> String? {
        switch syntax.form {
        case .name(let name, _): name
        case .select(let operand, let field):
            isRow(operand) ? field.text : columnName(operand).map { "\($0).\(field.text)" }
        case .index(let operand, let index):
            if isRow(operand), case .literal(.string(let name)) = index.form { name } else { nil }
        default: nil
        }
    }

    /// A column by its name.
    mutating func column(_ name: String, at range: Range<Int>, name place: Range<Int>) throws(CELMistake) -> CELNode {
        guard let index = self.place(of: name) else { throw unknown(name, at: place) }
        if aggregates != nil { throw columnWithoutAggregate(name, at: range) }
        return CELNode(.field(index), variables[index].type, range)
    }

    /// Whether a range of the text is a part of a column's name: `date` in `order-date`.
    private func isPart(_ range: Range<Int>, of column: String) -> Bool {
        let column = Array(column.utf8)
        guard column.count > range.count else { return false }
        return (0...column.count - range.count).contains { before in
            let start = range.lowerBound - before
            return start >= 0 && text[start...].starts(with: column)
        }
    }

    /// The mistake of an unknown name.
    mutating func unknown(_ name: String, at range: Range<Int>) -> CELMistake {
        if CELRefusal.typeNames.contains(name) { return CELRefusal.types.mistake(at: range) }
        if name == "row" {
            return CELMistake("'row' alone is not a value", "write row[\"name\"] for a column", at: range)
        }
        if let column = variables.map(\.name).first(where: { isPart(range, of: $0) }) {
            return CELMistake("there is no column '\(name)'", "write row[\"\(column)\"]", at: range)
        }
        if CELClock(rawValue: name) != nil {
            return CELMistake(
                "there is no column '\(name)', and the time of the run is a function", "write \(name)()", at: range)
        }
        let names = locals.map(\.name) + variables.map(\.name)
        var advice = budget.closestName(to: name, among: names).map { "did you mean '\($0)'?" }
        let isSimilar = advice != nil
        if advice == nil, variables.count <= 8, !variables.isEmpty {
            advice = "the columns are " + variables.map { "'\($0.name)'" }.joined(separator: ", ")
        }
        var mistake = CELMistake("there is no column '\(name)'", advice, at: range)
        if !isSimilar { mistake.unknownColumn = name }
        return mistake
    }
}
