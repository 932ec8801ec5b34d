/// A ``ForeignKey`` with its columns resolved to fields.
///
/// Immutable; any number of threads may use one value at the same time.
package final class CompiledForeignKey: Sendable {
    package let foreignKey: ForeignKey
    /// The referring columns.
    package let key: CompiledKey
    /// The referenced columns if the table refers to itself, otherwise `nil`.
    package let target: CompiledKey?

    /// - Throws: ``CompileError`` if there are no columns, if a name is not a field, or if the numbers of referring and
    ///   referenced columns differ.
    init(
        _ foreignKey: ForeignKey, _ schema: Schema, _ places: FieldPlaces, _ fields: [CompiledField], typing: Typing
    ) throws(CompileError) {
        let reference = foreignKey.reference
        if foreignKey.fields.count != reference.fields.count {
            throw CompileError(
                part: .check,
                message: "the foreign key '\(foreignKey.id)' has \(foreignKey.fields.count) fields, and refers to "
                    + "\(reference.fields.count)")
        }
        func key(_ names: [String], typedAs types: [String]) throws(CompileError) -> CompiledKey {
            var key = Key(.combination, fields: names)
            key.id = foreignKey.id
            return try CompiledKey(key, typedAs: types, schema, places, fields, typing: typing)
        }
        self.foreignKey = foreignKey
        self.key = try key(foreignKey.fields, typedAs: foreignKey.fields)
        target = reference.isOwnTable ? try key(reference.fields, typedAs: foreignKey.fields) : nil
    }
}

extension Schema {
    /// The schema for reading a referenced table: its columns have the types of the referring columns and no rules.
    package func schema(referredToBy foreignKey: ForeignKey) -> Schema {
        var schema = Schema(missingValues: missingValues)
        let places = FieldPlaces(fields.lazy.map(\.name))
        for (name, other) in zip(foreignKey.fields, foreignKey.reference.fields) {
            guard var field = places[name].map({ fields[$0] }) else { continue }
            (field.name, field.isRequired, field.sorted, field.rules, field.repair) = (other, false, nil, [], [])
            schema.fields.append(field)
        }
        var key = Key(.combination, fields: foreignKey.reference.fields)
        key.id = foreignKey.id
        schema.keys = [key]
        return schema
    }
}
