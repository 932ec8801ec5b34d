internal import Assay

/// A type that can be guessed for a column.
struct TypeCandidate {
    let type: ValueType
    /// The minimum number of distinct fitting values, because every tenth value fits some types by chance.
    let minDistinct: Int
    /// Parts of the column's name that make the minimum unnecessary.
    let names: [String]
    /// An additional check of the first values, which is too slow for all values. A function, because memcheck reports
    /// memory as lost if only the enum in a constant refers to it.
    let proof: (@Sendable () -> Check)?
    /// Whether values of only digits are more likely something else, such as #1001.
    let needsLetters: Bool
    /// Whether the type is a set of words. Then the distinct values must fit, because one frequent word proves little:
    /// in a column of names of countries, most values may be `USA`.
    let isSetOfWords: Bool

    init(
        _ format: String, atLeast: Int = 1, names: [String] = [], proof: (@Sendable () -> Check)? = nil,
        needsLetters: Bool = false, isSetOfWords: Bool = false
    ) {
        (type, minDistinct, self.names) = (ValueType(.string, format: format), atLeast, names)
        (self.proof, self.needsLetters, self.isSetOfWords) = (proof, needsLetters, isSetOfWords)
    }

    init(_ kind: ValueType.Kind, _ format: String? = nil, atLeast: Int = 1) {
        (type, minDistinct, names) = (ValueType(kind, format: format), atLeast, [])
        (proof, needsLetters, isSetOfWords) = (nil, false, false)
    }

    /// The candidate of a type, or `nil`.
    static func of(_ type: ValueType) -> TypeCandidate? { all.first { $0.type == type } }

    /// The formats of digits only. Their values are integers as well.
    static let formatsOfDigits: Set = ["%Y%m%d", "%Y%m%d%H%M%S"]

    /// Whether the values or the name of a column are sufficient evidence.
    func isBelieved(of column: ColumnProfile) -> Bool {
        if isNamed(column.name) { return true }
        return column.distinct >= Double(minDistinct) && (!needsLetters || column.hasLetters)
    }

    /// Whether the name of a column suggests the type.
    func isNamed(_ name: String) -> Bool {
        let lower = name.lowercased()
        return names.contains { lower.contains($0) }
    }

    /// The lengths of values of only ASCII digits that the types accept, at most; other types accept no such values.
    private static let lengthsOfDigits: [String: ClosedRange<Int>] = [
        "%Y%m%d": 6...8, "%Y%m%d%H%M%S": 9...14, "card": 12...19, "ean": 8...14, "hash": 32...128, "isbn": 10...13,
        "lei": 20...20, "ulid": 26...26,
    ]

    /// Whether the type may accept some of the values, which is quickly refuted for columns of short whole numbers.
    ///
    /// - Parameter digits: The range of the lengths of the values if all consist of ASCII digits; otherwise `nil`.
    func mayAccept(_ digits: ClosedRange<Int>?) -> Bool {
        guard let digits else { return true }
        return type.format.flatMap { Self.lengthsOfDigits[$0] }?.overlaps(digits) ?? false
    }

