internal import Assay
internal import AssayRules

/// The facts about a run that the reports for people share. They are sorted once, so that all reports agree.
struct ReportFacts {
    let report: RunReport
    /// Everything that can report findings: malformed records by kind, then the rules of columns and rows, and the
    /// keys.
    let rules: [RuleFacts]
    /// The rules with findings. Rules that reject the most records come first; rules that only warn come last.
    let found: [RuleFacts]
    /// The columns with rejected values, the worst first.
    let columns: [RunResult.Column]

    var result: RunResult { report.result }

    init(_ report: RunReport) {
        self.report = report
        let result = report.result
        let places = RulePlaces(report)
        func facts(_ rule: RunResult.Rule, column: String? = nil, meaning: String? = nil) -> RuleFacts {
            RuleFacts(
                rule: rule, columns: column.map { [$0] } ?? rule.keyColumns, meaning: meaning,
                places: places.of(rule.id, column: column))
        }
        let structure = result.structure.byCode.map { code, count in
            facts(
                RunResult.Rule(id: code, severity: .reject, failed: count, warned: 0, undecided: 0),
                meaning: RunResult.Structure.meaning(of: code))
        }
        let ofColumns = result.columns.flatMap { column in column.rules.map { facts($0, column: column.name) } }
        rules = structure + ofColumns + (result.rows + result.keys).map { facts($0) }
        found = rules.enumerated().filter { $0.element.count > 0 }
            .sorted { one, other in
                let (a, b) = (one.element, other.element)
                if a.notPassed != b.notPassed { return a.notPassed > b.notPassed }
                return a.rule.warned != b.rule.warned ? a.rule.warned > b.rule.warned : one.offset < other.offset
            }
            .map(\.element)
        columns = result.columns.enumerated().filter { $0.element.rejectedInAll > 0 }
            .sorted {
                $0.element.rejectedInAll != $1.element.rejectedInAll
                    ? $0.element.rejectedInAll > $1.element.rejectedInAll : $0.offset < $1.offset
            }
            .map(\.element)
    }

    /// The displayed name of the input.
    var name: String { report.input == CleanJob.standard ? "standard input" : report.input }

    /// `users.csv and 2 others`
    var title: [ReportText] {
        let others = report.inputs.count - 1
        return [.name(name)] + (others > 0 ? [.plain(" and \(plural(others, "other"))")] : [])
    }

    /// The number of cells with line breaks, such as `2 cells contain line breaks`. `nil` if there are no such cells.
    var lineBreaks: String? {
        let breaks = result.lineBreaks
        return breaks.cells == 0 ? nil : "\(grouped(breaks.cells)) \(breaks.text(names: result.header))"
    }

    var warnings: Int { result.allRules.reduce(0) { $0 + $1.warned } }

    /// The number of the last record that was read.
    var lastRecord: Int { result.records + result.leftOut }

    /// A summary in one sentence.
    var verdict: String {
        let (records, rejected) = (result.records, result.rejected)
        if records == 0 { return "There are no records." }
        if rejected == 0 {
            return records == 1 ? "The one record is clean." : "All \(plural(records, "record")) are clean."
        }
        if rejected == records {
            return records == 1 ? "The one record is rejected." : "All \(plural(records, "record")) are rejected."
        }
        return "\(grouped(rejected)) of \(plural(records, "record")) \(rejected == 1 ? "is" : "are") rejected."
    }

    /// How the input was read, such as `CSV, UTF-8, 960.0 kB`.
    var reading: String {
        var parts = [result.format == .csv ? "CSV" : "JSON Lines"]
        // If several files form one table, list each way of reading once.
        var ways: [String] = []
        for input in result.inputs {
            let guess = input.encoding.origin == .guess ? " (a guess)" : ""
            let way = [input.compression?.name, input.encoding.name + guess].compactMap(\.self).joined(separator: ", ")
            if !ways.contains(way) { ways.append(way) }
        }
        parts.append(ways.joined(separator: " and "))
        if result.format == .csv && result.delimiter != "," {
            parts.append("delimiter \(result.delimiter == "\t" ? "tab" : result.delimiter)")
        }
        if result.skippedBlankLines > 0 { parts.append("\(plural(result.skippedBlankLines, "blank line")) skipped") }
        parts.append(byteAmount(result.bytes))
        if report.head == result.records { parts.append("the first \(plural(result.records, "record")) only") }
        if let now = result.now { parts.append("now() is \(now)") }
        if report.sample != nil { parts.append("a random sample of \(plural(lastRecord, "record"))") }
        return parts.joined(separator: ", ")
    }
}

