// Requirements for the built-in types. `BuiltInType.profile` and Docs/types.md name the standard of each type.
extension Requirement where Value == String {
    /// A built-in type by name, with its options in the syntax of rule files.
    private static func builtIn(_ name: String, _ options: [String?] = []) -> Self {
        text(.type(ValueType(.string, format: ([name] + options.compactMap { $0 }).joined(separator: " "))))
    }

    private static func option(_ name: String, _ isGiven: Bool) -> String? { isGiven ? name : nil }

    private static func option(_ name: String, _ number: Int?) -> String? { number.map { "\(name)=\($0)" } }

    private static func option(_ name: String, _ words: [String]) -> String? {
        words.isEmpty ? nil : "\(name)=" + words.joined(separator: ",")
    }
}

// MARK: - The network

extension Requirement where Value == String {
    /// An e-mail address (RFC 5321): `anna.lee@example.org`.
    public static func email(_ options: EmailOptions = []) -> Self {
        builtIn(
            "email",
            [
                option("quoted", options.contains(.quoted)), option("ip-literal", options.contains(.ipLiteral)),
                option("unicode", options.contains(.unicode)), option("single-label", options.contains(.singleLabel)),
                option("numeric-tld", options.contains(.numericTLD)),
            ])
    }

    /// A public web address: `https://www.example.org/a?b=c`. `schemes` are in lower case. `ip` accepts public IP
    /// addresses as hosts, and `privateIP` accepts all IP addresses. If `port` is false, a URL with a port is rejected.
    public static func url(
        schemes: [String] = [], credentials: Bool = false, localhost: Bool = false, ip: Bool = false,
        privateIP: Bool = false, unicode: Bool = false, port: Bool = true
    ) -> Self {
        builtIn(
            "url",
            [
                option("schemes", schemes), option("credentials", credentials), option("localhost", localhost),
                option("ip", ip), option("private", privateIP), option("idn", unicode), option("unicode", unicode),
                option("no-port", !port),
            ])
    }

    /// A URI with its scheme (RFC 3986).
    public static func uri() -> Self { builtIn("uri") }

    /// A host name (RFC 1123); with `unicode`, an internationalized one (IDNA 2008).
    public static func hostname(unicode: Bool = false) -> Self { builtIn(unicode ? "idn-hostname" : "hostname") }

    /// A host name below a public suffix: `example.co.uk`, but not `co.uk`.
    public static func domain() -> Self { builtIn("domain") }

    /// An IPv4 or IPv6 address.
    public static func ip() -> Self { builtIn("ip") }

    /// An IPv4 address: four numbers without leading zeros.
    public static func ipv4() -> Self { builtIn("ipv4") }

    /// An IPv6 address (RFC 4291).
    public static func ipv6(zone: Bool = false) -> Self { builtIn("ipv6", [option("zone", zone)]) }

    /// A network: address, slash, prefix length. With `network`, all bits after the prefix must be zero.
    public static func cidr(network: Bool = false) -> Self { builtIn("cidr", [option("network", network)]) }

    /// A MAC address, with colons or hyphens.
    public static func mac() -> Self { builtIn("mac") }
}

// MARK: - Identifiers and times

extension Requirement where Value == String {
    /// A UUID (RFC 9562) of one of these versions; with an empty list, of any version, including nil and max.
    public static func uuid(versions: [Int] = []) -> Self {
        builtIn("uuid", [option("version", versions.map(String.init))])
    }

    /// A ULID.
    public static func ulid() -> Self { builtIn("ulid") }

    /// A semantic version: `1.4.0-rc.1`.
    public static func semanticVersion() -> Self { builtIn("semver") }

    /// Lower-case letters and digits, separated by single hyphens.
    public static func slug() -> Self { builtIn("slug") }

    /// A day of the calendar as `YYYY-MM-DD` (RFC 3339).
    public static func date() -> Self { builtIn("date") }

