extension Field {
    /// Returns the value as this field checks it, after its repairs.
    ///
    ///     let field = Field(name: "email", repair: [.trim, .lower])
    ///     try field.repaired(" Anna@Example.org")      // "anna@example.org"
    ///
    /// Each call compiles the repairs. For many values, create ``CompiledRepairs`` once.
    ///
    /// - Parameter missingValues: The markers of the schema, for a field without its own.
    /// - Throws: ``CompileError``.
    public func repaired(_ text: String, missingValues: [String] = [""]) throws(CompileError) -> String {
        try CompiledRepairs(repair, of: type, missingValues: self.missingValues ?? missingValues).repaired(text)
    }
}

extension Schema {
    /// The same schema without repairs.
    public var withoutRepairs: Schema {
        var schema = self
        for index in schema.fields.indices { schema.fields[index].repair = [] }
        return schema
    }
}