/// The findings of one rule, and the places of the first ones.
struct RuleFacts {
    let rule: RunResult.Rule
    /// The columns that the rule concerns, such as those of a key; empty if it concerns whole records.
    let columns: [String]
    /// An explanation of the kind of malformed record; `nil` for other rules.
    let meaning: String?
    /// The first findings, in the order of the records.
    let places: [Finding]

    /// `nil` if the rule concerns several columns or whole records.
    var column: String? { columns.count == 1 ? columns[0] : nil }
    var id: String { rule.id }
    var count: Int { notPassed + rule.warned }
    /// The number of failed and undecided values.
    var notPassed: Int { rule.failed + rule.undecided }

    /// The places of the first findings: `lines 3, 17, 20`.
    ///
    /// - Parameter name: Returns the displayed name of a file, if there are several.
    func placeText(_ name: (String) -> String) -> String {
        if places.contains(where: { $0.input != nil }) {
            return places.map { "line \(grouped($0.line))" + ($0.input.map { " of \(name($0))" } ?? "") }
                .joined(separator: ", ")
        }
        let lines = places.map { grouped($0.line) }.joined(separator: ", ")
        return places.isEmpty ? "" : "line\(places.count == 1 ? "" : "s") \(lines)"
    }

    /// A description of the error. If all findings have the same message, that message; otherwise the rule's message,
    /// or the first finding's message as an example.
    ///
    ///     is not an e-mail address, for example: there is no @
    var message: String? {
        if let meaning { return meaning }
        guard let first = places.first?.message else { return nil }
        if places.count == count && places.allSatisfy({ $0.message == first }) { return first }
        if rule.failed + rule.warned == 0 { return first }
        guard let ruleMessage = rule.message else { return "for example: \(first)" }
        let reasons = places.compactMap { place -> Substring? in
            let start = ruleMessage + ": "
            return place.message.begins(withBytesOf: start)
                ? Substring(place.message.utf8.dropFirst(start.utf8.count)) : nil
        }
        return reasons.first.map { "\(ruleMessage), for example: \($0)" } ?? ruleMessage
    }
}

/// The first findings of each rule.
private struct RulePlaces {
    private var known: [ByteEqualString: [Finding]] = [:]
    private var ambiguous: Set<ByteEqualString> = []
    private static let maxCount = 3

    init(_ report: RunReport) {
        var seen: Set<ByteEqualString> = []
        for rule in report.result.allRules {
            let id = ByteEqualString(rule.id)
            if !seen.insert(id).inserted { ambiguous.insert(id) }
        }
        for finding in report.knownFindings { known[ByteEqualString(finding.rule), default: []].append(finding) }
        for finding in report.result.firstOfRules {
            let id = ByteEqualString(finding.rule)
            // Prefer places from the first findings of the run, because their messages are more precise.
            if let first = known[id]?.first, first.record <= finding.record, !ambiguous.contains(id) { continue }
            known[id, default: []].insert(finding, at: 0)
        }
    }

    func of(_ id: String, column: String?) -> [Finding] {
        let id = ByteEqualString(id)
        let all = known[id] ?? []
        guard ambiguous.contains(id), let column else { return Array(all.prefix(Self.maxCount)) }
        var places: [Finding] = []
        for finding in all where areByteEqual(finding.column, column) && places.count < Self.maxCount {
            if !places.contains(where: { $0.record == finding.record && $0.offset == finding.offset }) {
                places.append(finding)
            }
        }
        return places
    }
}

extension RunResult.Structure {
    /// Returns an explanation of a kind of malformed record.
    static func meaning(of code: String) -> String {
        switch code {
        case "structure.fields": "another number of fields than the header"
        case "structure.quote": "a quote that never closes, or text after a closing quote"
        case "structure.json": "no object of JSON, or a name twice"
        case "structure.blank": "a blank line"
        case "structure.too-long": "longer than field-bytes or record-bytes"
        default: "not in the encoding of the file"
        }
    }
}

/// A piece of a sentence. Names are untrusted, and each report format escapes them in its own way.
enum ReportText {
    case plain(String)
    /// A name of a file, column or rule, or something to type.
    case name(String)
}
