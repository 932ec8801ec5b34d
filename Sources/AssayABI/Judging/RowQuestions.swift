internal import Assay
internal import AssayEvaluation
internal import AssayFiles
internal import AssayRules
internal import CAssayABI

/// The rules between columns, keys and foreign keys that a check evaluates.
struct RowQuestions {
    private let rules: Rules
    private let rows: [Int]
    private let keys: [Int]
    let foreign: [Int]
    /// The fields that they read.
    let fields: Set<Int>

    private init(_ rules: Rules, rows: [Int], keys: [Int], foreign: [Int]) {
        (self.rules, self.rows, self.keys, self.foreign) = (rules, rows, keys, foreign)
        var fields = rows.reduce(into: Set<Int>()) { $0.formUnion(rules.schema.fields(ofRowRule: $1)) }
        for key in keys { fields.formUnion(rules.fields(of: rules.schema.keys[key])) }
        for key in foreign { fields.formUnion(rules.fields(ofForeignKey: key)) }
        self.fields = fields
    }

    /// The rules and keys of a table.
    static func all(of rules: Rules) -> RowQuestions {
        RowQuestions(
            rules, rows: Array(rules.file.schema.rows.indices), keys: Array(rules.schema.keys.indices),
            foreign: Array(rules.schema.foreignKeys.indices))
    }

    /// The rules and keys that name only this column.
    ///
    /// - Throws: a fault for a rule or key that also names other columns.
    static func of(_ field: Int, of rules: Rules) throws(Fault) -> RowQuestions {
        func asks(_ fields: Set<Int>, _ what: @autoclosure () -> String) throws(Fault) -> Bool {
            guard fields.contains(field) else { return false }
            guard let other = fields.sorted().first(where: { $0 != field }) else { return true }
            throw Fault(
                ASSAY_FAULT_COLUMNS,
                "\(what()) needs the column '\(printable(rules.file.schema.fields[other].name))' too, and a column is checked by itself",
                hint: "check the table")
        }
        var (rows, keys, foreign): ([Int], [Int], [Int]) = ([], [], [])
        for (index, rule) in rules.file.schema.rows.enumerated()
        where try asks(rules.schema.fields(ofRowRule: index), "the row rule '\(printable(rule.id))'") {
            rows.append(index)
        }
        for (index, key) in rules.schema.keys.enumerated()
        where try asks(Set(rules.fields(of: key)), "the key '\(printable(key.key.id))'") {
            keys.append(index)
        }
        for (index, key) in rules.file.schema.foreignKeys.enumerated()
        where try asks(rules.fields(ofForeignKey: index), "the foreign key '\(printable(key.id))'") {
            foreign.append(index)
        }
        return RowQuestions(rules, rows: rows, keys: keys, foreign: foreign)
    }

    /// The task for a check of a table.
    ///
    /// - Parameters:
    ///   - present: the fields that the table has.
    ///   - reported: the rules of the columns, to which those of rows are appended.
    /// - Returns: `nil` if there are no such rules and keys.
    func task(
        _ present: [Int], rows count: Int, _ options: CheckOptions, reported: inout [RuleTexts]
    ) throws -> RowTask? {
        if rows.isEmpty && keys.isEmpty && foreign.isEmpty { return nil }
        let firstRule = reported.count
        reported += rows.map { rules.rowPlan.reported[$0] }
        var task: KeyTask?
        if !keys.isEmpty || !foreign.isEmpty {
            let firstKey = reported.count
            func parts(_ key: CompiledKey) -> [Int?] {
                rules.fields(of: key).map { present.contains($0) ? $0 : nil }
            }
            func column(_ key: CompiledKey) -> String? {
                let parts = parts(key)
                return parts.count == 1 && parts[0] != nil ? key.key.fields[0] : nil
            }
            let compiled = keys.map { rules.schema.keys[$0] }
            let references = foreign.map { rules.schema.foreignKeys[$0] }
            for key in compiled { reported.append(RuleTexts(ReportedRule(key.key, column: column(key)))) }
            for key in references { reported.append(RuleTexts(ReportedRule(key.foreignKey, column: column(key.key)))) }
            try TableVerdicts.expectFew(count)
            var (seen, hashes): (SeenKeys?, KeyHashes?)
            var held = HeldReferences(rules, memory: options.keyMemory)
            if options.keySecret == nil {
                held = try options.held ?? rules.held(options, foreign)
                if !keys.isEmpty {
                    seen = try self.seen(options, memory: held.memoryLeft)
                    seen?.reserve(count * keys.count)
                }
            } else if options.collected == nil {
                if let key = rules.ownForeignKey { throw Fault.needsOnePlace(key) }
                guard count <= KeyHashes.mostRows else {
                    throw Fault(
                        ASSAY_FAULT_ARGUMENT,
                        "\(count) rows are more than the \(KeyHashes.mostRows) whose keys can be given out at once",
                        hint: "check the table in parts")
                }
                let ids = compiled.map(\.key.id) + references.map(\.foreignKey.id)
                hashes = try KeyHashes(ids, foreign: references.count, rows: count, options.allocator)
            }
            let foreignTasks = zip(foreign, references).map { number, key in
                let keys = held.keys[number]
                return ForeignKeyTask(
                    key: key.key, fields: parts(key.key), held: keys,
                    target: options.keySecret == nil ? key.target.map { ($0, parts($0)) } : nil,
                    seed: options.keySecret ?? keys?.secret.seed ?? held.seeds[number])
            }
            task = KeyTask(
                compiled, seeds: keys.map { options.keySecret ?? seen!.seed($0) }, fields: compiled.map(parts),
                foreign: foreignTasks, seen: seen, hashes: hashes, collected: options.collected, firstRule: firstKey,
                firstRecord: options.firstRecord, memory: held.memoryLeft)
        }
        return RowTask(rules.rowPlan, rules: rows, firstRule: firstRule, keys: task)
    }

    /// The set that the keys of the table are compared with.
    private func seen(_ options: CheckOptions, memory: Int) throws -> SeenKeys {
        let seen = try options.seen ?? SeenKeys(rules, memory: memory)
        guard seen.belongs(to: rules) else {
            throw Fault(
                ASSAY_FAULT_ARGUMENT, "assay_options.seen was made for other rules",
                hint: "make it with the rules of the check")
        }
        return seen
    }
}

extension Rules {
    /// The fields of a key.
    fileprivate func fields(of key: CompiledKey) -> [Int] { key.key.fields.map { plan($0).field } }

    /// The fields of a foreign key, and the fields of this table that it refers to.
    fileprivate func fields(ofForeignKey number: Int) -> Set<Int> {
        let key = schema.foreignKeys[number]
        return Set(fields(of: key.key)).union(key.target.map(fields(of:)) ?? [])
    }
}
