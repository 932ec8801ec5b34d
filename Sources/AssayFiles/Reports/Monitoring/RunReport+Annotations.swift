internal import Assay

extension RunReport {
    /// Returns the findings as commands that show annotations when a step of a GitHub workflow prints them: one for
    /// each rule, at its first finding, because GitHub shows only ten of a kind for a step.
    ///
    ///     ::error file=users.csv,line=3,col=5,title=email.format::240 of 4,000 records: is not an e-mail address
    ///
    /// Source: GitHub, "Workflow commands for GitHub Actions".
    func annotations() -> String {
        let facts = ReportFacts(self)
        let ofRules = facts.found.map { annotation($0, facts) }
        let ofThresholds = result.thresholds.filter(\.isExceeded).map { threshold in
            "::error file=\(propertyEscaped(facts.name)),title=threshold::"
                + dataEscaped(ThresholdText(threshold).warning) + "\n"
        }
        let ofTable = result.tableRules.filter { $0.verdict != .pass }.map { rule in
            "::\(rule.isViolated ? "error" : "warning") file=\(propertyEscaped(facts.name)),"
                + "title=\(propertyEscaped(rule.id))::" + dataEscaped(TableRuleText(rule).warning) + "\n"
        }
        return (ofRules + ofTable + ofThresholds).joined()
    }

    private func annotation(_ rule: RuleFacts, _ facts: ReportFacts) -> String {
        var properties = [("file", rule.places.first?.input ?? facts.name)]
        if let place = rule.places.first {
            properties.append(("line", String(place.line)))
            if let character = place.character { properties.append(("col", String(character))) }
        }
        properties.append(("title", rule.id))
        let subject = rule.columns.isEmpty ? "" : rule.columns.joined(separator: ", ") + ": "
        let count = "\(grouped(rule.count)) of \(plural(result.records, "record"))"
        let message = [subject + count, rule.message].compactMap(\.self).joined(separator: ": ")
        return "::\(rule.notPassed > 0 ? "error" : "warning") "
            + properties.map { "\($0)=\(propertyEscaped($1))" }.joined(separator: ",") + "::\(dataEscaped(message))\n"
    }
}

/// Escapes the message of a workflow command.
private func dataEscaped(_ text: String) -> String { escaped(printable(text), ["%", "\r", "\n"]) }

/// Escapes a property of a workflow command.
private func propertyEscaped(_ text: String) -> String { escaped(printable(text), ["%", "\r", "\n", ":", ","]) }

/// Returns the text with some ASCII characters as percent and two hexadecimal digits.
private func escaped(_ text: String, _ characters: Set<Unicode.Scalar>) -> String {
    text.unicodeScalars.reduce(into: "") { text, scalar in
        if characters.contains(scalar) {
            text += (scalar.value < 16 ? "%0" : "%") + String(scalar.value, radix: 16, uppercase: true)
        } else {
            text.unicodeScalars.append(scalar)
        }
    }
}
