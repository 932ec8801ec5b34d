extension ICUTranslator {
    /// Translates an escape that the scanner did not resolve. Characters without a meaning in ICU are literal,
    /// including letters: `\K` is K.
    mutating func escape() throws(CompileError) {
        let start = scanner.current.range.lowerBound
        try scanner.advance()
        guard let scalar = scanner.current.scalar else { throw refusal(at: start, "the pattern ends with a \\") }
        switch scalar {
        case "A", "G", "z": try write("\\\(scalar)", from: start)
        case "Z": try write(ICUText.textEnd, from: start)
        case "b": try write(ICUText.boundary, from: start)
        case "B": try write(ICUText.noBoundary, from: start)
        case "R":
            try write("\\R", from: start)
            try repetition()
        case "X":
            throw refusal(
                at: start,
                "PCRE2 has other characters as people see them than ICU: count them with a length instead of \\X")
        case "N": throw try named(at: start)
        case "k": try namedReference(from: start)
        case "1"..."9": try reference(scalar, from: start)
        case "p", "P":
            try write(try property(from: start).pattern, from: start)
            try repetition()
        default:
            guard let set = ICUSet.shorthand(scalar) else { return try literal(scalar, from: start) }
            try write(set.pattern, from: start)
            try repetition()
        }
    }

    // MARK: - References

    /// Consumes the digits that form the number of a group that has already been opened.
    private mutating func reference(_ digit: Unicode.Scalar, from start: Int) throws(CompileError) {
        var group = Int(digit.value - 48)
        while group < groupCount {
            var ahead = scanner
            guard let digit = ahead.nextDigit() else { break }
            group = group * 10 + digit
            scanner = ahead
        }
        try reference(to: group, from: start)
    }

    private mutating func namedReference(from start: Int) throws(CompileError) {
        try scanner.advance()
        guard scanner.isAt("<") else {
            throw refusal(at: start, "\\k wants the name of a group after it, as in \\k<name>")
        }
        try scanner.advance()
        let name = try groupName()
        guard let group = groupNames[name] else {
            throw refusal(at: start, "there is no group called \(name) before this")
        }
        try reference(to: group, from: start)
    }

    private mutating func reference(to group: Int, from start: Int) throws(CompileError) {
        if flags.contains(.caseInsensitive) {
            throw refusal(
                at: start, "ICU takes ß for SS where case is ignored, PCRE2 does not: compare exactly, (?-i:\\\(group))"
            )
        }
        if lookbehindDepth > 0 {
            throw refusal(at: start, "ICU has no reference in a look-behind: it has no longest match")
        }
        if group > farthestReference?.group ?? 0 { farthestReference = (group, start) }
        try write("\\g{\(group)}", from: start)
        try repetition(mayBeEmpty: true)
    }

    // MARK: - Names of characters and properties

    /// The refusal of `\N{…}`, with a replacement if the character exists.
    func named(at start: Int) throws(CompileError) -> CompileError {
        var ahead = scanner
        try ahead.advance()
        var name = ""
        if ahead.isAt("{") {
            try ahead.advance()
            while let scalar = ahead.current.scalar, !ahead.isAt("}") {
                name.unicodeScalars.append(scalar)
                try ahead.advance()
            }
        }
        guard !name.isEmpty, ahead.isAt("}") else {
            return refusal(at: start, "\\N wants the name of a character after it, as in \\N{COMMA}")
        }
        guard let scalar = Unicode.Scalar(named: name) else {
            return refusal(at: start, "there is no character called \(name)")
        }
        return refusal(
            at: start, "characters have no names here: write \\x{\(String(scalar.value, radix: 16, uppercase: true))}")
    }

    /// Parses `{name}` after `\p` or `\P`, which is the current character. Afterwards, the current character is `}`.
    mutating func property(from start: Int) throws(CompileError) -> ICUSet {
        let isNegated = scanner.isAt("P")
        try scanner.advance()
        guard scanner.isAt("{") else {
            throw refusal(at: start, "ICU wants braces around a property: write \\\(isNegated ? "P" : "p"){…}")
        }
        try scanner.advance()
        var name = ""
        while !scanner.isAt("}") {
            guard let scalar = scanner.current.scalar else { throw refusal(at: start, "this property has no }") }
            name.unicodeScalars.append(scalar)
            try scanner.advance()
        }
        return try property(name, isNegated: isNegated, from: start)
    }

    /// The property with that name under the current flags.
    func property(_ name: String, isNegated: Bool, from start: Int) throws(CompileError) -> ICUSet {
        guard let property = ICUProperty(named: name) else {
            throw refusal(
                at: start,
                "PCRE2 has no property \(name): write a category such as \\p{Lu}, a script such as \\p{Greek}, "
                    + "or a block as a range, [\\x{370}-\\x{3FF}]")
        }
        guard let members = flags.contains(.caseInsensitive) ? property.membersInAnyCase : property.members else {
            throw refusal(
                at: start,
                "where case is ignored, ICU adds the other case to \(name): write (?-i:…) around it, or both cases")
        }
        return .members(members, isNegated: isNegated)
    }
}

extension Unicode.Scalar {
    /// The character with that name.
    fileprivate init?(named name: String) {
        let name = name.uppercased()
        guard let scalar = ScalarNames.shared.find(name) else { return nil }
        self = scalar
    }
}

/// Characters by name. Only hashes are stored (1.5 MB), because the standard library has the names. Created when a
/// pattern first names a character.
private struct ScalarNames: Sendable {
    static let shared = ScalarNames()

    /// Sorted by hash.
    private let entries: [(hash: UInt32, scalar: Unicode.Scalar)]

    private init() {
        // The planes with named characters that a pattern may contain.
        let values: [Range<UInt32>] = [0x20..<0xD800, 0xE000..<0x30000, 0xE0000..<0xE01F0]
        entries = values.joined().compactMap { value in
            guard let scalar = Unicode.Scalar(value), let name = scalar.properties.name else { return nil }
            return (Self.hash(name), scalar)
        }.sorted { ($0.hash, $0.scalar) < ($1.hash, $1.scalar) }
    }

    func find(_ name: String) -> Unicode.Scalar? {
        let hash = Self.hash(name)
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].hash < hash { low = middle + 1 } else { high = middle }
        }
        return entries[low...].prefix { $0.hash == hash }.first { $0.scalar.properties.name == name }?.scalar
    }

    /// FNV-1a.
    private static func hash(_ name: String) -> UInt32 {
        name.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
    }
}
