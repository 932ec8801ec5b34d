/// Options that extend the default profile of e-mail addresses.
public struct EmailOptions: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Accepts a quoted local part: `"anna lee"@example.org`.
    public static let quoted = EmailOptions(rawValue: 1)
    /// Accepts an IP address as the domain: `anna@[192.0.2.1]`.
    public static let ipLiteral = EmailOptions(rawValue: 2)
    /// Accepts any script, on both sides (RFC 6531, IDNA 2008).
    public static let unicode = EmailOptions(rawValue: 4)
    /// Accepts a domain of one label: `root@localhost`.
    public static let singleLabel = EmailOptions(rawValue: 8)
    /// Accepts a last label of digits only.
    public static let numericTLD = EmailOptions(rawValue: 16)
}
