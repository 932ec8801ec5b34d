extension KeyTable {
    /// A JSON Schema of one record, with those of our own keys that are about the file as a whole.
    static let jsonSchema: KeyTable = {
        var table = KeyTable(
            place: "a JSON Schema of a record",
            known: ["type", "properties", "required", "additionalProperties"] + settings,
            descriptive: ["$schema", "$id", "id", "$defs", "definitions"] + annotations, refused: combinators)
        table.refused["items"] = Refusal(
            "this is the schema of a list of records", "make a file of what stands under 'items'")
        for key in [
            "patternProperties", "propertyNames", "unevaluatedProperties", "minProperties", "maxProperties",
            "dependentRequired", "dependentSchemas", "dependencies",
        ] {
            table.refused[key] = .notYet("'\(key)'", "the columns of a table are all listed under 'properties'")
        }
        return table
    }()

    /// The schema of one property: of the cells of one column.
    static let property: KeyTable = {
        var table = KeyTable(
            place: "a property",
            known: [
                "type", "format", "minLength", "maxLength", "pattern", "enum", "const", "minimum", "exclusiveMinimum",
                "maximum", "exclusiveMaximum", "multipleOf",
            ], descriptive: ["$id", "$anchor"] + annotations, refused: combinators)
        for key in [
            "properties", "patternProperties", "additionalProperties", "items", "prefixItems", "contains", "minItems",
            "maxItems", "uniqueItems",
        ] {
            table.refused[key] = Refusal(
                "'\(key)' is for objects and lists, and a cell is neither", "give each part a column of its own")
        }
        for key in ["contentEncoding", "contentMediaType", "contentSchema"] {
            table.refused[key] = .notYet("'\(key)'", "remove it, or write a pattern")
        }
        table.refused["nullable"] = Refusal("'nullable' is not JSON Schema", "write type: [string, 'null']")
        table.refused["required"] = Refusal(
            "'required' stands beside 'properties'", "write there required: [the names of the columns]")
        return table
    }()

    private static let annotations = [
        "title", "description", "$comment", "default", "examples", "example", "deprecated", "readOnly", "writeOnly",
    ]

    private static let combinators: [String: Refusal] = {
        var refused = [
            "$ref": Refusal.notYet("'$ref'", "write what it stands for in its place"),
            "$dynamicRef": .notYet("'$dynamicRef'", "write what it stands for in its place"),
        ]
        for key in ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"] {
            refused[key] = .notYet(
                "'\(key)' in a JSON Schema",
                "a rule file has all, any, not and when: see rule-files.md in the documentation")
        }
        return refused
    }()
}
