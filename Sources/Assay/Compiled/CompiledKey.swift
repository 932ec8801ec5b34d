package import CAssay

/// A ``Key`` with its columns resolved to fields, and with the types for comparing their values; or a sorted column.
///
/// Immutable; any number of threads may use one value at the same time.
package final class CompiledKey: Sendable {
    package let key: Key
    /// The order of the values of a sorted column; `nil` for a key.
    package let sortOrder: SortOrder?
    let parts: [Part]

    /// The maximum number of keys of a table, because keys are numbered in 16 bits.
    package static let maxCount = 1 << 16

    /// One column of a key.
    struct Part: Sendable {
        let field: CompiledField
        /// The type for comparing values; `nil` means a comparison as text.
        let type: CompiledType?
    }

    /// - Parameters:
    ///   - order: The order of a sorted column.
    ///   - types: The fields with the types for the comparison; `nil` means the columns' own types.
    ///   - places: The indices of the schema's fields.
    /// - Throws: ``CompileError`` if the key has no columns or names a column that is not a field.
    init(
        _ key: Key, sorted order: SortOrder? = nil, typedAs types: [String]? = nil, _ schema: Schema,
        _ places: FieldPlaces, _ fields: [CompiledField], typing: Typing
    ) throws(CompileError) {
        if key.fields.isEmpty { throw CompileError(part: .check, message: "the key '\(key.id)' has no field") }
        func field(_ name: String) throws(CompileError) -> Int {
            if let index = places[name] { return index }
            throw CompileError(part: .check, message: "the key '\(key.id)' names '\(name)', which is no field")
        }
        var parts: [Part] = []
        for (name, typeName) in zip(key.fields, types ?? key.fields) {
            let index = try field(name)
            // JSON has its own true and false, independently of the spellings in text columns.
            let declared = schema.fields[try field(typeName)].type
            let type = typing.type(of: declared)
            if type.hasMembers {
                throw CompileError(
                    part: .check,
                    message:
                        "the key '\(key.id)' names '\(typeName)', and \(type.kind.withArticle) cannot be part of a key")
            }
            let isText = [.any, .string].contains(type.kind)
            parts.append(Part(field: fields[index], type: isText ? nil : try CompiledType(type)))
        }
        self.key = key
        sortOrder = order
        self.parts = parts
    }

    /// The keys of a schema, followed by its sorted columns.
    static func all(
        of schema: Schema, _ places: FieldPlaces, _ fields: [CompiledField], typing: Typing
    ) throws(CompileError) -> [CompiledKey] {
        let sorted = schema.fields.filter { $0.sorted != nil }
        if schema.keys.count + sorted.count + 2 * schema.foreignKeys.count > maxCount {
            throw CompileError(part: .check, message: "a table has at most \(maxCount) keys")
        }
        var keys: [CompiledKey] = []
        for key in schema.keys { keys.append(try CompiledKey(key, schema, places, fields, typing: typing)) }
        for field in sorted {
            var key = Key(.unique, fields: [field.name])
            key.id = field.sortedID
            if !field.type.isSortable {
                throw CompileError(
                    part: .check, message: "'\(key.id)': \(field.type.kind.withArticle) has no order")
            }
            keys.append(try CompiledKey(key, sorted: field.sorted, schema, places, fields, typing: typing))
        }
        return keys
    }

    /// The positions of its columns in a table; `nil` for a column that the table lacks.
    package func positions(in bound: BoundSchema) -> [Int?] {
        parts.map { bound.position(of: $0.field.name) }
    }
}

/// A random seed for the hashes of a key, so that input cannot be constructed to cause hash collisions.
package struct KeySecret: Sendable {
    package let seed: assay_key_hash

    package init() { seed = assay_key_hash(low: .random(in: 0 ... .max), high: .random(in: 0 ... .max)) }
    package init(_ seed: assay_key_hash) { self.seed = seed }
}

/// A key bound to the columns of one table. Created once for a run.
package struct BoundKey: Sendable {
    package let key: CompiledKey
    /// The positions of its columns; `nil` for a column that the table lacks, so that it is missing in every record.
    package let positions: [Int?]
    fileprivate let secret: KeySecret

    /// - Parameter secret: Must be the same for keys that are compared with each other.
    package init(_ key: CompiledKey, positions: [Int?], secret: KeySecret) {
        (self.key, self.positions, self.secret) = (key, positions, secret)
    }
}

/// The columns of a slice that keys are made of.
package enum KeyColumns {
    /// Writes the cells of the column at a position for the rows of a mask, and returns their base. `nullTexts` is
    /// memory for a mask of the result.
    case cells(
        (
            _ position: Int, _ selected: UnsafePointer<UInt64>, UnsafeMutablePointer<assay_cell>,
            _ nullTexts: UnsafeMutablePointer<UInt64>
        ) -> GatheredCells)
    /// Returns the column at a position, which was checked before.
    case kept((_ position: Int) -> KeptColumn)
}

