/// A set of characters from brackets, properties and shorthands. Its pattern matches one member.
indirect enum ICUSet: Sendable {
    /// The text between `[` and `]` in PCRE2.
    case members(String, isNegated: Bool)
    case union([ICUSet])
    case intersection(ICUSet, ICUSet)
    case difference(ICUSet, ICUSet)
    case complement(ICUSet)

    static let empty = ICUSet.union([])

    /// The set of a shorthand such as `\d` or `\W`; `nil` for other letters.
    static func shorthand(_ letter: Unicode.Scalar) -> ICUSet? {
        switch letter {
        case "d": .members(ICUText.digit, isNegated: false)
        case "D": .members(ICUText.digit, isNegated: true)
        case "h": .members(ICUText.horizontal, isNegated: false)
        case "H": .members(ICUText.horizontal, isNegated: true)
        case "s": .members(ICUText.space, isNegated: false)
        case "S": .members(ICUText.space, isNegated: true)
        case "v": .members(ICUText.terminators, isNegated: false)
        case "V": .members(ICUText.terminators, isNegated: true)
        case "w": .members(ICUText.word, isNegated: false)
        case "W": .members(ICUText.word, isNegated: true)
        default: nil
        }
    }

    /// Adds the members of another set. Plain members become one class.
    mutating func add(_ other: ICUSet) {
        if case .union(let others) = other {
            for other in others { add(other) }
            return
        }
        var sets: [ICUSet] = if case .union(let sets) = self { sets } else { [self] }
        if case .members(let more, false) = other, case .members(let members, false)? = sets.last {
            sets[sets.count - 1] = .members(members + more, isNegated: false)
        } else {
            sets.append(other)
        }
        self = .union(sets)
    }

    /// The set as a PCRE2 pattern that is one repeatable item.
    ///
    /// PCRE2 10.42 has no set algebra. But each operand matches exactly one character, so a look-ahead for one operand
    /// and a match of the other are their intersection.
    var pattern: String {
        switch self {
        case .members(let members, let isNegated): "[\(isNegated ? "^" : "")\(members)]"
        case .union(let sets) where sets.count == 1: sets[0].pattern
        case .union(let sets) where sets.isEmpty: "(?!)"
        case .union(let sets): "(?:\(sets.map(\.pattern).joined(separator: "|")))"
        case .intersection(let one, let other): "(?:(?=\(one.pattern))\(other.pattern))"
        case .difference(let one, let other): "(?:(?!\(other.pattern))\(one.pattern))"
        case .complement(.members(let members, let isNegated)):
            ICUSet.members(members, isNegated: !isNegated).pattern
        case .complement(.union(let sets)) where sets.count == 1: ICUSet.complement(sets[0]).pattern
        case .complement(let set): "(?:(?!\(set.pattern))\(ICUText.anyScalar))"
        }
    }
}
