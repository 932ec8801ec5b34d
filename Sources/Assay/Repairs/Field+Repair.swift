extension Field {
    /// A value as this field judges it: repaired, or as it is.
    ///
    ///     let field = Field(name: "email", repair: [.trim, .lower])
    ///     try field.repaired(" Anna@Example.org")      // "anna@example.org"
    ///
    /// It compiles the repairs each time: for many values make ``CompiledRepairs`` once.
    ///
    /// - Parameter missingValues: the schema's, if the field has none of its own.
    /// - Throws: ``CompileError``.
    public func repaired(_ text: String, missingValues: [String] = [""]) throws(CompileError) -> String {
        try CompiledRepairs(repair, of: type, missingValues: self.missingValues ?? missingValues).repaired(text)
    }
}

extension Schema {
    /// The same, whose fields judge what came.
    public var withoutRepairs: Schema {
        var schema = self
        for index in schema.fields.indices { schema.fields[index].repair = [] }
        return schema
    }
}
