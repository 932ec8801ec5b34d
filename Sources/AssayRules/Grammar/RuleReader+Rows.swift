internal import Assay

extension RuleReader {
    /// Reads the row rules. The columns in them have the types of the fields.
    mutating func rows(_ node: YAMLNode, of fields: [Field]) -> [RowRule] {
        let columns = CELColumns(fields)
        return expressions(node, ExpressionRules.rows) { (rule, budget) throws(CELMistake) in
            let rule = RowRule(id: rule.id, check: rule.check, message: rule.message, severity: rule.severity)
            return (rule, try rule.program(for: fields, columns, &budget))
        }
    }

    /// Reads the rules on the table.
    mutating func table(_ node: YAMLNode, of fields: [Field]) -> [TableRule] {
        var aggregates = CELAggregates(CELColumns(fields))
        return expressions(node, ExpressionRules.table) { (rule, budget) throws(CELMistake) in
            let rule = TableRule(id: rule.id, check: rule.check, message: rule.message, severity: rule.severity)
            return (rule, try rule.program(for: fields, &aggregates, &budget))
        }
    }

    /// Reads a list of rules with expressions.
    ///
    /// - Parameter compile: Makes a rule and compiles its expression.
    private mutating func expressions<Made>(
        _ node: YAMLNode, _ rules: ExpressionRules,
        _ compile: (ReadExpression, inout ReadingBudget) throws(CELMistake) -> (Made, CELProgram)
    ) -> [Made] {
        guard let nodes = list(node, "a list of \(rules.several)", suggestion: "write - \(rules.exampleWithID)") else {
            return []
        }
        var made: [Made] = []
        for (index, node) in nodes.enumerated() where !isFull {
            if let rule = expression(node, number: index + 1, rules, compile) { made.append(rule) }
        }
        return made
    }

    private mutating func expression<Made>(
        _ node: YAMLNode, number: Int, _ rules: ExpressionRules,
        _ compile: (ReadExpression, inout ReadingBudget) throws(CELMistake) -> (Made, CELProgram)
    ) -> Made? {
        guard let entries = entries(node, "\(rules.one) such as \(rules.example)", rules.keys) else { return nil }
        let id = entries["id"].flatMap { text($0, "an id") }
        let message = entries["message"].flatMap { text($0, "a message") }
        let severity = severity(entries)
        guard let check = entries["check"] else {
            if !entries.meant.contains("check") && !entries.hasStrangers {
                complain(at: entries.range, "'check' is missing", "write \(rules.example)")
            }
            return nil
        }
        guard countRule(at: check.range), let expression = text(check, "an expression") else { return nil }
        let rule = ReadExpression(
            id: id ?? "\(rules.key).\(number)", check: expression, message: message, severity: severity)
        let made: Made
        do {
            let (compiled, program) = try compile(rule, &budget)
            made = compiled
            for pattern in program.patterns {
                note(ReadPattern(range: check.range, text: pattern.source, options: pattern.options, isPart: true))
            }
        } catch {
            var mistake = error
            if let name = error.unknownColumn {
                // A table may still have a column with this name.
                mistake.message = "the rules have no field '\(name)'"
                mistake.suggestion = "add it to 'fields': - name: \(name)"
            }
            noteExpressionMistake(mistake, at: check, text: expression)
            return nil
        }
        if entries["id"] != nil && id == nil { return nil }
        let place = entries["id"]?.range ?? entries.keyRange("check") ?? entries.range
        return take(rule.id, at: place, isWritten: id != nil) ? made : nil
    }

    /// Underlines the mistake in an expression at its place in the file.
    mutating func noteExpressionMistake(_ error: CELMistake, at node: YAMLNode, text: String) {
        var mistake = Mistake(range: node.range, message: error.message, suggestion: error.suggestion)
        if error.needsTrust, let change = error.suggestion { mistake.remedy = .trust(or: change) }
        if let start = source.offset(ofByte: error.range.lowerBound, in: node) {
            let end = source.offset(ofByte: error.range.upperBound, in: node)
            mistake.range = start..<max(start, end ?? start)
        } else {
            mistake.excerpt = Mistake.Excerpt(text: text, offset: error.range.lowerBound)
        }
        note(mistake)
    }
}

/// A rule with an expression, as read.
private struct ReadExpression {
    let id: String
    let check: String
    let message: String?
    let severity: Severity
}

/// The words for the rules under `rows` or `table`.
private struct ExpressionRules {
    /// The key of the file.
    let key: String
    let keys: KeyTable
    let one: String
    let several: String
    let example: String
    let exampleWithID: String

    static let rows = ExpressionRules(
        key: "rows", keys: .row, one: "a row rule", several: "row rules", example: "{check: 'end >= start'}",
        exampleWithID: "{id: dates, check: 'end >= start'}")
    static let table = ExpressionRules(
        key: "table", keys: .tableRule, one: "a rule on the table", several: "rules on the table",
        example: "{check: 'count() >= 1000'}", exampleWithID: "{id: enough, check: 'count() >= 1000'}")
}
