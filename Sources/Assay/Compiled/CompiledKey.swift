package import CAssay

/// A ``Key`` with its columns resolved to fields, and with the types for comparing their values.
///
/// Immutable; any number of threads may use one value at the same time.
package final class CompiledKey: Sendable {
    package let key: Key
    let parts: [Part]

    /// The maximum number of keys of a table, because keys are numbered in 16 bits.
    package static let most = 1 << 16

    /// One column of a key.
    struct Part: Sendable {
        let field: CompiledField
        /// The type for comparing values; `nil` means a comparison as text.
        let type: CompiledType?
    }

    /// - Parameters:
    ///   - types: The fields with the types for the comparison; `nil` means the columns' own types.
    ///   - places: The indices of the schema's fields.
    /// - Throws: ``CompileError`` if the key has no columns or names a column that is not a field.
    init(
        _ key: Key, typedAs types: [String]? = nil, _ schema: Schema, _ places: FieldPlaces, _ fields: [CompiledField],
        typing: Typing
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
        self.parts = parts
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
    package init(_ key: CompiledKey, in bound: BoundSchema, secret: KeySecret = KeySecret()) {
        self.key = key
        self.secret = secret
        positions = key.positions(in: bound)
    }
}

/// A worker that hashes the values of a key, one hash for each row of a slice.
package struct KeyHasher: ~Copyable {
    private let scratch: Scratch
    private let cells: UnsafeMutablePointer<assay_cell>
    private let hashes: UnsafeMutablePointer<assay_key_hash>
    /// The rows without a value in a column, and a mask for results that are not used.
    private let missing: UnsafeMutablePointer<UInt64>
    private let unused: UnsafeMutablePointer<UInt64>

    package init(limits: MatchLimits) throws(NoMemoryError) {
        let scratch = try Scratch(limits: limits)
        let rows = SchemaJudge.sliceRows
        self.scratch = scratch
        cells = .allocate(capacity: rows)
        hashes = .allocate(capacity: rows)
        missing = .allocate(capacity: maskWords(rows))
        unused = .allocate(capacity: maskWords(rows))
    }

    deinit {
        cells.deallocate()
        hashes.deallocate()
        missing.deallocate()
        unused.deallocate()
    }

    /// Hashes a key for the rows of a mask.
    ///
    /// - Parameters:
    ///   - wanted: The rows. Rows with a missing part of the key are removed.
    ///   - gather: Writes the cells of the column at a position of the table and returns their base.
    /// - Returns: The hashes, which are defined for rows that remain in `wanted`. Valid until the next call.
    package mutating func hash(
        _ key: BoundKey, rows: Int, wanted: UnsafeMutablePointer<UInt64>,
        gather: (_ position: Int, UnsafeMutablePointer<assay_cell>) -> GatheredCells
    ) -> UnsafePointer<assay_key_hash> {
        hashes.update(repeating: key.secret.seed, count: rows)
        for (part, position) in zip(key.key.parts, key.positions) {
            guard let position else {
                wanted.update(repeating: 0, count: maskWords(rows))
                break
            }
            let gathered = gather(position, cells)
            takeOutMissing(part.field, gathered, rows: rows, wanted: wanted)
            assay_key_mix(part.type?.handle, gathered.bytes, cells, wanted, rows, hashes)
        }
        return UnsafePointer(hashes)
    }

    private func takeOutMissing(
        _ field: CompiledField, _ gathered: GatheredCells, rows: Int, wanted: UnsafeMutablePointer<UInt64>
    ) {
        if let presence = field.presence, gathered.mayHaveEmpty || !field.onlyEmptyIsMissing {
            let view = ColumnView(bytes: gathered.bytes, cells: UnsafeBufferPointer(start: cells, count: rows))
            presence.judge(
                view, skip: nil, scratch: scratch.handle, into: VerdictBits(failed: missing, undecided: unused))
            for word in 0..<maskWords(rows) { wanted[word] &= ~missing[word] }
        }
        // A key treats null as missing, even if null is a value of the field.
        for nulls in [gathered.nulls, gathered.nullValues] {
            guard let nulls else { continue }
            for word in 0..<maskWords(rows) { wanted[word] &= ~nulls[word] }
        }
    }
}
