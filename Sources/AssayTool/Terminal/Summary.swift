import Assay
import AssayFiles
import AssayRules

/// The summary of a finished run for people.
struct Summary {
    let style: Style
    let isCheck: Bool
    /// Whether the inputs come from a Data Package.
    let isPackage: Bool
    /// The value of `--max-reject-rate`, as given and in percent, or `nil` without the option.
    let maxRejectRate: (given: String, percent: Double)?
    /// The maximum number of records read.
    let head: Int?

    func text(_ reports: [RunReport]) -> String {
        var text = reports.map { self.text($0) }.joined(separator: "\n")
        if reports.count > 1 { text += "\n" + totals(reports) }
        return text
    }

    /// Lines that appear even with `--quiet`: the inputs that make the job end with status 1, and those that changed
    /// while they were read.
    func warnings(_ reports: [RunReport]) -> String {
        let lines = reports.flatMap { report -> [String] in
            var lines: [String] = []
            if report.inputChanged {
                lines.append(Self.changed)
            }
            if let maxRejectRate, report.result.rejectRate > maxRejectRate.percent {
                let (records, rejected) = (report.result.records, report.result.rejected)
                lines.append(
                    "rejected \(grouped(rejected)) of \(plural(records, "record")) "
                        + "(\(percentage(rejected, of: records))), more than --max-reject-rate \(maxRejectRate.given)")
            }
            lines += report.result.tableRules.filter(\.isViolated).map { TableRuleText($0).warning }
            lines += report.result.thresholds.filter(\.isExceeded).map { ThresholdText($0).warning }
            if report.result.isStopped { lines.append(stopped(report)) }
            return lines.map { "assay: \(name(report)): \($0)\n" }
        }
        return lines.joined()
    }

    private static let changed = "changed while it was being read; run again once it is complete"

    /// The warning that a table of these files changed while it was read.
    static func changeWarning(_ files: [String]) -> String { "assay: \(name(files)): \(changed)\n" }

    private func stopped(_ report: RunReport) -> String {
        let (records, rejected) = (report.result.records, report.result.rejected)
        let outputs = report.paths.all
        let ending =
            outputs.contains(CleanJob.standard)
            ? "; standard output is incomplete, and no file was "
                + "written" : outputs.isEmpty ? "" : "; no file was written"
        return "stopped after \(plural(rejected, "rejected record")) of \(plural(records, "record")) "
            + "(\(percentage(rejected, of: records))), by --stop-after\(ending)"
    }

    private func name(_ report: RunReport) -> String { Self.name(report.inputs) }

    private static func name(_ files: [String]) -> String {
        if files.count > 1 { return "\(printable(files[0])) and \(plural(files.count - 1, "other"))" }
        return files[0] == CleanJob.standard ? "standard input" : printable(files[0])
    }

