internal import Assay

/// One of the columns of hashes that the keys of a table are decided by.
///
///     email.unique   primaryKey   foreignKeys.1   foreignKeys.2   (what foreignKeys.2 refers to)
///     unique         unique       foreign         ownForeign      target
///
struct KeyColumn: Sendable {
    enum Role: Sendable {
        /// No two records may have it.
        case unique
        /// It must be one of these.
        case foreign(ReferencedKeys)
        /// The same, where they have no room in memory: that is known only at the end.
        case lateForeign(ReferencedKeys)
        /// It must be a target of the foreign key with this number, from 0, in a clean record.
        case ownForeign(Int)
        /// What the foreign key with this number refers to.
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

    /// The keys on disk that it must be one of.
    var late: ReferencedKeys? {
        if case .lateForeign(let held) = role { held } else { nil }
    }

    /// What it must be one of, if that is a file's.
    var referenced: ReferencedKeys? {
        switch role {
        case .foreign(let held), .lateForeign(let held): held
        case .unique, .ownForeign, .target: nil
        }
    }

    /// Where its column stands, if it is one.
    var onlyPosition: Int? { key.positions.count == 1 ? key.positions[0] : nil }
}

extension [KeyColumn] {
    /// How many are keys: they come first.
    var uniqueCount: Int { foreign.lowerBound }

    /// Those that are foreign keys. What they refer to in this table comes last.
    var foreign: Range<Int> {
        let first = firstIndex { if case .unique = $0.role { false } else { true } } ?? count
        return first..<(self[first...].firstIndex { !$0.isForeign } ?? count)
    }

    /// Where the columns stand that are keys, or foreign keys, by themselves: each once.
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
