import Assay
import AssayFiles
import AssayRules

/// Formats the comparison of two rule files as text.
struct DiffText {
    private let style: Style

    private let showValues: Bool

    init(_ style: Style, showValues: Bool) { (self.style, self.showValues) = (style, showValues) }

    func text(_ diff: RulesDiff, _ files: [String], _ old: String, _ new: String) -> String {
        (head(diff, files, old, new) + rules(diff) + columns(diff)
            + records(diff.rejectedNow, "rejected now", of: diff.counts.rejectedNow, files)
            + records(diff.acceptedNow, "accepted now", of: diff.counts.acceptedNow, files)
            + records(diff.otherRules, "rejected by other rules", of: diff.counts.otherRules, files)
            + cleaned(diff, files))
            .joined(separator: "\n") + "\n"
    }

    private func name(_ files: [String]) -> String {
        let name = files[0] == CleanJob.standard ? "standard input" : printable(files[0])
        return files.count > 1 ? "\(name) and \(plural(files.count - 1, "other"))" : name
    }

    private func head(_ diff: RulesDiff, _ files: [String], _ old: String, _ new: String) -> [String] {
        let counts = diff.counts
        func line(_ name: String, _ count: Int, _ note: String = "", _ paint: (String) -> String = { $0 }) -> String {
            let amount = padded(grouped(count), 13, right: true)
            return "  " + padded(name, 22) + (count > 0 ? paint(amount) : amount)
                + padded(percentage(count, of: counts.records), 11, right: true) + (note.isEmpty ? "" : "  " + note)
        }
        var lines = [style.bold(name(files)) + "  \(printable(old)) → \(printable(new))"]
        if counts.leftOut > 0 {
            lines.append(
                "  a sample of \(grouped(counts.records)) of \(plural(counts.records + counts.leftOut, "record"))")
        }
        lines += [
            line("records", counts.records), line("accepted by both", counts.acceptedByBoth),
            line("  cleaned otherwise", counts.cleanedOtherwise, "", style.yellow),
            line("rejected by both", counts.rejectedByBoth),
            line("  by other rules", counts.otherRules, "", style.yellow),
            line("rejected now", counts.rejectedNow, "accepted before", style.red),
            line("accepted now", counts.acceptedNow, "rejected before", style.green),
        ]
        if diff.isEmpty { lines.append("  no record changes") }
        return lines
    }

    /// The number of changed records for each rule.
    private func rules(_ diff: RulesDiff) -> [String] {
        if diff.rules.isEmpty { return [] }
        let limit = 20
        var rows = [["rule", "column", "rejected now", "accepted now", "also now", "no more"]]
        rows += diff.rules.prefix(limit).map { rule in
            [printable(rule.id), rule.column.map { printable($0) } ?? ""]
                + [rule.rejectedNow, rule.acceptedNow, rule.added, rule.dropped].map { $0 > 0 ? grouped($0) : "·" }
        }
        let widths = rows[0].indices.map { column in rows.map { $0[column].displayWidth }.max() ?? 0 }
        let lines = rows.enumerated().map { index, row in
            let cells = row.enumerated().map { padded($1, widths[$0], right: $0 > 1) }
            let line = "    " + cells.joined(separator: "  ")
            return index == 0 ? style.faint(line) : line
        }
        let more = diff.rules.count - limit
        return ["\n  " + style.bold("records by rule")] + lines + (more > 0 ? ["    and \(more) more: see --json"] : [])
    }

    private func columns(_ diff: RulesDiff) -> [String] {
        if diff.columns.isEmpty { return [] }
        let lines = diff.columns.prefix(20).map { column in
            "    " + padded(printable(column.name), 34) + padded(grouped(column.cleanedOtherwise), 13, right: true)
        }
        let more = diff.columns.count - lines.count
        return [
            "\n  " + style.bold("records cleaned otherwise, by column")
                + "  \(grouped(diff.repairedBefore)) cells repaired before, \(grouped(diff.repairedNow)) now"
        ] + lines + (more > 0 ? ["    and \(more) more: see --json"] : [])
    }

    private func heading(_ title: String, _ shown: Int, of count: Int) -> String {
        "\n  " + style.bold(shown < count ? "first \(title)" : title) + (shown < count ? " of \(grouped(count))" : "")
    }

    private func records(_ records: [RulesDiff.Record], _ title: String, of count: Int, _ files: [String]) -> [String] {
        if records.isEmpty { return [] }
        return [heading(title, records.count, of: count)]
            + records.flatMap { record in
                ["    record \(grouped(record.number))"]
                    + limited(record.before.map { style.green("      - ") + text($0, files) })
                    + limited(record.now.map { style.red("      + ") + text($0, files) })
            }
    }

    private func text(_ finding: Finding, _ files: [String]) -> String {
        let value = finding.value.map { ": " + printable(String($0.prefix(60))) } ?? ""
        let subject = finding.column.map { printable($0) + " " } ?? "the record "
        return "\(place(finding.input, finding.line, finding.offset, files)) \(style.faint(printable(finding.rule))) "
            + "\(subject)\(printable(finding.message))\(value)"
    }

    private func place(_ input: String?, _ line: Int, _ offset: Int, _ files: [String]) -> String {
        "\(printable(input ?? files[0])):\(line):\(offset)"
    }

    private func cleaned(_ diff: RulesDiff, _ files: [String]) -> [String] {
        if diff.cleanedOtherwise.isEmpty { return [] }
        func text(_ sign: String, _ change: Change) -> String {
            sign + "\(place(change.input, change.line, change.offset, files)) \(printable(change.column)) "
                + style.faint(change.repairs.map { printable($0) }.joined(separator: ", "))
                + (showValues ? " " + printable(String(change.after.prefix(60))) : "")
        }
        return [heading("cleaned otherwise", diff.cleanedOtherwise.count, of: diff.counts.cleanedOtherwise)]
            + diff.cleanedOtherwise.flatMap { record in
                ["    record \(grouped(record.number))"]
                    + limited(record.before.map { text(style.red("      - "), $0) })
                    + limited(record.now.map { text(style.green("      + "), $0) })
            }
    }

    /// The first lines of one record, and the number of the others.
    private func limited(_ lines: [String]) -> [String] {
        let limit = 10
        return lines.prefix(limit) + (lines.count > limit ? ["        and \(lines.count - limit) more"] : [])
    }
}
