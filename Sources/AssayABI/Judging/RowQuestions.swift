internal import Assay
internal import AssayFiles
internal import AssayRules
internal import CAssayABI

/// Which rules between columns, and which keys, a check asks.
struct RowQuestions {
    private let rules: Rules
    private let rows: [Int]
    private let keys: [Int]
    /// The fields whose values they need.
    let fields: Set<Int>

    private init(_ rules: Rules, rows: [Int], keys: [Int]) {
        (self.rules, self.rows, self.keys) = (rules, rows, keys)
        var fields = rows.reduce(into: Set<Int>()) { $0.formUnion(rules.schema.fields(ofRowRule: $1)) }
        for key in keys { fields.formUnion(rules.fields(ofKey: key)) }
        self.fields = fields
    }

    /// Those of a table.
    static func all(of rules: Rules) -> RowQuestions {
        RowQuestions(rules, rows: Array(rules.file.schema.rows.indices), keys: Array(rules.schema.keys.indices))
    }

    /// Those of a column by itself: what names no other column.
    ///
    /// - Throws: a fault for what names this column and others.
    static func of(_ field: Int, of rules: Rules) throws(Fault) -> RowQuestions {
        func asks(_ fields: Set<Int>, _ what: @autoclosure () -> String) throws(Fault) -> Bool {
            guard fields.contains(field) else { return false }
            guard let other = fields.sorted().first(where: { $0 != field }) else { return true }
            throw Fault(
                ASSAY_FAULT_COLUMNS,
                "\(what()) needs the column '\(printable(rules.file.schema.fields[other].name))' too, and a column is checked by itself",
                hint: "check the table")
        }
        let name = ByteEqualString(rules.file.schema.fields[field].name)
        if rules.file.schema.foreignKeys.contains(where: { $0.fields.map(ByteEqualString.init).contains(name) }) {
            try rules.expectNoForeignKeys()
        }
        var (rows, keys): ([Int], [Int]) = ([], [])
        for (index, rule) in rules.file.schema.rows.enumerated()
        where try asks(rules.schema.fields(ofRowRule: index), "the row rule '\(printable(rule.id))'") {
            rows.append(index)
        }
        for (index, key) in rules.schema.keys.enumerated()
        where try asks(Set(rules.fields(ofKey: index)), "the key '\(printable(key.key.id))'") {
            keys.append(index)
        }
        return RowQuestions(rules, rows: rows, keys: keys)
    }

    /// What they are in a check of a table.
    ///
    /// - Parameters:
    ///   - present: the fields that the table has.
    ///   - reported: the rules of the columns. Those of whole rows are added.
    /// - Returns: `nil`: nothing is asked.
    func task(
        _ present: [Int], rows count: Int, _ options: CheckOptions, reported: inout [ReportedRule]
    ) throws -> RowTask? {
        if rows.isEmpty && keys.isEmpty { return nil }
        let firstRule = reported.count
        reported += rows.map { rules.rowPlan.reported[$0] }
        var task: KeyTask?
        if !keys.isEmpty {
            let firstKey = reported.count
            let parts = keys.map { rules.fields(ofKey: $0).map { present.contains($0) ? $0 : nil } }
            for (key, parts) in zip(keys, parts) {
                let description = rules.schema.keys[key].key
                let column = parts.count == 1 && parts[0] != nil ? description.fields[0] : nil
                reported.append(ReportedRule(description, column: column))
            }
            let compiled = keys.map { rules.schema.keys[$0] }
            var (seen, hashes): (SeenKeys?, KeyHashes?)
            if options.keySecret == nil {
                seen = try self.seen(options)
                seen?.reserve(count.multipliedReportingOverflow(by: keys.count).partialValue)
            } else {
                hashes = try KeyHashes(compiled.map(\.key.id), rows: count, options.allocator)
            }
            task = KeyTask(
                compiled, seeds: keys.map { options.keySecret ?? seen!.seed($0) }, fields: parts, seen: seen,
                hashes: hashes, firstRule: firstKey, firstRecord: options.firstRecord)
        }
        return RowTask(rules.rowPlan, rules: rows, firstRule: firstRule, keys: task)
    }

    /// The keys that those of the table are compared with.
    private func seen(_ options: CheckOptions) throws -> SeenKeys {
        let seen = try options.seen ?? SeenKeys(rules, memory: options.keyMemory)
        guard seen.belongs(to: rules) else {
            throw Fault(
                ASSAY_FAULT_ARGUMENT, "assay_options.seen was made for other rules",
                hint: "make it with the rules of the check")
        }
        return seen
    }
}

extension Rules {
    /// The fields that a key is made of.
    fileprivate func fields(ofKey key: Int) -> [Int] { schema.keys[key].key.fields.map { plan($0).field } }
}
