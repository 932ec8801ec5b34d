public import Assay
internal import AssayRules
internal import CAssay

/// A repair that the rules lack, and the records that it would save. Each was tried on the rejected records.
public struct RepairSuggestion: Hashable, Sendable {
    /// The field to repair.
    public var column: String
    /// The repair to add after the existing ones of the field.
    public var repair: Repair
    /// The number of records that the column would no longer reject.
    public var mended: Int
    /// The number of records that the column rejects.
    public var failing: Int

    /// The repair in the syntax of rule files.
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

/// Two repairs that read the same values differently, such as `01/02/2024`. The values do not determine the right one.
public struct AmbiguousRepair: Hashable, Sendable {
    /// The field that contains the values.
    public var column: String
    /// The number of values that both read, differently, among the first 10,000 that each changed.
    public var values: Int
    /// The repairs.
    public var repairs: [RepairSuggestion]
    /// A value and both results; empty unless values may be shown (``CleanerOptions/showValues``).
    public var example: [String]
}

/// A repair that would mend some values and is not recommended, because it may be wrong for others.
public struct WithheldRepair: Hashable, Sendable {
    /// The reason.
    public enum Reason: Hashable, Sendable {
        /// The number of clean values that it would change, among the records on which it was tried.
        case changesClean(Int)
        /// The number of clean records that would be rejected, among those on which it was tried.
        case rejectsClean(Int)
        /// The words that it removes may be values of the column: `NA` is a country.
        case removesText
    }

