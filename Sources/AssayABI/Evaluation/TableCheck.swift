internal import Assay
internal import AssayEvaluation
internal import AssayFiles
internal import AssayRules
public import CAssayABI

extension Rules {
    /// Checks the columns that the rules name.
    ///
    /// - Throws: a fault if the columns do not match the rules.
    func check(
        _ names: [String], rows: Int, options: CheckOptions,
        column: (_ position: Int, _ type: ValueType) throws -> SourceColumn
    ) throws -> CheckedTable {
        let columns = try bind(names).columns.map { item in
            let plan = plan(item.name)
            return (plan, try column(item.position, plan.type))
        }
        return try check(columns, rows: rows, asking: .all(of: self), options: options)
    }

    /// Finds the fields among the names of the columns.
    func bind(_ names: [String]) throws(Fault) -> BoundSchema {
        do {
            return try BoundSchema(schema, header: names)
        } catch {
            let inputError = InputError(error, source: "the table", isInMemory: true)
            throw Fault(ASSAY_FAULT_COLUMNS, inputError.message, hint: inputError.hint)
        }
    }

    /// Checks one column with the rules of one field.
    func check(_ column: SourceColumn, field: Int, options: CheckOptions) throws -> CheckedTable {
        let questions = try RowQuestions.of(field, of: self)
        return try check([(plans[field], column)], rows: column.count, asking: questions, options: options)
    }

    private func check(
        _ columns: [(plan: FieldPlan, column: SourceColumn)], rows: Int, asking questions: RowQuestions,
        options: CheckOptions
    ) throws -> CheckedTable {
        // Refuse a table with too many rows first, because the following steps allocate memory for each row.
        try TableVerdicts.expectFew(rows)
        var tasks: [ColumnTask] = []
        var rules: [RuleTexts] = []
        // The repaired and the shared values. They must exist until all rules and keys of the table have been checked.
        var made: [AnyObject] = []
        for (plan, given) in columns {
            let repaired = try plan.repaired(given, options).flatMap { $0.changed > 0 ? $0 : nil }
            if let repaired { made.append(repaired) }
            var column = repaired?.column() ?? given
            if let shared = try SharedValues(replacing: column) {
                made.append(shared)
                column = shared.dictionary(like: column)
            }
            if let dictionary = column.booleansAsDictionary { column = dictionary }
            let firstRule = rules.count
            rules += plan.reported
            var dictionary: DictionaryVerdicts?
            if case .dictionary(_, let values) = column.values {
                let task = ColumnTask(
                    column: values, plan: plan, firstRule: firstRule, hasBudget: options.account != nil)
                let budget = options.account.map { _ in [RuleTexts(.budget)] } ?? []
                dictionary = DictionaryVerdicts(
                    try TableVerdicts(
                        rows: values.count, tasks: [task], rules: rules + budget, options: options.preparing))
            }
            tasks.append(
                ColumnTask(
                    column: column, plan: plan, firstRule: firstRule, dictionary: dictionary,
                    isKept: questions.fields.contains(plan.field),
                    isKey: questions.keyFields.contains(plan.field), hasBudget: options.account != nil))
        }
        let rowWork = try questions.task(columns.map(\.plan.field), rows: rows, options, reported: &rules)
        if options.account != nil { rules.append(RuleTexts(.budget)) }
        let verdicts = try withExtendedLifetime(made) {
            try TableVerdicts(rows: rows, tasks: tasks, rowWork: rowWork, rules: rules, options: options)
        }
        return CheckedTable(verdicts: verdicts, keys: rowWork?.keys, firstRecord: options.firstRecord)
    }
}

/// A table that has been checked except for key conflicts.
struct CheckedTable {
    let verdicts: TableVerdicts
    let keys: KeyTask?
    let firstRecord: Int

    /// - Throws: a fault if the keys exceed the memory limit.
    func settled() throws -> TableVerdicts { try settled(keys?.events()[...] ?? []) }

    /// - Parameter events: the key conflicts of these rows.
    func settled(_ events: ArraySlice<KeyEvent>) -> TableVerdicts {
        guard let keys, !events.isEmpty else { return verdicts }
        return TableVerdicts(verdicts, adding: events, firstRecord: firstRecord, firstRule: keys.firstRule)
    }
}

@c @implementation
public func assay_rules_check_column(
    _ rules: OpaquePointer?, _ field: Int, _ column: UnsafePointer<assay_column>?, _ count: Int,
    _ options: UnsafePointer<assay_options>?, _ result: UnsafeMutablePointer<OpaquePointer?>?
) -> UnsafeMutablePointer<assay_fault>? {
    reporting {
        guard let result else { throw Fault.null("result") }
        guard let column else { throw Fault.null("column") }
        let rules = try Rules.behind(rules)
        let options = try CheckOptions(options)
        let source = try SourceColumn(assay_column(reading: column), count: checkedRows(count))
        let verdicts = try rules.check(source, field: rules.field(field), options: options).settled()
        result.pointee = CheckResult(verdicts, isOneColumn: true, options: options).retained()
    }
}

@c @implementation
public func assay_rules_check_columns(
    _ rules: OpaquePointer?, _ columns: UnsafePointer<assay_column>?, _ columnCount: Int, _ count: Int,
    _ options: UnsafePointer<assay_options>?, _ result: UnsafeMutablePointer<OpaquePointer?>?
) -> UnsafeMutablePointer<assay_fault>? {
    reporting {
        guard let result else { throw Fault.null("result") }
        let rules = try Rules.behind(rules)
        let options = try CheckOptions(options)
        let rows = try checkedRows(count)
        // A single row is a record, and rules on the table are not about records.
        if rows != 1 { try rules.refuseTableRules() }
        guard columnCount >= 0, columnCount <= rules.file.limits.columns else {
            throw Fault(
                ASSAY_FAULT_ARGUMENT,
                "\(UInt(bitPattern: columnCount)) columns are more than the limit of \(rules.file.limits.columns)")
        }
        if columns == nil && columnCount > 0 { throw Fault.null("columns") }
        let columns = try columns.map { try assay_column.array($0, columnCount, "columns") } ?? []
        let names = try columns.enumerated().map { index, column in
            guard let name = column.name else { throw Fault.null("columns[\(index)].name") }
            return try String(naming: name, "columns[\(index)].name")
        }
        let verdicts = try rules.check(names, rows: rows, options: options) { position, _ in
            do {
                return try SourceColumn(
                    columns[position], count: rows, path: "the column '\(printable(names[position]))'")
            } catch let fault as Fault {
                var placed = fault
                placed.message = "column '\(printable(names[position]))': \(fault.message)"
                throw placed
            }
        }.settled()
        result.pointee = CheckResult(verdicts, isOneColumn: false, options: options).retained()
    }
}

/// Checks a number of rows from C.
///
/// - Throws: a fault if the number is negative, or if no machine has memory for this number of rows.
func checkedRows(_ count: Int) throws(Fault) -> Int {
    guard count >= 0, count <= Int.max / 64 else {
        throw Fault(ASSAY_FAULT_ARGUMENT, "the count of rows is beyond any memory")
    }
    return count
}