    private func text(_ report: RunReport) -> String {
        let result = report.result
        var lines: [String] = []
        let speed = report.seconds > 0 ? "\(byteAmount(Int(Double(result.bytes) / report.seconds)))/s" : ""
        lines.append(
            style.bold(name(report))
                + "  \(byteAmount(result.bytes)) in \(fixed(report.seconds, 2)) s (\(speed), \(result.threads) "
                + "thread\(result.threads == 1 ? "" : "s"))"
                + (head == result.records ? "  the first \(plural(result.records, "record")) only (--head)" : ""))
        lines += readingLines(result)
        if let sample = report.sample {
            lines.append("  sample    \(text(sample)) of \(plural(result.records + result.leftOut, "record"))")
        }
        lines.append("  records   \(amount(result.records, of: result.records, shown: false))")
        lines.append("  clean     " + style.green(amount(result.clean, of: result.records)))
        let rejected = amount(result.rejected, of: result.records)
        lines.append("  rejected  " + (result.rejected > 0 ? style.red(rejected) : rejected))
        if result.skippedBlankLines > 0 {
            let count = padded(grouped(result.skippedBlankLines), 13, right: true)
            lines.append("  skipped   " + count + "  blank line\(result.skippedBlankLines == 1 ? "" : "s")")
        }
        if result.undecided > 0 {
            lines.append(
                "  undecided " + style.yellow(amount(result.undecided, of: result.records))
                    + (result.rows.contains { $0.undecided > 0 }
                        ? "  a row rule could not be computed, or a limit stopped a check"
                        : "  a limit stopped a check: see --limit match-base, match-per-byte, heap-kib"))
        }
        if result.lineBreaks.cells > 0 {
            let count = padded(grouped(result.lineBreaks.cells), 13, right: true)
            lines.append("  multiline " + count + "  " + result.lineBreaks.text(names: result.header))
        }
        let warned = result.allRules.reduce(0) { $0 + $1.warned }
        if warned > 0 { lines.append("  warnings  " + style.yellow(padded(grouped(warned), 13, right: true))) }
        lines += tableRuleLines(result)
        lines += thresholdLines(result)
        lines += structureLines(result)
        lines += absentLines(result)
        lines += referenceLines(report)
        lines += ruleLines(result)
        lines += repairLines(result)
        if let guarded = report.guardedCells {
            lines.append("  guarded   " + padded(grouped(guarded), 13, right: true) + "  cells that look like formulas")
        }
        lines += suggestionLines(result)
        lines += findingLines(report)
        lines += outputLines(report)
        return lines.joined(separator: "\n") + "\n"
    }

    /// The amount and the seed of a sample.
    private func text(_ sample: RecordSample) -> String {
        let amount =
            switch sample.amount {
            case .percent(let percent): "\(decimal(percent)) %"
            case .count(let count): grouped(count)
            }
        return "\(amount) (--seed \(sample.seed))"
    }

    private func decimal(_ number: Double) -> String {
        number == number.rounded() && number < 1e6 ? String(Int(number)) : String(number)
    }

    private func amount(_ part: Int, of total: Int, shown: Bool = true) -> String {
        padded(grouped(part), 13, right: true) + (shown ? padded(percentage(part, of: total), 11, right: true) : "")
    }

    /// The compression, encoding and delimiter of the input, if they are not the defaults. If the files of one table
    /// were read differently, there is one line for each file that was not read with the defaults.
    private func readingLines(_ result: RunResult) -> [String] {
        var lines: [String] = []
        var parts: [String] = []
        let readings = result.inputs.map { reading($0.compression, $0.encoding) }
        if Set(readings).count > 1 {
            let named = zip(result.inputs, readings).filter { !$1.isEmpty }
            lines = named.prefix(Self.maxReadings).map { input, reading in
                "  read as   \(reading.joined(separator: "; ")): \(printable(input.name))"
            }
            let more = named.count - lines.count
            if more > 0 { lines.append("            and \(plural(more, "file")) more: see the report") }
        } else {
            parts = reading(result.compression, result.encoding)
        }
        if result.choseDelimiter {
            let delimiter = result.delimiter == "\t" ? "tab" : "'\(printable(result.delimiter))'"
            parts.append("delimiter \(delimiter), by the first records")
        }
        return lines + (parts.isEmpty ? [] : ["  read as   \(parts.joined(separator: "; "))"])
    }

    private static let maxReadings = 10

    private func reading(_ compression: Compression?, _ encoding: TextEncoding) -> [String] {
        var parts: [String] = []
        if let compression { parts.append(compression.name) }
        switch encoding.origin {
        case .usual: break
        case .given, .mark, .bytes: if encoding.name != "UTF-8" { parts.append(encoding.name) }
        case .guess: parts.append("\(encoding.name), guessed from \(plural(encoding.words, "different word"))")
        case .uncertain:
            parts.append("\(encoding.name), because no other encoding is certain enough for --encoding auto")
        }
        return parts
    }

    /// The optional fields that do not occur in any record of JSON Lines.
    private func absentLines(_ result: RunResult) -> [String] {
        if result.absentFields.isEmpty { return [] }
        let names = result.absentFields.prefix(10).map { printable($0) }.joined(separator: ", ")
        let more = result.absentFields.count > 10 ? " and \(result.absentFields.count - 10) more" : ""
        return [
            "\n  no record has \(names)\(more): the rules of "
                + "\(result.absentFields.count == 1 ? "this field" : "these fields") never ran"
        ]
    }

