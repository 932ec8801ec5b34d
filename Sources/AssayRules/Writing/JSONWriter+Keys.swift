internal import Assay

extension JSONWriter {
    /// The keys of a table that are not the constraint of a field.
    mutating func keys(_ schema: Schema) {
        if let primary = schema.keys.first(where: { $0.kind == .primary }) {
            key("primaryKey")
            strings(primary.fields)
        }
        let combinations = schema.keys.filter { $0.kind == .combination }
        if !combinations.isEmpty {
            key("uniqueKeys")
            array { json in
                for key in combinations { json.strings(key.fields) }
            }
        }
        if !schema.foreignKeys.isEmpty {
            key("foreignKeys")
            array { json in
                for key in schema.foreignKeys { json.foreignKey(key) }
            }
        }
        if schema.keep != .first {
            key("keep")
            string(schema.keep.rawValue)
        }
    }

    private mutating func foreignKey(_ foreignKey: ForeignKey) {
        object { json in
            json.key("fields")
            json.strings(foreignKey.fields)
            json.key("reference")
            json.object { json in
                if !foreignKey.reference.isOwnTable {
                    json.key("resource")
                    json.string(foreignKey.reference.resource)
                }
                json.key("fields")
                json.strings(foreignKey.reference.fields)
            }
        }
    }
}

extension Schema {
    /// The names of the fields with the constraint `unique`.
    var uniqueFields: Set<ByteEqualString> {
        Set(keys.filter { $0.kind == .unique && $0.fields.count == 1 }.map { ByteEqualString($0.fields[0]) })
    }
}
