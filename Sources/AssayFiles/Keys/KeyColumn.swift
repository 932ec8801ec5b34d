internal import Assay

/// One of the columns of hashes that decide the keys of a table.
///
///     email.unique   primaryKey   foreignKeys.1   foreignKeys.2   (the target of foreignKeys.2)
///     unique         unique       foreign         ownForeign      target
///
struct KeyColumn: Sendable {
    enum Role: Sendable {
        /// No two records may have the same value.
        case unique
        /// The value must be among these keys.
        case foreign(ReferencedKeys)
        /// The same, but the keys do not fit in memory, so the check completes only at the end of the input.
        case lateForeign(ReferencedKeys)
        /// The value must be a target of the foreign key with this number, from 0, in a clean record.
        case ownForeign(Int)
        /// The target of the foreign key with this number.
        case target(Int)
    }

    let key: BoundKey
    let role: Role

    var isPrimary: Bool {
        if case .unique = role { key.key.key.kind == .primary } else { false }
    }

    var isForeign: Bool {
        switch role {
        case .foreign, .lateForeign, .ownForeign: true
        case .unique, .target: false
        }
    }

    /// The keys on disk that the value must be one of.
    var late: ReferencedKeys? {
        if case .lateForeign(let held) = role { held } else { nil }
    }

    /// The keys that the value must be one of, if they are from another file.
    var referenced: ReferencedKeys? {
        switch role {
        case .foreign(let held), .lateForeign(let held): held
        case .unique, .ownForeign, .target: nil
        }
    }

    /// The position of the column, if the key has only one.
    var onlyPosition: Int? { key.positions.count == 1 ? key.positions[0] : nil }
}

extension [KeyColumn] {
    /// The number of unique keys. They come first.
    var uniqueCount: Int { foreign.lowerBound }

    /// The range of the foreign keys. The targets in this table come last.
    var foreign: Range<Int> {
        let first = firstIndex { if case .unique = $0.role { false } else { true } } ?? count
        return first..<(self[first...].firstIndex { !$0.isForeign } ?? count)
    }

    /// The positions of single-column keys and foreign keys, without duplicates.
    var keyPositions: [Int] {
        var positions: [Int] = []
        for position in self[..<foreign.upperBound].compactMap(\.onlyPosition) where !positions.contains(position) {
            positions.append(position)
        }
        return positions
    }

    /// Whether a foreign key refers to this table.
    var hasOwnForeign: Bool { foreign.upperBound < count }
}