    private func structureLines(_ result: RunResult) -> [String] {
        var lines = result.structure.byCode.filter { $0.count > 0 }.map { table($0.code, $0.count, of: result.records) }
        if !lines.isEmpty { lines.insert("\n  " + style.bold("malformed records"), at: 0) }
        let controls = result.structure.controls
        if controls > 0 {
            lines.append(
                "    \(plural(controls, "record")) \(controls == 1 ? "has" : "have") bytes from 80 to 9F, which are "
                    + "control "
                    + "characters in \(result.encoding.name)")
        }
        if let encoding = result.encodingGuess {
            lines.append("    " + encoding.hint(inPackage: isPackage))
        } else if result.structure.encoding > 0 && result.encoding.isUTF8 {
            lines.append("    " + Self.otherEncoding(of: result.structure.encoding, isMixed: result.mixesEncodings))
        }
        return lines
    }

    /// The line about records that are not UTF-8 if no encoding is suggested for the file.
    private static func otherEncoding(of count: Int, isMixed: Bool) -> String {
        if isMixed {
            return
                "the file is UTF-8 except for \(plural(count, "record")), which \(count == 1 ? "seems" : "seem") to be "
                + "from another source, in another encoding"
        }
        return
            "no other encoding is certain for the "
            + "\(count == 1 ? "record that is" : "\(grouped(count)) records that are") "
            + "not UTF-8; if you know the encoding of the whole file, name it"
    }

    /// The malformed records of files that foreign keys refer to. Foreign keys cannot refer to these records.
    private func referenceLines(_ report: RunReport) -> [String] {
        report.result.references.filter { $0.structure.total > 0 }.flatMap { reference in
            var lines = [
                "\n  " + style.bold("malformed records of \(printable(reference.resource))")
                    + ", left out of \(reference.id)"
            ]
            lines += reference.structure.byCode.filter { $0.count > 0 }.map {
                table($0.code, $0.count, of: reference.records)
            }
            guard let encoding = reference.encodingGuess,
                let key = report.rules.schema.foreignKeys.first(where: { $0.id == reference.id })
            else { return lines }
            lines.append(
                "    by \(plural(encoding.words, "different word")) these look like \(encoding.name). If the whole "
                    + "file is in it, say so \(report.rules.place(ofDialect: key)): dialect: {encoding: "
                    + "\(encoding.name)}"
            )
            return lines
        }
    }

    private func ruleLines(_ result: RunResult) -> [String] {
        let rules = result.allRules.filter { $0.failed + $0.warned + $0.undecided > 0 }
            .enumerated().sorted { one, other in
                let (a, b) = (count(one.element), count(other.element))
                return a != b ? a > b : one.offset < other.offset
            }.map(\.element)
        if rules.isEmpty { return [] }
        var lines = ["\n  " + style.bold("most frequent failures")]
        lines += rules.prefix(10).map { rule in
            table(rule.id, count(rule), of: result.records) + (rule.severity == .warn ? style.yellow("  warning") : "")
        }
        if rules.count > 10 { lines.append("    and \(rules.count - 10) more: see the report") }
        return lines
    }

    /// The columns with values that were left unrepaired, because repeated repairs would change them again.
    private func unsettledLines(_ result: RunResult) -> [String] {
        let columns = result.columns.filter { $0.unsettled > 0 }
        if columns.isEmpty { return [] }
        var lines = ["\n  " + style.bold("left unchanged") + ": their repairs would change them a second time"]
        lines += columns.prefix(10).map { count($0.name, $0.unsettled) }
        if columns.count > 10 { lines.append("    and \(columns.count - 10) more: see the report") }
        return lines
    }

