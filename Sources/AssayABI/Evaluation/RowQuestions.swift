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
    /// The fields that keys and foreign keys read.
    let keyFields: Set<Int>

    private init(_ rules: Rules, rows: [Int], keys: [Int], foreign: [Int]) {
        (self.rules, self.rows, self.keys, self.foreign) = (rules, rows, keys, foreign)
        var fields = Set<Int>()
        for key in keys { fields.formUnion(rules.fieldsWithPreference(of: rules.schema.keys[key])) }
        for key in foreign { fields.formUnion(rules.fields(ofForeignKey: key)) }
        keyFields = fields
        self.fields = rows.reduce(into: fields) { $0.formUnion(rules.schema.fields(ofRowRule: $1)) }
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
        func needs(
            _ fields: Set<Int>, with more: Set<Int> = [], _ what: @autoclosure () -> String
        ) throws(Fault) -> Bool {
            guard fields.contains(field) else { return false }
            guard let other = fields.union(more).sorted().first(where: { $0 != field }) else { return true }
            throw Fault(
                ASSAY_FAULT_COLUMNS,
                "\(what()) also needs the column '\(printable(rules.file.schema.fields[other].name))', "
                    + "but columns are checked separately",
                hint: "check the table")
        }
        var (rows, keys, foreign): ([Int], [Int], [Int]) = ([], [], [])
        for (index, rule) in rules.file.schema.rows.enumerated()
        where try needs(rules.schema.fields(ofRowRule: index), "the row rule '\(printable(rule.id))'") {
            rows.append(index)
        }
        for (index, key) in rules.schema.keys.enumerated()
        where try needs(
            Set(rules.fields(of: key)), with: rules.fieldsWithPreference(of: key),
            "the key '\(printable(key.key.id))'")
        {
            keys.append(index)
        }
        for (index, key) in rules.file.schema.foreignKeys.enumerated()
        where try needs(rules.fields(ofForeignKey: index), "the foreign key '\(printable(key.id))'") {
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
        let task = try keyTask(present, rows: count, options, firstRule: reported.count)
        let foreignKeys = foreign.map { rules.file.schema.foreignKeys[$0] }
        reported += ReportedRule.all(of: task?.columns ?? [], foreign: foreignKeys, hasPositions: false)
            .map { RuleTexts($0) }
        return RowTask(rules.rowPlan, rules: rows, firstRule: firstRule, keys: task)
    }

    private func keyTask(
        _ present: [Int], rows count: Int, _ options: CheckOptions, firstRule: Int
    ) throws -> KeyTask? {
        if keys.isEmpty && foreign.isEmpty { return nil }
        let compiled = keys.map { rules.schema.keys[$0] }
        let references = foreign.map { (number: $0, key: rules.schema.foreignKeys[$0]) }
        try TableVerdicts.expectFew(count)
        var (seen, hashes): (SeenKeys?, KeyHashes?)
        var held = HeldReferences(count: rules.schema.foreignKeys.count, memory: options.keys.memory)
        let secret = options.keys.secret.map { KeySecret($0) }
        if secret == nil {
            held = try options.keys.held ?? rules.held(options, foreign)
            if !keys.isEmpty {
                seen = try self.seen(options, memory: held.memoryLeft)
                seen?.reserve(count * compiled.count { $0.sortOrder == nil })
            }
        } else if options.keys.collected == nil {
            if let sorted = compiled.first(where: { $0.sortOrder != nil }) { throw Fault.needsOrder(sorted.key.id) }
            let ids = compiled.map(\.key.id) + references.map(\.key.foreignKey.id)
            hashes = try self.hashes(ids, hasPreference: rules.schema.preference != nil, rows: count, options)
        }
        func bind(_ key: CompiledKey, _ secret: KeySecret) -> BoundKey {
            let fields = rules.fields(of: key).map { present.contains($0) ? $0 : nil }
            return BoundKey(key, positions: fields, secret: secret)
        }
        let columns = [KeyColumn](
            own: zip(keys, compiled).map { bind($1, secret ?? seen!.secret($0)) }, foreign: references, held: held,
            exported: secret, bind: bind)
        let preference = rules.schema.preference.map { preference in
            let fields = rules.fields(of: preference.key).map { present.contains($0) ? $0 : nil }
            return BoundPreference(preference, positions: fields)
        }
        return KeyTask(
            columns, preference: preference, seen: seen, hashes: hashes, collected: options.keys.collected,
            firstRule: firstRule,
            firstRecord: options.firstRecord, memory: held.memoryLeft)
    }

    /// The hashes of keys for another program.
    private func hashes(
        _ ids: [String], hasPreference: Bool, rows count: Int, _ options: CheckOptions
    ) throws(Fault) -> KeyHashes {
        if let key = rules.ownForeignKey { throw Fault.needsOnePlace(key) }
        guard count <= KeyHashes.maxRows else {
            throw Fault(
                ASSAY_FAULT_ARGUMENT,
                "\(count) rows are too many: keys are returned for at most \(KeyHashes.maxRows) rows at once",
                hint: "check the table in parts")
        }
        return try KeyHashes(ids, hasPreference: hasPreference, rows: count, options.allocator)
    }

    /// The set that the keys of the table are compared with.
    private func seen(_ options: CheckOptions, memory: Int) throws -> SeenKeys {
        let seen = try options.keys.seen ?? SeenKeys(rules, memory: memory)
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

    /// The fields of a key or sorted column, and the field that decides which record with a key is kept.
    fileprivate func fieldsWithPreference(of key: CompiledKey) -> Set<Int> {
        var fields = Set(fields(of: key))
        if key.sortOrder == nil, let preference = schema.preference {
            fields.formUnion(self.fields(of: preference.key))
        }
        return fields
    }

    /// The fields of a foreign key, and the fields of this table that it refers to.
    fileprivate func fields(ofForeignKey number: Int) -> Set<Int> {
        let key = schema.foreignKeys[number]
        return Set(fields(of: key.key)).union(key.target.map(fields(of:)) ?? [])
    }
}