    /// The repair, and the rejected values that it would mend.
    public var suggestion: RepairSuggestion
    /// The reason why it is not recommended.
    public var reason: Reason
    /// A value of a clean record and the result; empty unless values may be shown (``CleanerOptions/showValues``).
    public var example: [String] = []
}

/// The effect of repairs on a table, as tried on its first rejected records, or on all, and on a sample of its clean
/// records.
public struct RepairTrial: Hashable, Sendable {
    /// The repairs that mend some records, for each of the ten columns with the most rejects, in descending order of
    /// mended records; at most two per column.
    public var suggestions: [RepairSuggestion] = []
    /// The columns with values that have two readings. Repairs for these columns are not recommended.
    public var ambiguous: [AmbiguousRepair] = []
    /// The repairs that are not recommended because of other values; at most two per column.
    public var withheld: [WithheldRepair] = []
    /// The number of rejected records on which repairs were tried.
    public var tried = 0
    /// The number of rejected records that would be clean with the first repair of each column.
    public var saved = 0
}

extension Cleaner {
    /// Tries repairs of single columns on rejected records, which they may mend, and on clean records, which they may
    /// damage. Keys are left out because they compare records with others.
    ///
    /// - Complexity: One run of one column over the sample for each repair, for at most ten columns, which several
    ///   threads share.
    func tryRepairs(
        on sample: RejectSample, and clean: CleanSample, of table: PreparedTable, result: RunResult
    ) throws -> RepairTrial {
        let (records, tried) = sample.records
        var trial = RepairTrial(tried: tried)
        guard tried > 0, result.columns.contains(where: { $0.rejected > 0 }) else { return trial }
        let cleanSample = clean.records
        let bytes = table.prefix + records
        let cleanBytes = table.prefix + cleanSample.bytes
        let rules = Self.rulesOfTrial(self.rules, table)
        let (format, name, showsValues) = (table.format, table.parts[0].source.name, options.showValues)
        let isByName = table.header != nil || table.json != nil
        @Sendable func run(_ rules: RuleFile, on records: [UInt8]? = nil, keptChanges: Int = 0) throws -> RunResult? {
            var options = CleanerOptions()
            (options.threads, options.keptFindings, options.format, options.unpacks) = (1, 0, format, false)
            options.keptChanges = keptChanges
            options.now = result.now
            guard let cleaner = try? Cleaner(rules: rules, options: options) else { return nil }
            do {
                return try cleaner.run(BytesSource(records ?? bytes, name: name))
            } catch is InputError {
                // Rejected records alone may not look like a table although the run succeeded.
                return nil
            } catch is CompileError {
                // A list of JSON has no text to repair.
                return nil
            }
        }
        guard let before = try run(rules) else { return trial }
        let worst = before.columns.filter { $0.rejected > 0 }.sorted { $0.rejected > $1.rejected }
        let chosen = Set(worst.prefix(Self.maxColumnsTried).map { ByteEqualString($0.name) })
        /// Tries repairs of one column; `nil` if it has no field.
        @Sendable func tryRepairs(of column: RunResult.Column) throws -> ColumnTrial? {
            let place = rules.schema.fields.firstIndex { ByteEqualString($0.name) == ByteEqualString(column.name) }
            guard let place else { return nil }
            var trial = ColumnTrial(place: place)
            let alone = rules.asking(onlyField: place, byName: isByName)
            func suggestion(_ repair: Repair) throws -> TriedRepair? {
                var changed = alone
                let own = changed.schema.fields.firstIndex { ByteEqualString($0.name) == ByteEqualString(column.name) }!
                changed.schema.fields[own].repair.append(repair)
                guard let after = try run(changed, keptChanges: repair.isReading ? Self.maxChanges : 0),
                    let now = after.columns.first(where: { ByteEqualString($0.name) == ByteEqualString(column.name) }),
                    now.rejected < column.rejected
                else { return nil }
                let suggestion = RepairSuggestion(
                    column: column.name, repair: repair, mended: column.rejected - now.rejected,
                    failing: column.rejected)
                let changes = after.firstChanges.map { ($0.line, (before: $0.before, after: $0.after)) }
                return TriedRepair(
                    suggestion: suggestion, changes: Dictionary(changes, uniquingKeysWith: { first, _ in first }))
            }
            let field = rules.schema.fields[place]
            var withheld: [WithheldRepair] = []
            var found: [TriedRepair] = []
            for repair in Self.usefulRepairs(of: field) {
                guard let tried = try suggestion(repair) else { continue }
                guard case .missing(let words) = repair else {
                    found.append(tried)
                    continue
                }
                // Only words that occur, and separately those that may be values.
                let there = try words.filter { try suggestion(.missing([$0])) != nil }
                let plain = there.filter { !field.mayMean($0) }
                if plain.count == there.count {
                    found.append(tried.with(.missing(there)))
                } else {
                    if !plain.isEmpty, let some = try suggestion(.missing(plain)) { found.append(some) }
                    if let others = try suggestion(.missing(there.filter(field.mayMean))) {
                        withheld.append(WithheldRepair(suggestion: others.suggestion, reason: .removesText))
                    }
                }
            }
            found.sortByUse()
            if let all = try Self.joined(found, suggestion) {
                found.removeAll { $0.isPart(of: all) }
                found = [all] + found
                found.sortByUse()
            }
            if cleanSample.count > 0, !found.isEmpty, let cleanBefore = try run(alone, on: cleanBytes) {
                try found.removeAll { one in
                    let harm = try Self.harm(of: one.suggestion, alone, cleanBefore) {
                        try run($0, on: cleanBytes, keptChanges: $1)
                    }
                    if let harm { withheld.append(harm) }
                    return harm != nil
                }
            }
            trial.withheld += withheld.prefix(2).map {
                var shown = $0
                if !showsValues { shown.example = [] }
                return shown
            }
            if var ambiguous = try Self.removeAmbiguous(&found, suggestion) {
                if !showsValues { ambiguous.example = [] }
                trial.ambiguous.append(ambiguous)
            }
            trial.suggestions = found.prefix(2).map(\.suggestion)
            return trial
        }
        let columns = before.columns.filter { chosen.contains(ByteEqualString($0.name)) }
        let tries = mapOnThreads(columns.count, threads: options.threads ?? processorCount, itemsEach: 1) { index in
            Result { try tryRepairs(of: columns[index]) }
        }
        var together = rules
        for column in tries {
            guard let column = try column.get() else { continue }
            trial.withheld += column.withheld
            trial.ambiguous += column.ambiguous
            trial.suggestions += column.suggestions
            if let first = column.suggestions.first {
                together.schema.fields[column.place].repair.append(first.repair)
            }
        }
        if !trial.suggestions.isEmpty, let after = try run(together) { trial.saved = after.clean - before.clean }
        return trial
    }

