/// A rule across the columns of a record, in the Common Expression Language.
///
///     RowRule(id: "dates", check: "end >= start", message: "ends before it starts")
///
/// A record fails if the expression is false. If the result depends on a missing cell, or on a cell that failed the
/// rules of its own column, there is no finding. A description: plain data; ``CompiledSchema`` compiles the expression.
/// Source: <https://github.com/google/cel-spec>.
public struct RowRule: Hashable, Sendable, Codable {
    /// The stable name for findings and counts. Unique in a schema.
    public var id: String

    /// The expression. Columns are variables: `price`, or `row["unit price"]`.
    public var check: String

    /// The message for a failed record, such as "ends before it starts".
    public var message: String?

    /// Whether a failure rejects the record or only warns.
    public var severity: Severity

    /// A rule. Its expression is parsed and type-checked when the schema is compiled.
    ///
    /// - Parameters:
    ///   - id: The stable name, unique in a schema.
    ///   - check: The expression, which must be true for valid records.
    ///   - message: The message for a failed record; `nil` for the default, which quotes the expression.
    ///   - severity: Whether a failure rejects the record or only warns.
    public init(id: String, check: String, message: String? = nil, severity: Severity = .reject) {
        self.id = id
        self.check = check
        self.message = message
        self.severity = severity
    }

    /// The message of findings.
    package var failureMessage: String { message ?? "does not fulfil \(Check.shortened(check))" }
}

extension RowRule {
    /// The expression, compiled for the columns of a schema.
    ///
    /// - Throws: The first mistake in the expression.
    package func program(for fields: [Field]) throws(CELMistake) -> CELProgram {
        var budget = ReadingBudget.trusting
        return try program(for: fields, CELColumns(fields), &budget)
    }

    /// Whether the expression depends on the time of the run.
    func usesNow(in schema: Schema) throws(CompileError) -> Bool {
        do {
            return try program(for: schema.fields).usesNow
        } catch {
            throw CompileError(error, in: self)
        }
    }

    /// The expression, compiled as one of many rules.
    ///
    /// - Parameters:
    ///   - columns: The columns of `fields`.
    ///   - budget: The remaining work for all expressions.
    package func program(
        for fields: [Field], _ columns: CELColumns, _ budget: inout ReadingBudget
    ) throws(CELMistake) -> CELProgram {
        let program = try CELProgram(compiling: check, columns, &budget)
        let named = program.fields
        if let json = named.first(where: { [.array, .object].contains(fields[$0].type.kind) }) {
            throw CELMistake(
                "'\(fields[json].name)' is \(fields[json].type.kind.withArticle) of JSON, and row rules over those are "
                    + "not supported",
                "make it a list if its elements are of one type: type: list", at: 0..<check.utf8.count)
        }
        if let list = named.first(where: { fields[$0].name.contains(bytesOf: "[]") }) {
            throw CELMistake(
                "'\(fields[list].name)' names each element of a list, but a row rule needs the whole list",
                "write rules under the field, which hold for each element, or add the list as a field of type: list",
                at: 0..<check.utf8.count)
        }
        return program
    }
}
