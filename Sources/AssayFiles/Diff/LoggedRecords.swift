internal import Assay

/// What one run has against the records that it rejects, record after record.
struct RejectedRecords {
    private var rows: LogRows
    private var hasRow: Bool
    private let namesInputs: Bool
    private let rules: RuleNumbers
    /// The record that it is at; `nil` behind the last one.
    private(set) var record: Int?
    /// The rules that reject it, in ascending order.
    private(set) var failed: [Int] = []
    /// How many records it has come by.
    private(set) var count = 0
    private var raw: [UInt8] = []

    init(_ log: RunLog, namesInputs: Bool, rules: RuleNumbers) throws(FileError) {
        rows = try LogRows(log)
        hasRow = try rows.advance()
        self.namesInputs = namesInputs
        self.rules = rules
        try advance()
    }

    /// Goes on to the next rejected record.
    mutating func advance() throws(FileError) {
        record = nil
        while hasRow, record == nil {
            let number = rows.number(0)
            failed.removeAll(keepingCapacity: true)
            raw.removeAll(keepingCapacity: true)
            while hasRow, rows.number(0) == number {
                // A warning rejects nothing.
                if rows.spelled(7).elementsEqual("reject".utf8) {
                    let rule = rules.number(of: rows.spelled(5), column: { rows.text(3) })
                    failed.append(rule)
                    raw += rows.row
                }
                hasRow = try rows.advance()
            }
            if !failed.isEmpty {
                failed.sort()
                var last = -1
                failed.removeAll { rule in
                    defer { last = rule }
                    return rule == last
                }
                record = number
                count += 1
            }
        }
    }

    /// The findings that reject the record.
    func findings() -> [Finding] {
        var rows = LogRows(raw)
        var findings: [Finding] = []
        while (try? rows.advance()) == true {
            let column = rows.text(3)
            let position = rows.number(4)
            let value = namesInputs ? 10 : 9
            findings.append(
                Finding(
                    record: rows.number(0), line: rows.number(1), offset: rows.number(2),
                    column: position > 0 || !column.isEmpty ? column : nil, position: position > 0 ? position : nil,
                    rule: rows.text(5), code: rows.text(6), severity: .reject, message: rows.text(8),
                    value: rows.has(value) ? rows.text(value) : nil, input: namesInputs ? rows.text(9) : nil))
        }
        return findings
    }
}

/// Numbers for the rules of both rule files, by their ids.
final class RuleNumbers {
    private var numbers: [ArraySlice<UInt8>: Int] = [:]
    /// Their ids, and the columns of those that have one.
    private(set) var rules: [(id: String, column: String?)] = []

    /// The number of a rule.
    ///
    /// - Parameter column: that of a finding, where it is not known from the rules.
    func number(of id: ArraySlice<UInt8>, column: () -> String) -> Int {
        if let number = numbers[id] { return number }
        let column = column()
        return add(
            id: String(decoding: id, as: UTF8.self), spelled: Array(id)[...], column: column.isEmpty ? nil : column)
    }

    /// Adds the rules of the columns of a run.
    func add(_ result: RunResult) {
        for column in result.columns {
            for rule in column.rules where numbers[csvField(Array(rule.id.utf8))[...]] == nil {
                _ = add(id: rule.id, spelled: csvField(Array(rule.id.utf8))[...], column: column.name)
            }
        }
    }

    private func add(id: String, spelled: ArraySlice<UInt8>, column: String?) -> Int {
        numbers[spelled] = rules.count
        rules.append((id, column))
        return rules.count - 1
    }
}

/// What one run changed in clean records, record after record.
struct ChangedRecords {
    private var rows: LogRows?
    private var hasRow = false
    private let namesInputs: Bool
    /// The record that it is at; `nil` behind the last one.
    private(set) var record: Int?
    /// Its rows.
    private(set) var raw: [UInt8] = []

    /// - Parameter log: empty where the rules repair nothing.
    init(_ log: RunLog, namesInputs: Bool) throws(FileError) {
        self.namesInputs = namesInputs
        if log.file.count == 0 { return }
        var rows = try LogRows(log)
        hasRow = try rows.advance()
        self.rows = rows
        try advance()
    }

    /// Goes on to the next record that changed.
    mutating func advance() throws(FileError) {
        record = nil
        raw.removeAll(keepingCapacity: true)
        guard hasRow, var rows else { return }
        // So that there is one owner.
        self.rows = nil
        record = rows.number(0)
        while hasRow, rows.number(0) == record {
            raw += rows.row
            hasRow = try rows.advance()
        }
        self.rows = rows
    }

    /// Its cells that have changed, in the order of the record.
    func changes() -> [Change] {
        var rows = LogRows(raw)
        var changes: [Change] = []
        let values = namesInputs ? 7 : 6
        while (try? rows.advance()) == true {
            changes.append(
                Change(
                    record: rows.number(0), line: rows.number(1), offset: rows.number(2), column: rows.text(3),
                    repairs: rows.text(5).split(separator: ";").map(String.init), before: rows.text(values),
                    after: rows.text(values + 1), input: namesInputs ? rows.text(6) : nil))
        }
        return changes.sorted { $0.offset < $1.offset }
    }
}