    /// The rules of columns, without those that compare records with others, for records in UTF-8.
    private static func rulesOfTrial(_ rules: RuleFile, _ table: PreparedTable) -> RuleFile {
        var rules = rules
        rules.schema = rules.schema.withoutComparisons
        rules.tableRules = []
        rules.dialect = table.head.dialect
        rules.dialect.encoding = nil
        return rules
    }

    /// Returns the repair if it changes values of clean records or makes them rejected, and `nil` if all remain
    /// unchanged.
    ///
    /// - Parameters:
    ///   - alone: The rules of its column.
    ///   - before: The result for the clean records with these rules.
    ///   - run: Checks the clean records with other rules and keeps some changes.
    private static func harm(
        of suggestion: RepairSuggestion, _ alone: RuleFile, _ before: RunResult,
        _ run: (RuleFile, _ keptChanges: Int) throws -> RunResult?
    ) rethrows -> WithheldRepair? {
        func isColumn(_ name: String) -> Bool { ByteEqualString(name) == ByteEqualString(suggestion.column) }
        guard let own = alone.schema.fields.firstIndex(where: { isColumn($0.name) }) else { return nil }
        var changed = alone
        changed.schema.fields[own].repair.append(suggestion.repair)
        let name = changed.schema.fields[own].repair.names.last
        guard let after = try run(changed, maxChanges),
            let now = after.columns.first(where: { isColumn($0.name) }),
            let was = before.columns.first(where: { isColumn($0.name) })
        else { return nil }
        func example(_ changes: [Change]) -> [String] {
            changes.first { $0.repairs.last == name }.map { [$0.before, $0.after] } ?? []
        }
        if now.rejected > was.rejected {
            // Rejected records have no changes, so the example needs a column without rules.
            if case .canonical = suggestion.repair {} else { changed.schema.fields[own].type = .any }
            changed.schema.fields[own].rules = []
            changed.schema.fields[own].isRequired = false
            return WithheldRepair(
                suggestion: suggestion, reason: .rejectsClean(now.rejected - was.rejected),
                example: example(try run(changed, maxChanges)?.firstChanges ?? []))
        }
        let count = now.repairs.last?.changed ?? 0
        if count == 0 { return nil }
        return WithheldRepair(
            suggestion: suggestion, reason: .changesClean(count), example: example(after.firstChanges))
    }

    /// Returns formats of dates or times that together mend more than the best single one, or `nil`.
    ///
    /// - Parameters:
    ///   - found: Repairs that mend some records, in descending order of mended records.
    ///   - suggestion: Tries a repair.
    private static func joined(
        _ found: [TriedRepair], _ suggestion: (Repair) throws -> TriedRepair?
    ) rethrows -> TriedRepair? {
        let formats = found.flatMap(\.formats)
        guard var best = found.first(where: { !$0.formats.isEmpty }) else { return nil }
        for format in formats.dropFirst() {
            let from = best.formats + [format]
            // Formats that read values differently mend fewer values together.
            if let more = try suggestion(.canonical(Repair.CanonicalOptions(from: from))),
                more.suggestion.mended > best.suggestion.mended
            {
                best = more
            }
        }
        return best.formats.count > 1 ? best : nil
    }

