extension CELProgram {
    /// Reads an expression and checks its types.
    ///
    ///     try CELProgram(compiling: "end >= start", variables: [CELVariable("start", .timestamp), …])
    ///
    /// - Parameters:
    ///   - variables: The columns. An expression refers to a column by its name, if that is an identifier, or as in
    ///     `row["unit price"]`.
    ///   - mustBe: The type of the result; `nil` for any type.
    /// - Throws: The first mistake in the text.
    /// - Complexity: O(*n*) for *n* bytes, in addition to the compilation of patterns.
    package init(
        compiling text: String, variables: [CELVariable], mustBe type: CELType? = .bool
    ) throws(CELMistake) {
        var budget = ReadingBudget.trusting
        try self.init(compiling: text, CELColumns(variables), &budget, mustBe: type)
    }

    /// The same for one of many expressions over the same columns.
    ///
    /// - Parameter budget: The remaining budget for all expressions.
    package init(
        compiling text: String, _ columns: CELColumns, _ budget: inout ReadingBudget, mustBe type: CELType? = .bool
    ) throws(CELMistake) {
        var checker = CELChecker(Array(text.utf8), columns, budget)
        defer { budget = checker.budget }
        try self.init(text, &checker, mustBe: type)
    }

    /// The same for a rule on a table. Its variables are the aggregates.
    ///
    /// - Parameter aggregates: The aggregates of all rules on the table; gets those of this rule.
    package init(
        compiling text: String, _ aggregates: inout CELAggregates, _ budget: inout ReadingBudget
    ) throws(CELMistake) {
        var checker = CELChecker(Array(text.utf8), aggregates.columns, budget)
        checker.aggregates = aggregates
        defer { budget = checker.budget }
        try self.init(text, &checker, mustBe: .bool)
        aggregates = checker.aggregates ?? aggregates
    }

    private init(_ text: String, _ checker: inout CELChecker, mustBe type: CELType?) throws(CELMistake) {
        let tree = try CELParser.tree(of: checker.text)
        var root = try checker.node(of: tree)
        if let type {
            guard root.type.joined(type) == type else {
                throw CELMistake(
                    "the expression must be a \(type.name), and this is \(root.type.name)",
                    type == .bool ? "compare it with something, as in x > 0" : nil, at: root.range)
            }
            root = root.widened(to: type)
        }
        self.init(
            text: text, root: root, variables: checker.aggregates?.variables ?? checker.variables,
            patterns: checker.patterns, formats: checker.formats, zones: checker.zones)
    }
}

/// The columns that expressions may refer to. Created once for all expressions over the same columns.
package struct CELColumns: Sendable {
    let variables: [CELVariable]
    let places: FieldPlaces

    package init(_ variables: [CELVariable]) {
        self.variables = variables
        places = FieldPlaces(variables.lazy.map(\.name))
    }

    package init(_ fields: [Field]) { self.init(fields.map { CELVariable($0.name, $0.type.celType) }) }
}
