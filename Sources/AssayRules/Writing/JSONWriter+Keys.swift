internal import Assay

extension JSONWriter {
    /// The keys of a table that are not the constraint of a field.
    ///
    /// - Parameter tables: The tables that foreign keys refer to and that have a dialect.
    mutating func keys(_ schema: Schema, _ tables: [ReferencedTable]) {
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
                for key in schema.foreignKeys { json.foreignKey(key, tables) }
            }
        }
        if schema.keep != .first {
            key("keep")
            keep(schema.keep)
        }
    }

    private mutating func keep(_ keep: DuplicatePolicy) {
        guard let column = keep.column else { return string(keep.text) }
        object { json in
            json.key(column.isDescending ? "max" : "min")
            json.string(column.name)
        }
    }

    private mutating func foreignKey(_ foreignKey: ForeignKey, _ tables: [ReferencedTable]) {
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
                if let table = tables.table(named: foreignKey.reference.resource), table.paths == [table.name] {
                    json.dialect(table.dialect)
                }
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