/// A worker that hashes the values of a key, one hash for each row of a slice.
package final class KeyHasher {
    /// `nil` if the columns are ``KeptColumn``s, whose missing values are known. The handle is that of the scratch.
    private let scratch: Scratch?
    private let handle: OpaquePointer?
    private let hashes: UnsafeMutablePointer<assay_key_hash>
    private let cells: UnsafeMutablePointer<assay_cell>
    /// The rows without a value in a column, a mask for results that are not used, the rows of a part without far
    /// values, and those whose text only looks like a missing value.
    private let missing: UnsafeMutablePointer<UInt64>
    private let unused: UnsafeMutablePointer<UInt64>
    private let near: UnsafeMutablePointer<UInt64>
    private let nullTexts: UnsafeMutablePointer<UInt64>

    /// - Parameter limits: The limits for finding missing values; `nil` if the columns are ``KeptColumn``s.
    package init(limits: MatchLimits? = nil) throws(NoMemoryError) {
        if let limits {
            let scratch = try Scratch(limits: limits)
            handle = scratch.handle
            self.scratch = consume scratch
        } else {
            scratch = nil
            handle = nil
        }
        let (rows, words) = (SchemaEvaluator.sliceRows, maskWords(SchemaEvaluator.sliceRows))
        let hashes: UnsafeMutablePointer<assay_key_hash> = try reserve(rows, for: "the keys of a thread")
        do throws(NoMemoryError) {
            cells = try reserve(rows + 4 * words, for: "the keys of a thread")
        } catch {
            release(hashes)
            throw error
        }
        self.hashes = hashes
        // Cells have eight bytes, as words have.
        missing = UnsafeMutableRawPointer(cells + rows).bindMemory(to: UInt64.self, capacity: 4 * words)
        (unused, near, nullTexts) = (missing + words, missing + 2 * words, missing + 3 * words)
    }

    deinit {
        release(hashes)
        release(cells)
    }

    /// Hashes a key for the rows of a mask.
    ///
    /// - Parameter selected: The rows. Rows with a missing part of the key are removed.
    /// - Returns: The hashes, which are defined for rows that remain in `selected`. Valid until the next call.
    package func hash(
        _ key: BoundKey, rows: Int, selected: UnsafeMutablePointer<UInt64>, in columns: KeyColumns
    ) -> UnsafePointer<assay_key_hash> {
        hashes.update(repeating: key.secret.seed, count: rows)
        for (part, position) in zip(key.key.parts, key.positions) {
            guard let position else {
                selected.update(repeating: 0, count: maskWords(rows))
                break
            }
            mix(
                part.type?.handle, column(part.field, position, rows: rows, selected: selected, in: columns), rows,
                selected)
        }
        return UnsafePointer(hashes)
    }

    /// Hashes the values of a column that was read, for a key of one column.
    ///
    /// - Parameter selected: The rows with a value.
    /// - Returns: The hashes of these rows. Valid until the next call.
    func hash(
        _ key: BoundKey, _ column: KeptColumn, rows: Int, selected: UnsafePointer<UInt64>
    ) -> UnsafePointer<assay_key_hash> {
        hashes.update(repeating: key.secret.seed, count: rows)
        mix(key.key.parts[0].type?.handle, column, rows, selected)
        return UnsafePointer(hashes)
    }

    /// Returns the column at a position for the rows of a mask, and removes the rows without a value.
    func column(
        _ field: CompiledField, _ position: Int, rows: Int, selected: UnsafeMutablePointer<UInt64>,
        in columns: KeyColumns
    ) -> KeptColumn {
        switch columns {
        case .cells(let gather):
            let gathered = gather(position, selected, cells, nullTexts)
            takeOutMissing(field, gathered, rows: rows, selected: selected)
            return KeptColumn(bytes: gathered.bytes, cells: cells, missing: missing, failed: missing, far: [])
        case .kept(let lend):
            let column = lend(position)
            for word in 0..<maskWords(rows) { selected[word] &= ~column.missing[word] }
            return column
        }
    }

    private func mix(_ type: OpaquePointer?, _ column: KeptColumn, _ rows: Int, _ selected: UnsafePointer<UInt64>) {
        if column.far.isEmpty { return assay_key_mix(type, column.bytes, column.cells, selected, rows, hashes) }
        near.update(from: selected, count: maskWords(rows))
        for far in column.far { near[far.row / 64] &= ~(1 << UInt64(far.row % 64)) }
        assay_key_mix(type, column.bytes, column.cells, near, rows, hashes)
        for far in column.far where selected[far.row / 64] >> UInt64(far.row % 64) & 1 != 0 {
            var (cell, one) = (assay_cell(start: 0, length: UInt32(far.value.count)), UInt64(1))
            assay_key_mix(type, far.value.baseAddress, &cell, &one, 1, hashes + far.row)
        }
    }

    private func takeOutMissing(
        _ field: CompiledField, _ gathered: GatheredCells, rows: Int, selected: UnsafeMutablePointer<UInt64>
    ) {
        if let handle, let presence = field.presence, gathered.mayHaveEmpty || !field.onlyEmptyIsMissing {
            let view = ColumnView(bytes: gathered.bytes, cells: UnsafeBufferPointer(start: cells, count: rows))
            presence.evaluate(
                view, skip: nil, scratch: handle, into: VerdictBits(failed: missing, undecided: unused))
            if let texts = gathered.nullTexts {
                for word in 0..<maskWords(rows) { missing[word] &= ~texts[word] }
            }
            for word in 0..<maskWords(rows) { selected[word] &= ~missing[word] }
        }
        // A key treats null as missing, even if null is a value of the field.
        for nulls in [gathered.nulls, gathered.nullValues] {
            guard let nulls else { continue }
            for word in 0..<maskWords(rows) { selected[word] &= ~nulls[word] }
        }
    }
}
