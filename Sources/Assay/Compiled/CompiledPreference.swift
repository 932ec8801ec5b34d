/// The column that decides which record with a key is kept: `keep: {max: COLUMN}`.
///
/// Immutable; any number of threads may use one value at the same time.
package struct CompiledPreference: Sendable {
    /// The column, as a key of one column.
    package let key: CompiledKey
    /// Whether the greatest value is preferred.
    package let isDescending: Bool

    /// - Returns: `nil` if the values of no column decide.
    /// - Throws: ``CompileError`` if the column is not a field, or if its values have no order.
    init?(
        _ schema: Schema, _ places: FieldPlaces, _ fields: [CompiledField], typing: Typing
    ) throws(CompileError) {
        guard !schema.keys.isEmpty, let column = schema.keep.column else { return nil }
        guard let index = places[column.name] else {
            throw CompileError(part: .check, message: "'keep' names '\(column.name)', which is no field")
        }
        let type = schema.fields[index].type
        guard type.isPreferable else {
            throw CompileError(
                part: .check,
                message: "'keep' names '\(column.name)', and the values of \(type.kind.withArticle) have no order")
        }
        var name = Key(.unique, fields: [column.name])
        name.id = "keep"
        key = try CompiledKey(name, schema, places, fields, typing: typing)
        isDescending = column.isDescending
    }
}

/// A ``CompiledPreference`` bound to the columns of one table.
package struct BoundPreference: Sendable {
    package let key: BoundKey
    package let isDescending: Bool

    package init(_ preference: CompiledPreference, positions: [Int?]) {
        key = BoundKey(preference.key, positions: positions, secret: KeySecret())
        isDescending = preference.isDescending
    }
}
