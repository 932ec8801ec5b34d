extension Requirement {
    /// The requirement as data, for rule files and columns; `nil` if it contains a closure, or is about elements or
    /// properties, which texts do not have.
    public var check: Check? { node.check }

    /// The requirement as data, for values of any type; `nil` if it contains a closure or an unnamed part of a value.
    package var expression: RuleExpression? { node.expression }
}

extension Requirement where Value: CellConvertible {
    /// A check as a requirement. It is evaluated on the text of the value, as in a file.
    ///
    /// - Throws: ``CompileError`` if a pattern, format or bound of the check is invalid.
    public init(_ check: Check) throws(CompileError) {
        let node = try textNode(check)
        if let requirement = Requirement<String>(node) as? Self {
            self = requirement
        } else {
            self.init(CellNode(node))
        }
    }
}
