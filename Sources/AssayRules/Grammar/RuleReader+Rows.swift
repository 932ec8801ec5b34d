internal import Assay

extension RuleReader {
    /// Reads the row rules. The columns in them have the types of the fields.
    mutating func rows(_ node: YAMLNode, of fields: [Field]) -> [RowRule] {
        let advice = "write - {id: dates, check: 'end >= start'}"
        guard let nodes = list(node, "a list of row rules", suggestion: advice) else { return [] }
        var rules: [RowRule] = []
        let columns = CELColumns(fields)
        for (index, node) in nodes.enumerated() where !isFull {
            if let rule = row(node, number: index + 1, of: fields, columns) { rules.append(rule) }
        }
        return rules
    }

    private mutating func row(_ node: YAMLNode, number: Int, of fields: [Field], _ columns: CELColumns) -> RowRule? {
        guard let entries = entries(node, "a row rule such as {check: 'end >= start'}", .row) else { return nil }
        let id = entries["id"].flatMap { text($0, "an id") }
        let message = entries["message"].flatMap { text($0, "a message") }
        let severity = severity(entries)
        guard let check = entries["check"] else {
            if !entries.meant.contains("check") && !entries.hasStrangers {
                complain(at: entries.range, "'check' is missing", "write {check: 'end >= start'}")
            }
            return nil
        }
        guard countRule(at: check.range), let expression = text(check, "an expression") else { return nil }
        let rule = RowRule(id: id ?? "rows.\(number)", check: expression, message: message, severity: severity)
        do {
            for pattern in try rule.program(for: fields, columns, &budget).patterns {
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
        return take(rule.id, at: place, isWritten: id != nil) ? rule : nil
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
