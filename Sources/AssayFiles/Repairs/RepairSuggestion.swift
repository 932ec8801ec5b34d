public import Assay
internal import AssayRules
internal import CAssay

/// A repair that the rules do not have, and what it would save. Each was tried on the rejected records.
public struct RepairSuggestion: Hashable, Sendable {
    /// The field that it would be a repair of.
    public var column: String
    /// What would stand behind the repairs that the field has.
    public var repair: Repair
    /// Records that the column would no longer reject with it.
    public var mended: Int
    /// Of how many that it rejects.
    public var failing: Int

    /// The repair as a rule file has it.
    public var text: String {
        func list(_ texts: [String]) -> String { "[" + texts.map(quoted).joined(separator: ", ") + "]" }
        func quoted(_ text: String) -> String {
            var bytes: [UInt8] = []
            JSONText.append(text, to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
        switch repair {
        case .missing(let words): return "{missing: \(list(words))}"
        case .canonical(let options):
            let from = options.from.isEmpty ? nil : "from: \(list(options.from))"
            let decimal = options.decimalChar.map { "decimalChar: \(quoted($0))" }
            let group = options.groupChar.map { "groupChar: \(quoted($0))" }
            let parts = [from, decimal, group].compactMap(\.self)
            return parts.isEmpty ? "canonical" : "{canonical: {\(parts.joined(separator: ", "))}}"
        default: return repair.name
        }
    }
}

/// What repairs would do for a table, as tried on its first rejected records, or on all.
public struct RepairTrial: Hashable, Sendable {
    /// For each of the ten columns with the most rejects the repairs that mend some records, the one that mends the most first; two of each column at most.
    public var suggestions: [RepairSuggestion] = []
    /// How many rejected records they were tried on.
    public var tried = 0
    /// How many of them would be clean with the first of each column.
    public var saved = 0
}

extension Cleaner {
    /// Tries on rejected records what repairs of single columns would save. Keys are left out: they compare records with others.
    ///
    /// - Complexity: a run of one column over the sample for each repair that is tried, of ten columns at most.
    func tryRepairs(on sample: RejectSample, of table: PreparedTable, result: RunResult) throws -> RepairTrial {
        let (records, tried) = sample.records
        var trial = RepairTrial(tried: tried)
        guard tried > 0, result.columns.contains(where: { $0.rejected > 0 }) else { return trial }
        let bytes = table.prefix + records
        var rules = rules
        rules.schema.keys = []
        rules.schema.foreignKeys = []
        rules.dialect = table.head.dialect
        rules.dialect.encoding = nil
        var options = CleanerOptions()
        (options.threads, options.keptFindings, options.format, options.unpacks) = (1, 0, table.format, false)
        func run(_ rules: RuleFile) throws -> RunResult? {
            guard let cleaner = try? Cleaner(rules: rules, options: options) else { return nil }
            do {
                return try cleaner.run(BytesSource(bytes, name: table.parts[0].source.name))
            } catch is InputError {
                // Rejected records alone may not look like a table, and the run that they come from has succeeded.
                return nil
            } catch is CompileError {
                // A list of JSON has no text that could be repaired.
                return nil
            }
        }
        guard let before = try run(rules) else { return trial }
        var together = rules
        let worst = before.columns.filter { $0.rejected > 0 }.sorted { $0.rejected > $1.rejected }
        let chosen = Set(worst.prefix(Self.mostColumnsTried).map { ByteEqualString($0.name) })
        for column in before.columns where chosen.contains(ByteEqualString(column.name)) {
            let place = rules.schema.fields.firstIndex { ByteEqualString($0.name) == ByteEqualString(column.name) }
            guard let place else { continue }
            let alone = rules.asking(onlyField: place, byName: table.header != nil || table.json != nil)
            func suggestion(_ repair: Repair) throws -> RepairSuggestion? {
                var changed = alone
                let own = changed.schema.fields.firstIndex { ByteEqualString($0.name) == ByteEqualString(column.name) }!
                changed.schema.fields[own].repair.append(repair)
                guard let after = try run(changed),
                    let now = after.columns.first(where: { ByteEqualString($0.name) == ByteEqualString(column.name) }),
                    now.rejected < column.rejected
                else { return nil }
                return RepairSuggestion(
                    column: column.name, repair: repair, mended: column.rejected - now.rejected,
                    failing: column.rejected)
            }
            var found = try Self.usefulRepairs(of: rules.schema.fields[place]).compactMap(suggestion)
            for (index, one) in found.enumerated() {
                // Only the words that are there.
                guard case .missing(let words) = one.repair else { continue }
                found[index].repair = .missing(try words.filter { try suggestion(.missing([$0])) != nil })
            }
            found.sortByUse()
            if let all = try Self.joined(found, suggestion) {
                found.removeAll { $0.isPart(of: all) }
                found = [all] + found
                found.sortByUse()
            }
            let best = found.prefix(2)
            trial.suggestions += best
            if let first = best.first { together.schema.fields[place].repair.append(first.repair) }
        }
        if !trial.suggestions.isEmpty, let after = try run(together) { trial.saved = after.clean - before.clean }
        return trial
    }

    /// The formats of dates or times together that mend more than the best of them alone; `nil`: none do.
    ///
    /// - Parameters:
    ///   - found: what mends some records, the one that mends the most first.
    ///   - suggestion: tries a repair.
    private static func joined(
        _ found: [RepairSuggestion], _ suggestion: (Repair) throws -> RepairSuggestion?
    ) rethrows -> RepairSuggestion? {
        let formats = found.flatMap(\.formats)
        guard var best = found.first(where: { !$0.formats.isEmpty }) else { return nil }
        for format in formats.dropFirst() {
            let from = best.formats + [format]
            // Formats that read values differently mend less together.
            if let more = try suggestion(.canonical(Repair.CanonicalOptions(from: from))), more.mended > best.mended {
                best = more
            }
        }
        return best.formats.count > 1 ? best : nil
    }

    /// Repairs are tried on so many columns, those with the most rejects: the trial may take a second, however wide the table is.
    private static let mostColumnsTried = 10

    /// What is worth trying for a field.
    private static func usefulRepairs(of field: Field) -> [Repair] {
        let words = ["N/A", "n/a", "NA", "#N/A", "NULL", "null", "None", "nil", "-", "--", "?"]
        var repairs: [Repair] = [.trim, .missing(words), .canonical()]
        switch field.type.kind {
        case .date, .datetime, .time:
            let days = ["%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%d-%m-%Y", "%Y%m%d", "%d %b %Y"]
            let formats =
                switch field.type.kind {
                case .date: days
                case .datetime: days.flatMap { ["\($0) %H:%M:%S", "\($0) %H:%M"] } + ["%Y-%m-%d %H:%M:%S"]
                default: ["%H:%M", "%H.%M", "%H:%M:%S"]
                }
            repairs += formats.map { .canonical(Repair.CanonicalOptions(from: [$0])) }
        case .number:
            for (decimal, group) in [(",", "."), (",", " "), (nil, ","), (nil, " "), (nil, "'")] {
                repairs.append(.canonical(Repair.CanonicalOptions(decimalChar: decimal, groupChar: group)))
            }
        case .integer:
            repairs += [",", " ", "'", "."].map { .canonical(Repair.CanonicalOptions(groupChar: $0)) }
        default: repairs += [.lower, .upper]
        }
        return repairs + [.unquote, .collapse, .stripControl, .asciiDigits]
    }
}

extension RepairSuggestion {
    /// The formats of dates or times that it reads.
    fileprivate var formats: [String] { if case .canonical(let options) = repair { options.from } else { [] } }

    /// Whether another one reads all of its formats.
    fileprivate func isPart(of other: RepairSuggestion) -> Bool {
        !formats.isEmpty && Set(formats).isSubset(of: other.formats)
    }
}

extension [RepairSuggestion] {
    /// The one that mends the most first; of those that mend as many, the one that was tried first.
    fileprivate mutating func sortByUse() {
        self = enumerated().sorted { ($1.element.mended, $0.offset) < ($0.element.mended, $1.offset) }.map(\.element)
    }
}

extension RuleFile {
    /// The same rules of one field, and none of others.
    ///
    /// - Parameter byName: whether fields are found by their names; else the others keep their places.
    fileprivate func asking(onlyField place: Int, byName: Bool) -> RuleFile {
        var rules = self
        rules.schema.rows = []
        rules.schema.fieldsMatch = .subset
        if byName {
            rules.schema.fields = [schema.fields[place]]
        } else {
            rules.schema.fields = schema.fields.enumerated().map { index, field in
                index == place ? field : Field(name: field.name, type: .any)
            }
        }
        return rules
    }
}
