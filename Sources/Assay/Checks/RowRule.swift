/// A rule between the columns of a record, in the Common Expression Language.
///
///     RowRule(id: "dates", check: "end >= start", message: "ends before it starts")
///
/// A record for which the expression is false has a finding. A record without one of the cells that decide has none, and neither
/// has one with a cell that failed the rules of its own column. A description: plain data; ``CompiledSchema`` reads the
/// expression. Source: <https://github.com/google/cel-spec>.
public struct RowRule: Hashable, Sendable, Codable {
    /// The stable name under which findings and counts are reported. Unique in a schema.
    public var id: String

    /// The expression. Columns are variables: `price`, or `row["unit price"]`.
    public var check: String

    /// What to tell people of a record that fails, as in "ends before it starts".
    public var message: String?

    /// Whether a failure rejects the record or only warns.
    public var severity: Severity

    /// A rule. Its expression is read, and its types are checked, when the schema is compiled.
    ///
    /// - Parameters:
    ///   - id: the stable name, unique in a schema.
    ///   - check: the expression, which is true of a good record.
    ///   - message: what is wrong with a record; `nil`: that the expression is not true.
    ///   - severity: whether a failure rejects the record.
    public init(id: String, check: String, message: String? = nil, severity: Severity = .reject) {
        self.id = id
        self.check = check
        self.message = message
        self.severity = severity
    }

    /// What findings say.
    package var failureMessage: String { message ?? "does not fulfil \(Check.shortened(check))" }
}

extension RowRule {
    /// The expression, read for the columns of a schema.
    ///
    /// - Throws: the first mistake in it.
    package func program(for fields: [Field]) throws(CELMistake) -> CELProgram {
        var budget = ReadingBudget.trusting
        return try program(for: fields, CELColumns(fields), &budget)
    }

    /// The same for one of many rules.
    ///
    /// - Parameters:
    ///   - columns: those that the fields are.
    ///   - budget: what reading all of them may still take.
    package func program(
        for fields: [Field], _ columns: CELColumns, _ budget: inout ReadingBudget
    ) throws(CELMistake) -> CELProgram {
        let program = try CELProgram(compiling: check, columns, &budget)
        let named = program.fields
        if let json = named.first(where: { [.array, .object].contains(fields[$0].type.kind) }) {
            throw CELMistake(
                "'\(fields[json].name)' is \(fields[json].type.kind.withArticle) of JSON, and row rules over those are not supported",
                "make it a list if its elements are of one type: type: list", at: 0..<check.utf8.count)
        }
        if let list = named.first(where: { fields[$0].name.contains(bytesOf: "[]") }) {
            throw CELMistake(
                "'\(fields[list].name)' is each element of a list, and a row rule is about the whole of it",
                "write rules under the field, which hold for each element, or add the list as a field of type: list",
                at: 0..<check.utf8.count)
        }
        return program
    }
}
