/// The `Regex` of Swift's standard library, made once, the whole value; by scalars, as all the others compare.
struct SwiftRegex {
    private let regex: Regex<AnyRegexOutput>

    /// nil: Swift refuses the pattern.
    init?(_ pattern: String) {
        guard let regex = try? Regex(pattern) else { return nil }
        self.regex = regex.matchingSemantics(.unicodeScalar)
    }

    /// How many values match. Its errors are limits that it ran into.
    func count(_ values: [String]) throws -> Int {
        try values.count { try regex.wholeMatch(in: $0) != nil }
    }
}
