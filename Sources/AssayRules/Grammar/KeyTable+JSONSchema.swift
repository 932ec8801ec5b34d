extension KeyTable {
    /// A JSON Schema of one record, with those of our own keys that are about the file as a whole.
    static let jsonSchema: KeyTable = {
        var table = KeyTable(
            place: "a JSON Schema of a record",
            known: ["type", "properties", "required", "additionalProperties"] + settings,
            descriptive: ["$schema", "$id", "id", "$defs", "definitions"] + annotations, refused: combinators)
        table.refused["items"] = Refusal(
            "this is the schema of a list of records", "move the schema under 'items' to its own file")
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
                "'\(key)' is for objects and lists, not for cells", "give each part a column of its own")
        }
        for key in ["contentEncoding", "contentMediaType", "contentSchema"] {
            table.refused[key] = .notYet("'\(key)'", "remove it, or write a pattern")
        }
        table.refused["nullable"] = Refusal("'nullable' is not JSON Schema", "write type: [string, 'null']")
        table.refused["required"] = Refusal(
            "'required' belongs beside 'properties'", "write required: [the names of the columns] there")
        return table
    }()

    private static let annotations = [
        "title", "description", "$comment", "default", "examples", "example", "deprecated", "readOnly", "writeOnly",
    ]

    private static let combinators: [String: Refusal] = {
        var refused = [
            "$ref": Refusal.notYet("'$ref'", "replace it by its target"),
            "$dynamicRef": .notYet("'$dynamicRef'", "replace it by its target"),
        ]
        for key in ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"] {
            refused[key] = .notYet(
                "'\(key)' in a JSON Schema",
                "a rule file has all, any, not and when: see rule-files.md in the documentation")
        }
        return refused
    }()
}
