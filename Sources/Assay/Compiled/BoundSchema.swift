/// A compiled schema bound to the columns of one table.
package final class BoundSchema: Sendable {
    package final class Column: Sendable {
        /// The position in the table, from 0.
        package let position: Int
        /// The index in the schema's fields.
        let fieldIndex: Int
        package var name: String { field.name }
        let field: CompiledField
        /// The index of its first rule in the list of all rules.
        package let firstRule: Int
        package var rules: Range<Int> { firstRule..<firstRule + field.rules.count }
        /// The index of its type rule; `nil` if it has no such rule.
        package var typeRule: Int? { field.hasType ? firstRule + (field.hasRequired ? 1 : 0) : nil }
        /// The names of its repairs in the report's counts.
        package var repairNames: [String] { field.repairs?.description.names ?? [] }

        init(position: Int, field: CompiledField, fieldIndex: Int, firstRule: Int) {
            (self.position, self.field, self.fieldIndex, self.firstRule) = (position, field, fieldIndex, firstRule)
        }
    }

    /// The columns that have a field, in the table's order.
    package let columns: [Column]
    /// The rules of those columns, followed by the row rules, in the order in which findings of a record are reported.
    package let rules: [CompiledRule]
    /// The indices of the row rules.
    package var rowRuleRange: Range<Int> { rules.count - rowRules.count..<rules.count }
    let rowRules: [CompiledRowRule]
    /// Whether a row rule depends on the time of the run.
    package var usesNow: Bool { rowRules.contains { $0.program.usesNow } }
    let rowVariables: [RowVariable?]
    private let places: FieldPlaces
    /// The position of a field's column in the table; `nil` if the table lacks it.
    func position(of field: String) -> Int? { places[field].map { columns[$0].position } }
    /// Whether any of the columns has repairs.
    package var hasRepairs: Bool { columns.contains { $0.field.repairs != nil } }

    /// Binds fields to the columns of a header by name.
    package convenience init(_ schema: CompiledSchema, header: [String]) throws(BindError) {
        var positions: [ByteEqualString: [Int]] = [:]
        for (position, name) in header.enumerated() { positions[ByteEqualString(name), default: []].append(position) }
        // The column of each field: the one with exactly its name, otherwise the one that its name refers to as a path.
        let names = schema.schema.fields.map { field in
            guard positions[ByteEqualString(field.name)] == nil, let column = RecordPath.column(of: field.name),
                positions[ByteEqualString(column)] != nil
            else { return field.name }
            return column
        }

        let absent = names.filter { positions[ByteEqualString($0)] == nil }
        if let problem = schema.problem(names, absent: absent, in: header) {
            throw BindError(problem, header: header, areAllColumnsAbsent: absent.count == names.count)
        }
        for name in names {
            guard let places = positions[ByteEqualString(name)], places.count > 1 else { continue }
            throw BindError(.twice(name, positions: places.map { $0 + 1 }), header: header)
        }
        self.init(
            schema,
            schema.fields.indices.compactMap { index in
                positions[ByteEqualString(names[index])].map { (index, $0[0]) }
            })
    }

    /// Binds fields by position, for tables without a header.
    package convenience init(_ schema: CompiledSchema, columnCount: Int) throws(BindError) {
        let names = schema.schema.fields.map(\.name)
        let fits =
            switch schema.schema.fieldsMatch {
            case .exact, .equal: columnCount == names.count
            case .subset: columnCount >= names.count
            case .superset: columnCount <= names.count
            case .partial: true
            }
        if !fits { throw BindError(.count(columnCount, fields: names.count), header: []) }
        self.init(schema, zip(schema.fields.indices, 0..<columnCount).map { ($0, $1) })
    }

    /// Binds a single field, with its column as the whole table and without row rules.
    package convenience init(_ schema: CompiledSchema, field index: Int) {
        self.init([(schema.fields[index], index, 0)], rowRules: [], reported: [], rowVariables: [])
    }

    /// Binds some fields, each at its index in the schema.
    ///
    /// - Parameter hasRows: Whether row rules run.
    package convenience init(_ schema: CompiledSchema, fields: [Int], hasRows: Bool) {
        if hasRows {
            self.init(schema, fields.map { ($0, $0) })
        } else {
            self.init(
                fields.map { (schema.fields[$0], $0, $0) }, rowRules: [], reported: [], rowVariables: [])
        }
    }

    private convenience init(_ schema: CompiledSchema, _ pairs: [(field: Int, position: Int)]) {
        self.init(
            pairs.map { (schema.fields[$0.field], $0.field, $0.position) }, rowRules: schema.rowRules,
            reported: schema.schema.rows.map(CompiledRule.init), rowVariables: schema.rowVariables)
    }

    private init(
        _ fields: [(field: CompiledField, index: Int, position: Int)], rowRules: [CompiledRowRule],
        reported: [CompiledRule], rowVariables: [RowVariable?]
    ) {
        var columns: [Column] = []
        var rules: [CompiledRule] = []
        for (field, index, position) in fields.sorted(by: { $0.position < $1.position }) {
            columns.append(Column(position: position, field: field, fieldIndex: index, firstRule: rules.count))
            rules += field.rules
        }
        self.columns = columns
        places = FieldPlaces(columns.lazy.map(\.name))
        self.rules = rules + reported
        self.rowRules = rowRules
        self.rowVariables = rowVariables
    }

    /// A copy for one worker. Swift counts references, and threads that change the same count wait for each other: with
    /// two threads, that took 1 % of a run.
    func copied() -> BoundSchema {
        BoundSchema(
            columns.map { (CompiledField(copying: $0.field), $0.fieldIndex, $0.position) }, rowRules: rowRules,
            reported: rules[rowRuleRange].map { $0.copied() }, rowVariables: rowVariables)
    }
}