    /// Removes the repairs that read a value differently from the best one. If a removed repair reads additional
    /// values, or both read the same values, the best one is not right for all values either. Then both date formats
    /// together replace it, which leave such values unchanged, or no repair of this kind is recommended.
    private static func removeAmbiguous(
        _ found: inout [TriedRepair], _ suggestion: (Repair) throws -> TriedRepair?
    ) rethrows -> AmbiguousRepair? {
        guard let best = found.first(where: { $0.suggestion.repair.isReading }) else { return nil }
        let others = found.filter { !best.conflicts(with: $0).isEmpty }
        found.removeAll { one in others.contains { $0.suggestion == one.suggestion } }
        let rivals = others.filter { other in
            other.changes.keys.contains { best.changes[$0] == nil } || other.changes.count == best.changes.count
        }
        guard let rival = rivals.first else { return nil }
        found.removeAll { $0.suggestion == best.suggestion }
        if let both = try suggestion(
            .canonical(Repair.CanonicalOptions(from: best.formats + rival.formats))), !rival.formats.isEmpty
        {
            found.append(both)
            found.sortByUse()
        }
        let lines = best.conflicts(with: rival)
        let example = lines.min().flatMap { line in
            best.changes[line].flatMap { one in rival.changes[line].map { [one.before, one.after, $0.after] } }
        }
        return AmbiguousRepair(
            column: best.suggestion.column, values: lines.count, repairs: [best.suggestion, rival.suggestion],
            example: example ?? [])
    }

    /// The maximum number of compared changes.
    private static let maxChanges = 10_000

    /// The maximum number of columns on which repairs are tried, starting with the most rejects. It limits the time of
    /// a trial to about a second for wide tables.
    private static let maxColumnsTried = 10

    /// Returns the repairs to try for a field.
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

/// The repairs that were tried on one column.
private struct ColumnTrial {
    /// The place of the field.
    let place: Int
    var suggestions: [RepairSuggestion] = []
    var ambiguous: [AmbiguousRepair] = []
    var withheld: [WithheldRepair] = []
}

/// A repair that mends some values, and the first changed values by their lines in the sample.
private struct TriedRepair {
    var suggestion: RepairSuggestion
    let changes: [Int: (before: String, after: String)]

    /// Returns the same result for another form of the repair.
    func with(_ repair: Repair) -> Self {
        var other = self
        other.suggestion.repair = repair
        return other
    }

    /// The formats of dates or times that the repair reads.
    var formats: [String] {
        if case .canonical(let options) = suggestion.repair { options.from } else { [] }
    }

    /// Whether another repair reads all formats of this one.
    func isPart(of other: Self) -> Bool { !formats.isEmpty && Set(formats).isSubset(of: other.formats) }

    /// Returns the lines with values that both change to different results.
    func conflicts(with other: Self) -> [Int] {
        changes.keys.filter { line in other.changes[line].map { $0.after != changes[line]?.after } ?? false }
    }
}

extension Field {
    /// Whether a word for missing values may be a text that the rules do not list. Formats of text name all of their
    /// values.
    fileprivate func mayMean(_ word: String) -> Bool {
        guard type == .string || type == .any else { return false }
        if InferredField.isNoText(word) { return false }
        if word.contains(where: \.isLetter) { return true }
        // Next to `+`, the sign `-` is a value.
        return rules.contains { rule in
            guard case .oneOf(let texts, _) = rule.check else { return false }
            return texts.contains { !$0.isEmpty && !$0.contains { $0.isLetter || $0.isNumber } }
        }
    }
}

extension Repair {
    /// Whether it reads values by a format or separators that a value may not have.
    fileprivate var isReading: Bool {
        guard case .canonical(let options) = self else { return false }
        return !options.from.isEmpty || options.decimalChar != nil || options.groupChar != nil
    }
}

extension [TriedRepair] {
    /// Sorts the repairs by mended records, in descending order. Repairs with equal numbers keep their order.
    fileprivate mutating func sortByUse() {
        self = enumerated().sorted {
            ($1.element.suggestion.mended, $0.offset) < ($0.element.suggestion.mended, $1.offset)
        }.map(\.element)
    }
}

extension RuleFile {
    /// Returns the rules of a single field.
    ///
    /// - Parameter byName: Whether fields are found by name. If not, the other fields keep their places.
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
