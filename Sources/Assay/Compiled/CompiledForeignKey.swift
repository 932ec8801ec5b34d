/// A ``ForeignKey`` whose columns are known by their fields.
///
/// Immutable and shared freely between threads.
package final class CompiledForeignKey: Sendable {
    package let foreignKey: ForeignKey
    /// The columns that refer.
    package let key: CompiledKey
    /// The columns that are referred to, if they are this table's own.
    package let target: CompiledKey?

    /// - Throws: ``CompileError`` for one without columns, with one that is no field, or with another number than it refers to.
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
    /// What a table that is referred to is read with: its columns have the types of those that refer, and nothing more is asked
    /// of them.
    package func schema(referredToBy foreignKey: ForeignKey) -> Schema {
        var schema = Schema(missingValues: missingValues)
        let places = FieldPlaces(fields.lazy.map(\.name))
        for (name, other) in zip(foreignKey.fields, foreignKey.reference.fields) {
            guard var field = places[name].map({ fields[$0] }) else { continue }
            (field.name, field.isRequired, field.rules, field.repair) = (other, false, [], [])
            schema.fields.append(field)
        }
        var key = Key(.combination, fields: foreignKey.reference.fields)
        key.id = foreignKey.id
        schema.keys = [key]
        return schema
    }
}