    /// The counts of each repair, and the first repaired cells.
    private func repairLines(_ result: RunResult) -> [String] {
        let repairs = result.columns.flatMap { column in
            column.repairs.filter { $0.changed > 0 }.map { (name: "\(column.name) \($0.name)", changed: $0.changed) }
        }
        var lines: [String] = []
        if !repairs.isEmpty {
            lines.append("\n  " + style.bold("repaired cells") + " of clean records: \(grouped(result.changes))")
            lines += repairs.prefix(20).map { count($0.name, $0.changed) }
            if repairs.count > 20 { lines.append("    and \(repairs.count - 20) more: see the report") }
        }
        lines += unsettledLines(result)
        if !result.firstChanges.isEmpty { lines.append("\n  " + style.bold("first changes")) }
        for change in result.firstChanges {
            let place = change.input.map { printable($0) + ":" } ?? "line "
            lines.append(
                "    \(place)\(change.line) \(printable(change.column))  "
                    + style.faint(change.repairs.joined(separator: ", ")))
            lines.append("      " + style.red("- " + shown(change.before)))
            lines.append("      " + style.green("+ " + shown(change.after)))
        }
        return lines
    }

    /// The additional repairs that would save rejected records.
    private func suggestionLines(_ result: RunResult) -> [String] {
        let trial = result.repairTrial
        let ambiguous = trial.ambiguous.flatMap { ambiguous -> [String] in
            let readings = ambiguous.repairs.map { "repair: [\(printable($0.text))]" }
            let example = ambiguous.example.map(short)
            return [
                "\n  " + style.bold("values with two readings")
                    + ": no repair is recommended for \(plural(ambiguous.values, "value")) of "
                    + "\(printable(ambiguous.column))"
            ]
                + readings.enumerated().map { index, repair in
                    "    " + (example.isEmpty ? "" : padded("\(example[0]) → \(example[index + 1])", 36)) + repair
                }
        }
        let withheld = withheldLines(trial)
        if trial.suggestions.isEmpty { return ambiguous + withheld }
        let tried = trial.tried < result.rejected ? "the first \(grouped(trial.tried))" : "the \(grouped(trial.tried))"
        let heading =
            "\n  " + style.bold("repairs to add")
            + ": with the first of each column \(grouped(trial.saved)) of \(tried) rejected records would pass"
        return ambiguous + [heading]
            + trial.suggestions.prefix(10).map(line) + withheld
    }

    private func line(_ suggestion: RepairSuggestion) -> String {
        "    " + padded(printable(suggestion.column), 14)
            + padded(" fixes \(grouped(suggestion.mended)) of \(grouped(suggestion.failing))", 22)
            + " repair: [\(printable(suggestion.text))]"
    }

    /// The repairs that would also change other values, each with the reason.
    private func withheldLines(_ trial: RepairTrial) -> [String] {
        if trial.withheld.isEmpty { return [] }
        let heading = "\n  " + style.bold("repairs that are not recommended") + ": each may be wrong for other values"
        return [heading]
            + trial.withheld.prefix(10).flatMap { withheld in
                let reason =
                    switch withheld.reason {
                    case .changesClean(let count): "changes \(plural(count, "clean value"))"
                    case .rejectsClean(let count): "makes \(plural(count, "clean record")) rejected"
                    case .removesText:
                        "right only if the column never has \(removedWords(withheld.suggestion)) as a value"
                    }
                let example = withheld.example.map(short)
                return [
                    line(withheld.suggestion),
                    "      " + reason + (example.isEmpty ? "" : ", such as \(example[0]) → \(example[1])"),
                ]
            }
    }

    private func removedWords(_ suggestion: RepairSuggestion) -> String {
        guard case .missing(let words) = suggestion.repair else { return "" }
        return words.map { printable($0) }.joined(separator: " or ")
    }

    /// A value of at most 60 characters.
    private func short(_ value: String) -> String {
        printable(String(value.prefix(60))) + (value.count > 60 ? "…" : "")
    }

    /// A cell between bars, so that blanks at its ends are visible.
    private func shown(_ cell: String) -> String { "|" + short(cell) + (cell.count > 60 ? "" : "|") }

    private func count(_ rule: RunResult.Rule) -> Int { rule.failed + rule.warned + rule.undecided }

    /// - Parameter total: the total for the percentage; `nil` omits the percentage.
    private func table(_ name: String, _ count: Int, of total: Int?) -> String {
        self.count(name, count) + padded(total.map { percentage(count, of: $0) } ?? "", 11, right: true)
    }

