internal import Assay

/// The findings of one run about its rejected records, one record at a time.
struct RejectedRecords {
    private var rows: LogRows
    private var hasRow: Bool
    private let namesInputs: Bool
    private let rules: RuleNumbers
    /// The current record; `nil` after the last one.
    private(set) var record: Int?
    /// The rules that reject the record, in ascending order.
    private(set) var failed: [Int] = []
    /// The number of rejected records so far, including the current one.
    private(set) var count = 0
    private var raw: [UInt8] = []

    init(_ log: RunLog, namesInputs: Bool, rules: RuleNumbers) throws(FileError) {
        rows = try LogRows(log)
        hasRow = try rows.advance()
        self.namesInputs = namesInputs
        self.rules = rules
        try advance()
    }

    /// Advances to the next rejected record.
    mutating func advance() throws(FileError) {
        record = nil
        while hasRow, record == nil {
            let number = rows.number(0)
            failed.removeAll(keepingCapacity: true)
            raw.removeAll(keepingCapacity: true)
            while hasRow, rows.number(0) == number {
                // Warnings do not reject a record.
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
    /// The id of each rule, and its column; `nil` if the rule does not belong to a column.
    private(set) var rules: [(id: String, column: String?)] = []

    /// The number of a rule.
    ///
    /// - Parameter column: Returns the column of the finding, for rules that are not known yet.
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

/// The changes that the repairs of one run made to clean records, read one record at a time.
struct ChangedRecords {
    private var rows: LogRows?
    private var hasRow = false
    private let namesInputs: Bool
    /// The current record; `nil` after the last one.
    private(set) var record: Int?
    /// The rows of the change log for the current record.
    private(set) var raw: [UInt8] = []

    /// - Parameter log: Empty if the rules have no repairs.
    init(_ log: RunLog, namesInputs: Bool) throws(FileError) {
        self.namesInputs = namesInputs
        if log.file.count == 0 { return }
        var rows = try LogRows(log)
        hasRow = try rows.advance()
        self.rows = rows
        try advance()
    }

    /// Advances to the next changed record.
    mutating func advance() throws(FileError) {
        record = nil
        raw.removeAll(keepingCapacity: true)
        guard hasRow, var rows else { return }
        // Release the stored value, so that `rows` has a single owner and is not copied.
        self.rows = nil
        record = rows.number(0)
        while hasRow, rows.number(0) == record {
            raw += rows.row
            hasRow = try rows.advance()
        }
        self.rows = rows
    }

    /// Returns the changed cells of the record, in order.
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
