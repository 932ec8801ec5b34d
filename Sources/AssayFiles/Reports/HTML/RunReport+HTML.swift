internal import Assay

extension RunReport {
    /// Returns the report as a self-contained page of less than 300 kB for any table.
    package func html() -> String {
        let facts = ReportFacts(self)
        let share = result.records == 0 ? "no records" : "\(percentage(result.rejected, of: result.records)) rejected"
        let heading = facts.title.map { piece in
            if case .name(let name) = piece { HTMLText.name(name) } else { HTMLText.sentence([piece]) }
        }.joined()
        return HTMLPage(
            title: "\(facts.name): \(share)", kind: "Assay report", heading: heading, about: facts.reading,
            sections: [
                verdict(facts), worstColumns(facts),
                HTMLPage.section("Where in the file", PositionStrip(facts).html),
                next(facts), rules(facts), columns(facts), examples(facts), tableRules(), thresholds(), repairs(),
                inputs(facts),
            ]
        ).html
    }

    // MARK: The first screen

    private func verdict(_ facts: ReportFacts) -> String {
        let isGood = result.rejected == 0
        let figure = result.records == 0 ? "–" : percentage(result.rejected, of: result.records)
        let counts: [(String, Int, String)] = [
            ("records", result.records, ""), ("clean", result.clean, "good-text"),
            ("rejected", result.rejected, isGood ? "" : "bad-text"),
            ("undecided", result.undecided, result.undecided > 0 ? "warn-text" : ""),
            ("warnings", facts.warnings, facts.warnings > 0 ? "warn-text" : ""),
        ]
        let list = counts.map { name, count, kind in
            "<div><dt>\(name)</dt><dd\(kind.isEmpty ? "" : " class=\"\(kind)\"")>\(grouped(count))</dd></div>"
        }
        let bar =
            result.records == 0
            ? ""
            : "<div class=\"split\" aria-hidden=\"true\">"
                + [("good", result.clean), ("bad", result.rejected)].filter { $0.1 > 0 }.map { kind, count in
                    "<span class=\"\(kind)\" style=\"width:"
                        + "\(HTMLText.percent(Double(count) / Double(result.records)))\"></span>"
                }.joined() + "</div>"
        let breaks = facts.lineBreaks.map { "\n<p>\(HTMLText.escaped($0)).</p>" } ?? ""
        return HTMLPage.section(
            "How bad is it",
            """
            <p class="figure \(isGood ? "good-text" : "bad-text")">\(isGood && result.records > 0 ? "0 %" : figure)</p>
            <p class="verdict">\(HTMLText.escaped(facts.verdict))</p>
            \(bar)
            <dl class="counts">\(list.joined())</dl>\(breaks)
            """, kind: facts.columns.isEmpty ? "" : "half")
    }

    private func worstColumns(_ facts: ReportFacts) -> String {
        guard let worst = facts.columns.first else { return "" }
        let rows = facts.columns.prefix(6).map { column in
            [
                HTMLText.name(column.name), HTMLText.bar(Double(column.rejectedInAll) / Double(worst.rejectedInAll)),
                grouped(column.rejectedInAll), percentage(column.rejectedInAll, of: result.records),
            ]
        }
        let rest = facts.columns.count - rows.count
        let table = HTMLTable(
            caption: "The columns that reject the most records",
            columns: [("column", false), ("", false), ("rejected", true), ("of all", true)], rows: rows,
            note: rest > 0 ? "and \(plural(rest, "more column")) below." : "")
        return HTMLPage.section("Which column", table.html, kind: "half")
    }

    private func next(_ facts: ReportFacts) -> String {
        let advice = facts.advice
        if advice.isEmpty {
            return HTMLPage.section("What next", "<p>No action needed: no rule found anything.</p>")
        }
        let items = advice.map { "<li>\(HTMLText.sentence($0))</li>" }
        return HTMLPage.section("What next", "<ol class=\"next\">\n\(items.joined(separator: "\n"))\n</ol>")
    }

    // MARK: The tables

    /// So many are shown of each kind, so that the page stays short.
    private enum MaxRows {
        static let rules = 80
        static let columns = 60
        static let examples = 60
        static let otherRows = 20
    }

    private func rules(_ facts: ReportFacts) -> String {
        guard let maximum = facts.found.map(\.count).max() else { return "" }
        let rows = facts.found.prefix(MaxRows.rules).map { rule -> [String] in
            let kind = rule.rule.failed > 0 ? "bad" : "warn"
            return [
                HTMLText.name(rule.id), rule.columns.map { HTMLText.name($0) }.joined(separator: ", "),
                HTMLText.bar(Double(rule.count) / Double(maximum), kind), grouped(rule.rule.failed),
                grouped(rule.rule.warned), grouped(rule.rule.undecided),
                rule.message.map { HTMLText.escaped($0, limit: 160) } ?? "",
                rule.placeText { HTMLText.escaped($0, limit: 24) },
            ]
        }
        let silent = facts.rules.count { $0.count == 0 && $0.meaning == nil }
        let rest = facts.found.count - rows.count
        let notes = [
            rest > 0 ? "\(plural(rest, "more rule")) found less." : "",
            silent > 0 ? "\(plural(silent, "rule")) without findings." : "",
        ].filter { !$0.isEmpty }
        let table = HTMLTable(
            caption: "Findings by rule",
            columns: [
                ("rule", false), ("column", false), ("", false), ("failed", true), ("warned", true),
                ("undecided", true), ("problem", false), ("first", false),
            ], rows: rows, note: notes.joined(separator: " "))
        return HTMLPage.section("Rules", table.html, kind: "long")
    }

    private func columns(_ facts: ReportFacts) -> String {
        let all = result.columns.enumerated().sorted {
            let (one, other) = ($0.element, $1.element)
            if one.rejectedInAll != other.rejectedInAll { return one.rejectedInAll > other.rejectedInAll }
            return one.missing != other.missing ? one.missing > other.missing : $0.offset < $1.offset
        }.map(\.element)
        if all.isEmpty { return "" }
        let records = max(1, result.records)
        let rows = all.prefix(MaxRows.columns).map { column -> [String] in
            let worst = column.rules.max { $0.failed + $0.undecided < $1.failed + $1.undecided }
            return [
                HTMLText.name(column.name), grouped(column.rejectedInAll),
                HTMLText.bar(Double(column.rejectedInAll) / Double(records)),
                percentage(column.rejectedInAll, of: result.records),
                grouped(column.missing), HTMLText.bar(Double(column.missing) / Double(records), "warn"),
                percentage(column.missing, of: result.records),
                worst.flatMap { $0.failed + $0.undecided > 0 ? HTMLText.name($0.id) : nil } ?? "",
            ]
        }
        let rest = all.count - rows.count
        let table = HTMLTable(
            caption: "The columns that have rules",
            columns: [
                ("column", false), ("rejected", true), ("", false), ("of all", true), ("missing", true), ("", false),
                ("of all", true), ("most frequent", false),
            ], rows: rows,
            note: rest > 0 ? "\(plural(rest, "more column")) with fewer rejected records and missing cells." : "")
        return HTMLPage.section("Columns", table.html, kind: "long")
    }

    /// Returns example values, if the user requested values.
    private func examples(_ facts: ReportFacts) -> String {
        let rows = facts.found.flatMap { rule in
            rule.places.compactMap { place in
                place.value.map { value in
                    [
                        HTMLText.name(rule.id), place.column.map { HTMLText.name($0) } ?? "",
                        grouped(place.line),
                        "<code class=\"value\"><bdi>\(HTMLText.escaped(value, limit: 60))</bdi></code>",
                        HTMLText.escaped(place.message, limit: 160),
                    ]
                }
            }
        }
        if rows.isEmpty { return "" }
        let table = HTMLTable(
            caption: "The first values that each rule found",
            columns: [("rule", false), ("column", false), ("line", true), ("value", false), ("problem", false)],
            rows: Array(rows.prefix(MaxRows.examples)),
            note: rows.count > MaxRows.examples ? "and \(plural(rows.count - MaxRows.examples, "more value"))." : "")
        return HTMLPage.section("Examples", table.html, kind: "long")
    }

    private func tableRules() -> String {
        if result.tableRules.isEmpty { return "" }
        let all = result.tableRules.filter { $0.verdict != .pass } + result.tableRules.filter { $0.verdict == .pass }
        let rows = all.prefix(MaxRows.otherRows).map { rule -> [String] in
            let text = TableRuleText(rule)
            let kind = rule.verdict == .pass ? "good-text" : rule.isViolated ? "bad-text" : "warn-text"
            return [
                HTMLText.name(rule.id), text.measured.isEmpty ? "" : HTMLText.name(text.measured),
                "<span class=\"\(kind)\">\(text.verdict)</span>", HTMLText.escaped(text.reason ?? ""),
            ]
        }
        let rest = all.count - rows.count
        let table = HTMLTable(
            caption: "The rules on the whole table",
            columns: [("rule", false), ("measured", false), ("", false), ("problem", false)], rows: rows,
            note: rest > 0 ? "and \(plural(rest, "more rule"))." : "")
        return HTMLPage.section("Rules on the table", table.html)
    }

    private func thresholds() -> String {
        if result.thresholds.isEmpty { return "" }
        let all = result.thresholds.filter(\.isExceeded) + result.thresholds.filter { !$0.isExceeded }
        let rows = all.prefix(MaxRows.otherRows).map { threshold -> [String] in
            let text = ThresholdText(threshold)
            return [
                HTMLText.name(text.subject), text.bound, text.measured,
                threshold.isExceeded
                    ? "<span class=\"bad-text\">missed</span>" : "<span class=\"good-text\">met</span>",
            ]
        }
        let rest = all.count - rows.count
        let table = HTMLTable(
            caption: "The thresholds of the rules",
            columns: [("threshold", false), ("bound", false), ("measured", true), ("", false)], rows: rows,
            note: rest > 0 ? "and \(plural(rest, "more threshold"))." : "")
        return HTMLPage.section("Thresholds", table.html)
    }

    private func repairs() -> String {
        let all = result.columns.flatMap { column in column.repairs.map { (column.name, $0.name, $0.changed) } }
            .enumerated().sorted {
                $0.element.2 != $1.element.2 ? $0.element.2 > $1.element.2 : $0.offset < $1.offset
            }.map(\.element)
        guard let maximum = all.first, maximum.2 > 0 else { return "" }
        let rows = all.filter { $0.2 > 0 }.prefix(MaxRows.otherRows).map { column, repair, changed in
            [
                HTMLText.name(column), HTMLText.name(repair), HTMLText.bar(Double(changed) / Double(maximum.2), "info"),
                grouped(changed),
            ]
        }
        let rest = all.count { $0.2 > 0 } - rows.count
        let table = HTMLTable(
            caption: "Cells of clean records that repairs changed",
            columns: [("column", false), ("repair", false), ("", false), ("cells", true)], rows: rows,
            note: rest > 0 ? "and \(plural(rest, "more repair"))." : "")
        return HTMLPage.section("Repairs", table.html)
    }

    private func inputs(_ facts: ReportFacts) -> String {
        let rows = zip(inputs, result.inputs).prefix(MaxRows.otherRows).map { path, counts in
            [
                HTMLText.name(path == CleanJob.standard ? "standard input" : path), byteAmount(counts.bytes),
                grouped(counts.records), grouped(counts.clean), grouped(counts.rejected), grouped(counts.undecided),
            ]
        }
        let rest = inputs.count - rows.count
        let table = HTMLTable(
            caption: "The files",
            columns: [
                ("file", false), ("size", true), ("records", true), ("clean", true), ("rejected", true),
                ("undecided", true),
            ], rows: rows, note: rest > 0 ? "and \(plural(rest, "more file"))." : "")
        return HTMLPage.section("Files", table.html)
    }
}
