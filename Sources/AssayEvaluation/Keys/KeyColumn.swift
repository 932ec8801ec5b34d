package import Assay

/// A key or a sorted column of a table. A table has its keys in this order:
///
///     email.unique   primaryKey   foreignKeys.1   foreignKeys.2   time.sorted   (the target of foreignKeys.2)
///     unique         unique       foreign         ownForeign      sorted        target
///
/// A record has a hash for each of its keys, and no hash for a sorted column.
package struct KeyColumn: Sendable {
    package enum Role: Sendable {
        /// No two records may have the same value.
        case unique
        /// The value must be among these keys.
        case foreign(ReferencedKeys)
        /// Like `foreign`, but the keys do not fit in memory, so values are looked up at the end of the input.
        case lateForeign(ReferencedKeys)
        /// The foreign key with this number, counted from 0, refers to this table: the value must be a target in a
        /// clean record.
        case ownForeign(Int)
        /// The value is a target of the foreign key with this number.
        case target(Int)
        /// Another program looks up the value of a foreign key.
        case exported
        /// The values must be sorted.
        case sorted(SortOrder)
    }

    package let key: BoundKey
    package let role: Role

    package var isPrimary: Bool {
        if case .unique = role { key.key.key.kind == .primary } else { false }
    }

    package var isForeign: Bool {
        switch role {
        case .foreign, .lateForeign, .ownForeign, .exported: true
        case .unique, .sorted, .target: false
        }
    }

    /// Whether the value is looked up later or by another program. A record that is already
    /// rejected for another key or for its order keeps its claims to such values, and loses its other claims.
    var isLookedUpLater: Bool {
        switch role {
        case .lateForeign, .exported: true
        case .unique, .foreign, .ownForeign, .sorted, .target: false
        }
    }

    /// The referenced keys, if they are on disk.
    package var late: ReferencedKeys? {
        if case .lateForeign(let held) = role { held } else { nil }
    }

    /// The referenced keys of another table, if this program looks them up.
    package var referenced: ReferencedKeys? {
        switch role {
        case .foreign(let held), .lateForeign(let held): held
        case .unique, .ownForeign, .sorted, .target, .exported: nil
        }
    }

    /// The order of a sorted column.
    package var sortOrder: SortOrder? {
        if case .sorted(let order) = role { order } else { nil }
    }

    /// The position of the only column of the key; `nil` if the key has several columns.
    package var onlyPosition: Int? { key.positions.count == 1 ? key.positions[0] : nil }
}

extension [KeyColumn] {
    /// The columns of a table's keys.
    ///
    /// - Parameters:
    ///   - own: The keys and the sorted columns.
    ///   - foreign: The foreign keys, with their numbers in the rules.
    ///   - exported: The secret for hashes of foreign keys that another program looks up; `nil` if this program looks
    ///     them up.
    ///   - bind: Finds the columns of a key.
    package init(
        own: [BoundKey], foreign: [(number: Int, key: CompiledForeignKey)], held: HeldReferences,
        exported: KeySecret? = nil, bind: (CompiledKey, KeySecret) -> BoundKey
    ) {
        var (columns, targets) = ([KeyColumn](), [KeyColumn]())
        for key in own where key.key.sortOrder == nil { columns.append(KeyColumn(key: key, role: .unique)) }
        for (number, foreign) in foreign {
            if let exported {
                columns.append(KeyColumn(key: bind(foreign.key, exported), role: .exported))
            } else if let keys = held.keys[number] {
                let role = keys.isInMemory ? KeyColumn.Role.foreign(keys) : .lateForeign(keys)
                columns.append(KeyColumn(key: bind(foreign.key, keys.secret), role: role))
            } else if let target = foreign.target {
                let secret = held.secrets[number]
                columns.append(KeyColumn(key: bind(foreign.key, secret), role: .ownForeign(number)))
                targets.append(KeyColumn(key: bind(target, secret), role: .target(number)))
            }
        }
        for key in own {
            if let order = key.key.sortOrder { columns.append(KeyColumn(key: key, role: .sorted(order))) }
        }
        self = columns + targets
    }

    /// The number of unique keys. They come first.
    package var uniqueCount: Int { foreign.lowerBound }

    /// The number of columns that findings are about: all except the targets, which come last.
    package var reportedCount: Int {
        firstIndex { if case .target = $0.role { true } else { false } } ?? count
    }

    /// The range of the foreign keys, after the unique keys and before the sorted columns.
    package var foreign: Range<Int> {
        let first = firstIndex { if case .unique = $0.role { false } else { true } } ?? count
        return first..<(self[first...].firstIndex { !$0.isForeign } ?? count)
    }

    /// The positions of the columns that are sorted, or that form a unique or foreign key alone, without duplicates.
    package var keyPositions: [Int] {
        var positions: [Int] = []
        for position in self[..<reportedCount].compactMap(\.onlyPosition) where !positions.contains(position) {
            positions.append(position)
        }
        return positions
    }

    /// Whether a foreign key refers to this table.
    package var hasOwnForeign: Bool { reportedCount < count }
}