    /// A date of birth for an age from `minAge` to `maxAge` years. `on` is the reference date, `YYYY-MM-DD`; the
    /// default is the UTC date on which the requirement is created.
    public static func birthDate(minAge: Int? = nil, maxAge: Int? = nil, on day: String? = nil) -> Self {
        builtIn("date", [option("min-age", minAge ?? 0), option("max-age", maxAge), day.map { "on=\($0)" }])
    }

    /// A time with its offset (RFC 3339).
    public static func time() -> Self { builtIn("time") }

    /// A date and time with its offset (RFC 3339).
    public static func dateTime() -> Self { builtIn("date-time") }

    /// A duration: `P1DT12H`.
    public static func duration() -> Self { builtIn("duration") }

    /// The name of a time zone: `Europe/Berlin`.
    public static func timeZone() -> Self { builtIn("time-zone") }
}

// MARK: - Money and trade

extension Requirement where Value == String {
    /// A payment card number, digits only, with the Luhn check digit and the prefix and length of a brand (`visa`,
    /// `mastercard`, `amex` …).
    public static func card(brands: [String] = []) -> Self { builtIn("card", [option("brand", brands)]) }

    /// An IBAN without spaces, with the length and structure of its country and its check digits.
    public static func iban(countries: [String] = []) -> Self { builtIn("iban", [option("country", countries)]) }

    /// A BIC of eight or eleven characters.
    public static func bic() -> Self { builtIn("bic") }

    /// An ISIN with its check digit.
    public static func isin() -> Self { builtIn("isin") }

    /// An LEI with its check digits.
    public static func lei() -> Self { builtIn("lei") }

    /// An ISBN of ten or thirteen digits.
    public static func isbn(hyphens: Bool = false) -> Self { builtIn("isbn", [option("hyphens", hyphens)]) }

    /// An ISSN, with its hyphen.
    public static func issn() -> Self { builtIn("issn") }

    /// A GTIN of 8, 12, 13 or 14 digits.
    public static func gtin() -> Self { builtIn("gtin") }

    /// A decimal number with the limits of SQL's `NUMERIC(precision, scale)`.
    public static func decimal(precision: Int? = nil, scale: Int? = nil) -> Self {
        builtIn("decimal", [option("precision", precision), option("scale", scale)])
    }
}

// MARK: - Places and people

extension Requirement where Value == String {
    /// A country code of ISO 3166-1 alpha-2, in capitals.
    public static func country() -> Self { builtIn("country") }

    /// A currency code of ISO 4217, in capitals.
    public static func currency() -> Self { builtIn("currency") }

    /// A language tag of BCP 47.
    public static func languageTag(registered: Bool = false) -> Self {
        builtIn("language-tag", [option("registered", registered)])
    }

    /// A postal code of one of these countries.
    public static func postalCode(countries: [String]) -> Self {
        builtIn("postal-code", [option("country", countries)])
    }

    /// A telephone number in the E.164 format. With regions, a number in one of their numbering plans.
    public static func phone(regions: [String] = [], mobile: Bool = false) -> Self {
        builtIn("phone", [option("region", regions), option("mobile", mobile)])
    }

    /// The name of a person: at least one letter of any script, and no invisible characters.
    public static func personName() -> Self { builtIn("person-name") }

    /// A password that NIST SP 800-63B accepts: from `min` to `max` characters, and not a common password.
    public static func password(min: Int = 8, max: Int = 128) -> Self {
        builtIn("password", [option("min", min), option("max", max)])
    }

    /// Text without control characters and invisible characters; with `lines`, on several lines.
    public static func plainText(lines: Bool = false) -> Self { builtIn("text", [option("lines", lines)]) }

    /// JSON (RFC 8259).
    public static func json() -> Self { builtIn("json") }

    /// Base64 with padding (RFC 4648).
    public static func base64() -> Self { builtIn("base64") }
}
