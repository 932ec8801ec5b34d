/// What an e-mail address may have beyond the default profile.
public struct EmailOptions: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A local part in quotes: `"anna lee"@example.org`.
    public static let quoted = EmailOptions(rawValue: 1)
    /// An address for the domain: `anna@[192.0.2.1]`.
    public static let ipLiteral = EmailOptions(rawValue: 2)
    /// Any script, on both sides (RFC 6531, IDNA 2008).
    public static let unicode = EmailOptions(rawValue: 4)
    /// A domain of one label: `root@localhost`.
    public static let singleLabel = EmailOptions(rawValue: 8)
    /// A last label of digits only.
    public static let numericTLD = EmailOptions(rawValue: 16)
}
