extension Requirement where Value: RuleRecord {
    /// A rule over the members of a record, in the Common Expression Language, as ``RowRule`` is for tables.
    ///
    ///     extension Order: RuleRecord {
    ///         static let members = [
    ///             Member("ordered", \.ordered), Member("shipped", \.shipped), Member("tags", \.tags),
    ///         ]
    ///     }
    ///     let rule = try Requirement<Order>(cel: "shipped >= ordered && !('test' in tags)")
    ///
    /// Members that hold a cell (``CellConvertible``) are variables with their names. An optional member that is `nil`
    /// is missing, and arrays are lists. A rule that needs a missing value does not apply and is confirmed. A rule that
    /// cannot be computed, such as because of an int overflow, is undecided. So is a rule that exceeds the work or
    /// memory limit (``Reason/rule`` is `limit`). Source: <https://github.com/google/cel-spec>.
    ///
    /// - Throws: The first mistake in the expression. Its offset is in bytes of the text.
    /// - Complexity: Compiling is O(bytes). Evaluation is limited to a million steps and 16 MiB.
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
    /// A rule over the columns of a record, which is given as column name to text. The requirement has the rule's
    /// message, and the rule's id as its name.
    ///
    /// As in a table, a rule that needs a missing cell, or a cell that fails the rules of its own column, does not
    /// apply.
    ///
    /// - Parameter schema: The columns. Its own row rules are not evaluated.
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
    /// - Parameter rule: The rule of a schema that contains the mistake.
    init(_ mistake: CELMistake, in rule: RowRule?) {
        let place = rule.map { "row rule '\($0.id)': " } ?? ""
        let advice = rule == nil ? mistake.suggestion.map { "; \($0)" } ?? "" : ""
        self.init(part: .check, message: place + mistake.message + advice, offset: mistake.range.lowerBound)
    }
}

/// The access to a column of a record for CEL expressions.
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
