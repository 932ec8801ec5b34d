extension Requirement {
    /// The requirement as data, for rule files and columns; `nil` where a closure is part of it, or what texts do not have
    /// (elements, properties).
    public var check: Check? { node.check }

    /// The requirement as data, whatever it is about; `nil` where a closure is part of it, or a part of a value without a name.
    package var expression: RuleExpression? { node.expression }
}

extension Requirement where Value: CellConvertible {
    /// A check of a rule file, or one made by hand, as a requirement: the text of the value is asked, as in a file.
    ///
    /// - Throws: ``CompileError`` when a pattern, format or bound in it is wrong.
    public init(_ check: Check) throws(CompileError) {
        let node = try textNode(check)
        if let requirement = Requirement<String>(node) as? Self {
            self = requirement
        } else {
            self.init(CellNode(node))
        }
    }
}
