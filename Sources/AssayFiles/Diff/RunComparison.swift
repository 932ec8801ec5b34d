internal import Assay

/// Compares two runs over the same table, record by record.
struct RunComparison {
    private let before: LoggedRun
    private let now: LoggedRun
    private let first: Int
    private let numbers = RuleNumbers()
    private var rejectedBefore: RejectedRecords
    private var rejectedNow: RejectedRecords
    private var changedBefore: ChangedRecords
    private var changedNow: ChangedRecords
    private var diff = RulesDiff()
    /// The differences of each rule. The index is the number of the rule.
    private var parts: [RulesDiff.Rule] = []
    private var columns: [ByteEqualString: Int] = [:]

    init(_ before: LoggedRun, _ now: LoggedRun, first: Int) throws {
        (self.before, self.now, self.first) = (before, now, first)
        numbers.add(before.result)
        numbers.add(now.result)
        let names = before.namesInputs
        rejectedBefore = try RejectedRecords(before.findings, namesInputs: names, rules: numbers)
        rejectedNow = try RejectedRecords(now.findings, namesInputs: names, rules: numbers)
        changedBefore = try ChangedRecords(before.changes, namesInputs: names)
        changedNow = try ChangedRecords(now.changes, namesInputs: names)
    }

    /// Compares all records.
    mutating func compare() throws -> RulesDiff {
        let (old, new) = (before.result, now.result)
        guard old.records == new.records, old.bytes == new.bytes else {
            throw FileError.changed(old.inputs[0].name)
        }
        while let record = [
            rejectedBefore.record, rejectedNow.record, changedBefore.record, changedNow.record,
        ].compactMap(\.self).min() {
            try take(record)
        }
        guard rejectedBefore.count == old.rejected, rejectedNow.count == new.rejected else {
            throw ConservationError(
                message: "\(old.rejected) and \(new.rejected) records are rejected, but the findings are about "
                    + "\(rejectedBefore.count) and \(rejectedNow.count)")
        }
        diff.counts.records = old.records
        diff.counts.leftOut = old.leftOut
        diff.counts.rejectedByBoth = old.rejected - diff.counts.acceptedNow
        diff.counts.acceptedByBoth = old.clean - diff.counts.rejectedNow
        (diff.repairedBefore, diff.repairedNow) = (old.changes, new.changes)
        // Rules with equal counts keep their order.
        diff.rules = parts.filter { $0.total > 0 }.enumerated().sorted {
            ($1.element.total, $0.offset) < ($0.element.total, $1.offset)
        }.map(\.element)
        diff.columns = columns.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
            RulesDiff.Column(name: $0.key.text, cleanedOtherwise: $0.value)
        }
        return diff
    }

    /// Compares the results of both runs for a record, and advances past it.
    private mutating func take(_ record: Int) throws {
        let (wasRejected, isRejected) = (rejectedBefore.record == record, rejectedNow.record == record)
        switch (wasRejected, isRejected) {
        case (false, true):
            diff.counts.rejectedNow += 1
            for rule in rejectedNow.failed { part(of: rule) { $0.rejectedNow += 1 } }
            if diff.rejectedNow.count < first {
                diff.rejectedNow.append(RulesDiff.Record(number: record, now: rejectedNow.findings()))
            }
        case (true, false):
            diff.counts.acceptedNow += 1
            for rule in rejectedBefore.failed { part(of: rule) { $0.acceptedNow += 1 } }
            if diff.acceptedNow.count < first {
                diff.acceptedNow.append(RulesDiff.Record(number: record, before: rejectedBefore.findings()))
            }
        case (true, true): compareRules(record)
        case (false, false): compareChanges(record)
        }
        if wasRejected { try rejectedBefore.advance() }
        if isRejected { try rejectedNow.advance() }
        if changedBefore.record == record { try changedBefore.advance() }
        if changedNow.record == record { try changedNow.advance() }
    }

    private mutating func compareRules(_ record: Int) {
        let (old, new) = (rejectedBefore.failed, rejectedNow.failed)
        if old == new { return }
        diff.counts.otherRules += 1
        let (dropped, added) = (Set(old).subtracting(new).sorted(), Set(new).subtracting(old).sorted())
        for rule in dropped { part(of: rule) { $0.dropped += 1 } }
        for rule in added { part(of: rule) { $0.added += 1 } }
        guard diff.otherRules.count < first else { return }
        func findings(_ rejected: RejectedRecords, of rules: [Int]) -> [Finding] {
            let ids = Set(rules.map { ByteEqualString(numbers.rules[$0].id) })
            return rejected.findings().filter { ids.contains(ByteEqualString($0.rule)) }
        }
        diff.otherRules.append(
            RulesDiff.Record(
                number: record, before: findings(rejectedBefore, of: dropped), now: findings(rejectedNow, of: added)))
    }

    /// Compares the repaired cells of a record that both runs accept.
    private mutating func compareChanges(_ record: Int) {
        let (had, has) = (changedBefore.record == record, changedNow.record == record)
        if had && has && changedBefore.raw == changedNow.raw { return }
        let (old, new) = (had ? changedBefore.changes() : [], has ? changedNow.changes() : [])
        // Cells of the input are identified by their offsets.
        let (made, makes) = (cells(old), cells(new))
        let others = Set(made.keys).union(makes.keys).filter { made[$0] != makes[$0] }
        if others.isEmpty { return }
        diff.counts.cleanedOtherwise += 1
        let before = old.filter { others.contains($0.offset) }
        let now = new.filter { others.contains($0.offset) }
        for name in Set((before + now).map { ByteEqualString($0.column) }) { columns[name, default: 0] += 1 }
        if diff.cleanedOtherwise.count < first {
            diff.cleanedOtherwise.append(RulesDiff.Cleaned(number: record, before: before, now: now))
        }
    }

    private func cells(_ changes: [Change]) -> [Int: ByteEqualString] {
        Dictionary(changes.map { ($0.offset, ByteEqualString($0.after)) }) { $1 }
    }

    private mutating func part(of rule: Int, _ count: (inout RulesDiff.Rule) -> Void) {
        while parts.count <= rule {
            let (id, column) = numbers.rules[parts.count]
            parts.append(RulesDiff.Rule(id: id, column: column))
        }
        count(&parts[rule])
    }
}

extension RulesDiff.Rule {
    var total: Int { rejectedNow + acceptedNow + added + dropped }
}
