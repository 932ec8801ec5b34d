extension Requirement where Value: RuleRecord {
    /// A rule between the members of a record, in the Common Expression Language, as ``RowRule`` has it for tables.
    ///
    ///     extension Order: RuleRecord {
    ///         static let members = [Member("ordered", \.ordered), Member("shipped", \.shipped), Member("tags", \.tags)]
    ///     }
    ///     let rule = try Requirement<Order>(cel: "shipped >= ordered && !('test' in tags)")
    ///
    /// Members that hold a cell (``CellConvertible``) are variables under their names; optional ones are missing where they are
    /// nil, and arrays are lists. A rule that needs a missing value does not apply, and is confirmed; one that cannot be computed,
    /// as when an int overflows, is undecided, and so is one that takes too much work or memory (``Reason/rule`` is `limit`). Source: <https://github.com/google/cel-spec>.
    ///
    /// - Throws: the first mistake in the expression; its offset is in bytes of the text.
    /// - Complexity: reading: O(bytes). Evaluating: the work is bounded (a million steps), and so is the memory (16 MiB).
    public init(cel expression: String) throws(CompileError) {
        let readers = try Value.cellReaders()
        do {
            let program = try CELProgram(compiling: expression, variables: readers.map(\.variable))
            self.init(RowRuleNode(program, isData: true) { readers[$1].outcome($0, &$2) })
        } catch {
            throw CompileError(error, in: nil)
        }
    }
}

extension Requirement where Value == [String: String] {
    /// A rule between the columns of a record, given as column name to text. It has the message of the rule, and its id as its
    /// name.
    ///
    /// As in a table, a rule that needs a missing cell does not apply, and one that needs a cell which fails the rules of its own
    /// column is not asked.
    ///
    /// - Parameter schema: what the columns are; its own row rules have no part in it.
    /// - Throws: ``CompileError``.
    public init(_ rule: RowRule, in schema: Schema) throws(CompileError) {
        let cells = try schema.fields.map { field throws(CompileError) in try RecordCell(field, in: schema) }
        do {
            let program = try rule.program(for: schema.fields)
            let node = RowRuleNode<[String: String]>(program, isData: false) { cells[$1].outcome($0, &$2) }
            let requirement = Self(node)
            self = (rule.message.map { requirement.because($0) } ?? requirement).named(rule.id)
        } catch {
            throw CompileError(error, in: rule)
        }
    }
}

extension CompileError {
    /// - Parameter rule: the rule of a schema that the mistake is in.
    init(_ mistake: CELMistake, in rule: RowRule?) {
        let place = rule.map { "row rule '\($0.id)': " } ?? ""
        let advice = rule == nil ? mistake.suggestion.map { "; \($0)" } ?? "" : ""
        self.init(part: .check, message: place + mistake.message + advice, offset: mistake.range.lowerBound)
    }
}

/// How an expression reads a column of a record.
private struct RecordCell: Sendable {
    private let key: FieldKey
    private let missingValues: [String]
    private let requirement: Requirement<String>
    private let variable: RowVariable

    init(_ field: Field, in schema: Schema) throws(CompileError) {
        key = FieldKey(field.name)
        missingValues = field.missingValues ?? schema.missingValues
        requirement = try Requirement<String>(field, missingValues: missingValues)
        variable = try RowVariable(field.type)
    }

    func outcome(_ record: [String: String], _ budget: inout CELBudget) -> CELOutcome {
        let text = key.text(in: record) ?? ""
        let isMissing = missingValues.contains { ByteEqualString($0) == ByteEqualString(text) }
        return isMissing || !requirement.evaluate(text).isConfirmed ? .absent : variable.outcome(of: text, &budget)
    }
}
