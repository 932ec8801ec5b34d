/// The words of a column's name, which distinguish codes from numbers.
///
///     BillingPostalCode, billing_postal_code      ──►  billing, postal, code
struct ColumnWords {
    private let words: Set<String>
    /// The last word; `nil` if the name has no letters.
    let last: String?

    init(_ name: String) {
        var words: [String] = []
        var word = ""
        var wasSmall = false
        for character in name {
            if !character.isLetter || (character.isUppercase && wasSmall) {
                words.append(word)
                word = ""
            }
            if character.isLetter { word += character.lowercased() }
            wasSmall = character.isLowercase
        }
        words.append(word)
        self.words = Set(words)
        last = words.last { !$0.isEmpty }
    }

    /// Whether the name suggests a numeric code, for which sums are meaningless.
    var areOfDigits: Bool { !words.isDisjoint(with: Self.ofDigits) }
    var areVersions: Bool { !words.isDisjoint(with: ["version", "firmware", "release"]) }
    var areIDs: Bool { words.contains("id") }

    private static let ofDigits: Set = [
        "zip", "zipcode", "postal", "postcode", "plz", "postleitzahl", "phone", "telephone", "tel", "telefon", "fax",
        "mobil",
        "sku", "ssn",
    ]
}
