extension CELProgram {
    /// Reads an expression and checks its types.
    ///
    ///     try CELProgram(compiling: "end >= start", variables: [CELVariable("start", .timestamp), …])
    ///
    /// - Parameters:
    ///   - variables: the columns. They may be named as they are, if that is a name, or as in `row["unit price"]`.
    ///   - mustBe: the type of the result; `nil` for any.
    /// - Throws: the first mistake in the text.
    /// - Complexity: O(*n*) for *n* bytes, and the patterns.
    package init(
        compiling text: String, variables: [CELVariable], mustBe type: CELType? = .bool
    ) throws(CELMistake) {
        var budget = ReadingBudget.trusting
        try self.init(compiling: text, CELColumns(variables), &budget, mustBe: type)
    }

    /// The same for one of many expressions over the same columns.
    ///
    /// - Parameter budget: what reading all of them may still take.
    package init(
        compiling text: String, _ columns: CELColumns, _ budget: inout ReadingBudget, mustBe type: CELType? = .bool
    ) throws(CELMistake) {
        let bytes = Array(text.utf8)
        let tree = try CELParser.tree(of: bytes)
        var checker = CELChecker(bytes, columns, budget)
        defer { budget = checker.budget }
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
            text: text, root: root, variables: columns.variables, patterns: checker.patterns, zones: checker.zones)
    }
}

/// The columns that expressions may name. Made once for all expressions over them.
package struct CELColumns: Sendable {
    let variables: [CELVariable]
    let places: FieldPlaces

    package init(_ variables: [CELVariable]) {
        self.variables = variables
        places = FieldPlaces(variables.lazy.map(\.name))
    }

    package init(_ fields: [Field]) { self.init(fields.map { CELVariable($0.name, $0.type.celType) }) }
}