    private func count(_ name: String, _ count: Int) -> String {
        "    " + padded(printable(name), 34) + padded(grouped(count), 13, right: true)
    }

    private func findingLines(_ report: RunReport) -> [String] {
        let result = report.result
        if result.firstFindings.isEmpty { return [] }
        let name = report.input == CleanJob.standard ? "-" : printable(report.input)
        var lines = [
            "\n  " + style.bold(result.findings > result.firstFindings.count ? "first findings" : "findings")
                + (result.findings > result.firstFindings.count ? " of \(grouped(result.findings))" : "")
        ]
        for finding in result.firstFindings {
            let shown = finding.value.map { printable(String($0.prefix(60))) } ?? ""
            let value = shown.isEmpty ? "" : ": " + shown
            let subject = finding.column.map { printable($0) + " " } ?? "the record "
            lines.append(
                "    \(finding.input.map { printable($0) } ?? name):\(finding.line):\(finding.offset) "
                    + style.faint(printable(finding.rule))
                    + " \(subject)\(printable(finding.message))\(value)")
        }
        if result.findingsDropped > 0 {
            let verb = result.findingsDropped == 1 ? "was" : "were"
            lines.append(
                "    \(plural(result.findingsDropped, "finding")) \(verb) not written: raise --max-findings to write "
                    + "them all"
            )
        }
        return lines
    }

    private func tableRuleLines(_ result: RunResult) -> [String] {
        if result.tableRules.isEmpty { return [] }
        let width = min(30, result.tableRules.map(\.id.count).max() ?? 0)
        return ["\n  " + style.bold("table")]
            + result.tableRules.map { rule in
                let text = TableRuleText(rule)
                let rest = [text.reason, text.measured.isEmpty ? nil : text.measured].compactMap(\.self)
                let verdict = rest.isEmpty ? text.verdict : padded(text.verdict, 9)
                let shown =
                    rule.verdict == .pass ? verdict : rule.isViolated ? style.red(verdict) : style.yellow(verdict)
                return "    " + padded(printable(rule.id), width) + "  " + shown
                    + (rest.isEmpty ? "" : "  " + printable(rest.joined(separator: "; ")))
            }
    }

    private func thresholdLines(_ result: RunResult) -> [String] {
        if result.thresholds.isEmpty { return [] }
        return ["\n  " + style.bold("thresholds")]
            + result.thresholds.map { threshold in
                let text = ThresholdText(threshold)
                let isShare = threshold.subject != .records
                return table(text.subject, threshold.count, of: isShare ? result.records : nil) + "  \(text.bound)"
                    + (threshold.isExceeded ? style.red("  exceeded") : "")
            }
    }

    private func outputLines(_ report: RunReport) -> [String] {
        if report.result.isStopped { return [] }
        var lines: [String] = []
        let paths = report.paths
        let outputs =
            [
                ("clean", paths.clean), ("rejects", paths.rejects), ("findings", paths.findings),
                ("changes", paths.changes),
            ] + paths.reports.map { ("report", $0) }
        for (kind, path) in outputs {
            guard let path else { continue }
            lines.append(
                "    " + padded(kind, 10) + (path == CleanJob.standard ? "standard output" : printable(path)))
        }
        if !isCheck {
            for (kind, path) in outputs.prefix(2) where path == nil {
                lines.append("    " + style.yellow("\(padded(kind, 10))dropped (--\(kind) none)"))
            }
        }
        if !lines.isEmpty { lines.insert("\n  " + style.bold("written"), at: 0) }
        return lines
    }

    private func totals(_ reports: [RunReport]) -> String {
        let records = reports.reduce(0) { $0 + $1.result.records }
        let rejected = reports.reduce(0) { $0 + $1.result.rejected }
        return style.bold("\(reports.count) files")
            + "  \(plural(records, "record")), \(grouped(records - rejected)) clean, \(grouped(rejected)) rejected "
            + "(\(percentage(rejected, of: records)))\n"
    }
}
