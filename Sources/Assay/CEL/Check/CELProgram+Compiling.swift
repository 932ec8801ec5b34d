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
        let bytes = Array(text.utf8)
        let tree = try CELParser.tree(of: bytes)
        var checker = CELChecker(bytes, variables)
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
            text: text, root: root, variables: variables, patterns: checker.patterns, zones: checker.zones)
    }
}