    /// All candidates, the most specific ones first. Among date formats, those with the day first precede others.
    static let all: [TypeCandidate] =
        [
            TypeCandidate("uuid"), TypeCandidate("ulid", atLeast: 3), TypeCandidate("iban"), TypeCandidate("lei"),
            TypeCandidate("isin", atLeast: 3), TypeCandidate("vat", atLeast: 3), TypeCandidate("email"),
            TypeCandidate("url"), TypeCandidate("mac"), TypeCandidate("ipv4"), TypeCandidate("ipv6", atLeast: 2),
            TypeCandidate("cidr"), TypeCandidate("jwt"), TypeCandidate("card", atLeast: 10, names: ["card"]),
            TypeCandidate("issn", atLeast: 3, names: ["issn"]),
            TypeCandidate("isbn", atLeast: 20, names: ["isbn"]),
            TypeCandidate("ean", atLeast: 20, names: ["ean", "gtin", "barcode", "upc"]),
            TypeCandidate("time-zone", atLeast: 3, names: ["zone", "tz"], isSetOfWords: true),
            // Many other values contain a slash: 1/2, HIT/MISS.
            TypeCandidate(
                "mime-type", atLeast: 3, names: ["mime", "content"],
                proof: {
                    .matches(
                        pattern: "(?i:application|audio|font|image|message|model|multipart|text|video|chemical|x-.*)/.*"
                    )
                }),
            TypeCandidate("hex-color", atLeast: 2, names: ["color", "colour", "farbe"], needsLetters: true),
            TypeCandidate("money", atLeast: 2), TypeCandidate("percent", atLeast: 2),
            TypeCandidate("lat-long", atLeast: 2), TypeCandidate("duration", atLeast: 3),
            TypeCandidate("week", atLeast: 2),
            TypeCandidate("hash", atLeast: 5, names: ["hash", "md5", "sha"]),
            TypeCandidate("bic", atLeast: 10, names: ["bic", "swift"]),
            TypeCandidate(
                "currency", atLeast: 5, names: ["currency", "waehrung", "währung", "devise"], isSetOfWords: true),
            TypeCandidate(
                "country", atLeast: 8, names: ["country", "land", "nation", "pays", "pais"], isSetOfWords: true),
            TypeCandidate(
                "country-alpha3", atLeast: 8, names: ["country", "land", "nation", "iso"], isSetOfWords: true),
            TypeCandidate("language", atLeast: 10, names: ["lang", "locale", "sprache"], isSetOfWords: true),
            TypeCandidate("semver", atLeast: 2), TypeCandidate("json object", atLeast: 1),
            TypeCandidate("json array", atLeast: 2),
            TypeCandidate(
                "hostname two-labels", atLeast: 10, names: ["domain", "host"],
                proof: { .type(ValueType(.string, format: "domain")) }),
            // With fewer digits, it is more likely a number with its sign.
            TypeCandidate("phone", atLeast: 2, proof: { .matches(pattern: "\\+[0-9]{7,}") }),
        ] + times

    /// The index of the first date or time in ``all``.
    static let timesFrom = all.count - times.count

    /// Dates and times in the formats of common exports.
    private static let times: [TypeCandidate] =
        [TypeCandidate(.date), TypeCandidate(.datetime)]
        + [
            "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%Y/%m/%d", "%Y.%m.%d", "%d %b %Y", "%d-%b-%Y",
            "%d %B %Y", "%b %d, %Y", "%B %d, %Y", "%b %d %Y", "%d.%m.%y", "%d/%m/%y", "%m/%d/%y", "%d-%b-%y",
            "%a, %d %b %Y",
        ].map { TypeCandidate(.date, $0, atLeast: 2) }
        + [TypeCandidate(.date, "%Y%m%d", atLeast: 10)]
        + ["%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%d-%m-%Y"].flatMap { day in
            [
                "%H:%M:%S", "%H:%M", "%H:%M:%S.%f", "%H:%M:%S%z", "%H:%M:%S.%f%z", "%H:%M:%S %z", "%I:%M %p",
                "%I:%M:%S %p",
            ].map {
                TypeCandidate(.datetime, "\(day) \($0)")
            }
        }
        + [
            "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%dT%H:%M:%S.%f%z", "%Y%m%dT%H%M%S", "%Y%m%d%H%M%S",
            "%a, %d %b %Y %H:%M:%S %z", "%d/%b/%Y:%H:%M:%S %z",
        ].map {
            TypeCandidate(.datetime, $0, atLeast: $0 == "%Y%m%d%H%M%S" ? 10 : 1)
        }
        // PostgreSQL omits the fraction of a timestamptz if it is 0.
        + [TypeCandidate("date-time space basic-offset")]
        + [TypeCandidate(.time), TypeCandidate(.time, "%H:%M"), TypeCandidate(.time, "%I:%M %p")]
        + [TypeCandidate(.yearmonth, atLeast: 2)]
}