extension CompiledSchema {
    /// Returns the reason why a header does not fit, or `nil`.
    ///
    /// - Parameters:
    ///   - names: The name of the column of each field.
    ///   - absent: The names that the header lacks.
    fileprivate func problem(_ names: [String], absent: [String], in header: [String]) -> BindError.Problem? {
        let known = Set(names.map(ByteEqualString.init))
        let extra = header.filter { !known.contains(ByteEqualString($0)) }
        let missing = Set(absent.map(ByteEqualString.init))
        let required = zip(schema.fields, names).filter {
            $0.isRequired && missing.contains(ByteEqualString($1))
        }
        return switch schema.fieldsMatch {
        case .exact where names.map(ByteEqualString.init) != header.map(ByteEqualString.init): .order(expected: names)
        case .equal where !absent.isEmpty || !extra.isEmpty: .fields(absent: absent, extra: extra)
        case .subset where !absent.isEmpty: .fields(absent: absent, extra: [])
        case .superset where !extra.isEmpty: .fields(absent: [], extra: extra)
        case .partial where !names.isEmpty && absent.count == names.count: .noCommonColumns(names)
        case .superset where !required.isEmpty, .partial where !required.isEmpty:
            .required(absent: required.map(\.0.name))
        default: nil
        }
    }
}

extension CompiledRule {
    /// The reported form of a row rule.
    fileprivate init(_ rule: RowRule) {
        self.init(
            id: rule.id, code: "row", severity: rule.severity, message: rule.failureMessage, expression: rule.check,
            node: .constant(true), hasFailureReasons: false)
    }
}

/// A mismatch between the columns of a table and the fields of a schema.
package struct BindError: Error, Hashable, Sendable {
    package enum Problem: Hashable, Sendable {
        case order(expected: [String])
        case fields(absent: [String], extra: [String])
        case noCommonColumns([String])
        /// Missing columns that the table may lack according to `fieldsMatch`, although the fields are required.
        case required(absent: [String])
        case twice(String, positions: [Int])
        case count(Int, fields: Int)
    }

    package let problem: Problem
    package let header: [String]
    /// Whether the header contains no fields of the schema.
    package let areAllColumnsAbsent: Bool

    init(_ problem: Problem, header: [String], areAllColumnsAbsent: Bool = false) {
        self.problem = problem
        self.header = header
        self.areAllColumnsAbsent = areAllColumnsAbsent
    }
}
