internal import Assay

extension RunReport {
    /// The report in Markdown: for a pull request, or the summary of a job.
    func markdown() -> String {
        let facts = ReportFacts(self)
        var blocks = [
            "## " + MarkdownText.sentence(facts.title) + ": "
                + (result.records == 0 ? "no records" : "\(percentage(result.rejected, of: result.records)) rejected"),
            facts.verdict + " " + MarkdownText.plain(facts.reading) + ".",
            counts(facts),
        ]
        if let lineBreaks = facts.lineBreaks { blocks.append(MarkdownText.plain(lineBreaks) + ".") }
        let advice = facts.advice.map { "* " + MarkdownText.sentence($0) }
        if !advice.isEmpty { blocks.append("**What next**\n\n" + advice.joined(separator: "\n")) }
        if !facts.found.isEmpty { blocks.append(rules(facts)) }
        if result.rejected > 0 { blocks.append(positions(facts)) }
        if !result.tableRules.isEmpty { blocks.append(tableRules()) }
        if !result.thresholds.isEmpty { blocks.append(thresholds()) }
        return blocks.joined(separator: "\n\n") + "\n"
    }

    private func counts(_ facts: ReportFacts) -> String {
        func share(_ part: Int) -> String {
            "\(grouped(part))" + (part > 0 ? " (\(percentage(part, of: result.records)))" : "")
        }
        return """
            | records | clean | rejected | undecided | warnings |
            |--:|--:|--:|--:|--:|
            | \(grouped(result.records)) | \(share(result.clean)) | \(share(result.rejected)) | \
            \(grouped(result.undecided)) | \(grouped(facts.warnings)) |
            """
    }

    /// So many rules are shown.
    private static let maxMarkdownRules = 30

    private func rules(_ facts: ReportFacts) -> String {
        let rows = facts.found.prefix(Self.maxMarkdownRules).map { rule in
            let cells: [String] = [
                MarkdownText.codeInTable(rule.id),
                rule.columns.map { MarkdownText.codeInTable($0) }.joined(separator: ", "),
                grouped(rule.rule.failed), grouped(rule.rule.warned), grouped(rule.rule.undecided),
                rule.placeText { MarkdownText.codeInTable($0) },
                rule.message.map { MarkdownText.plain($0) } ?? "",
            ]
            return "| " + cells.joined(separator: " | ") + " |"
        }
        let rest = facts.found.count - rows.count
        return "| rule | column | failed | warned | undecided | first | problem |\n"
            + "|:--|:--|--:|--:|--:|:--|:--|\n" + rows.joined(separator: "\n")
            + (rest > 0 ? "\n\nand \(plural(rest, "more rule")), which found less." : "")
    }

    private func positions(_ facts: ReportFacts) -> String {
        let parts = result.positions.rejected
        let maximum = parts.max() ?? 0
        let blocks = Array("▁▂▃▄▅▆▇█")
        let marks = String(parts.map { $0 == 0 ? "·" : blocks[min(7, ($0 * 8 - 1) / max(1, maximum))] })
        return "**Where in the file**: " + facts.positionText
            + " Each mark represents \(plural(result.positions.recordsEach, "record")), the highest for "
            + "\(grouped(maximum)) rejected.\n\n"
            + "`\(marks)`"
    }

    private func tableRules() -> String {
        let rows = result.tableRules.map { rule in
            let text = TableRuleText(rule)
            let measured = rule.aggregates.filter { $0.value != nil }.map {
                MarkdownText.codeInTable("\($0.name) = \($0.value ?? "")")
            }
            return "| \(MarkdownText.codeInTable(rule.id)) | \(measured.joined(separator: ", ")) | "
                + (rule.verdict == .pass ? "passed" : rule.isViolated ? "**\(text.verdict)**" : "\(text.verdict)")
                + " | \(text.reason.map { MarkdownText.plain($0) } ?? "") |"
        }
        return "| rule on the table | measured | | problem |\n|:--|:--|:--|:--|\n" + rows.joined(separator: "\n")
    }

    private func thresholds() -> String {
        let rows = result.thresholds.map { threshold in
            let subject: String =
                switch threshold.subject {
                case .column(let name): "column " + MarkdownText.codeInTable(name)
                case .rule(let id): "rule " + MarkdownText.codeInTable(id)
                case .rejected: "rejected records"
                case .records: "records"
                }
            return "| \(subject) | \(ThresholdText(threshold).bound) | \(ThresholdText(threshold).measured) | "
                + "\(threshold.isExceeded ? "**missed**" : "met") |"
        }
        return "| threshold | bound | measured | |\n|:--|:--|--:|:--|\n" + rows.joined(separator: "\n")
    }
}
