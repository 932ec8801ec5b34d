internal import CAssay

/// A type that texts can have beyond the types of Table Schema, such as an e-mail address or an IBAN, and what truth it
/// follows.
///
///     {name: account, format: iban country=DE}             in a rule file
///     Requirement<String>.iban(countries: ["DE"])          in Swift
///     ValueType(.string, format: "iban country=DE")        as data
///
/// What stands after the name are its options, with a space before each. A description: plain data. The table behind it
/// is in the C core (`builtin_table.c`) and the same for every language.
public struct BuiltInType: Hashable, Sendable, Codable, Identifiable {
    /// The name in `format:`, such as `iban`.
    public var name: String

    /// With its article, as in "is not an IBAN".
    public var displayName: String

    /// The standard, and what is taken from it.
    public var profile: String

    /// A value that passes.
    public var example: String

    /// What may follow the name; empty: nothing.
    public var options: String

    /// The packaged table that membership is looked up in; empty: there is none.
    public var source: String

    /// The edition of that table, such as `2025b`.
    public var edition: String

    /// Its canonical form in a few words, which ``Repair/canonical(_:)`` brings values to; empty: it has none, or no other.
    public var canonicalForm: String

    public var id: String { name }

    /// All of them, in the order in which people read about them.
    public static let all: [BuiltInType] = {
        var all: [BuiltInType] = []
        while let info = assay_builtin_at(all.count) { all.append(BuiltInType(info.pointee)) }
        return all
    }()

    /// The type that a format such as `iban country=DE` names; `nil` if there is none.
    public static func named(_ format: String) -> BuiltInType? {
        withCTexts([format]) { assay_builtin_find($0[0]).map { BuiltInType($0.pointee) } }
    }

    private init(_ info: assay_builtin_info) {
        name = String(cString: info.name)
        displayName = String(cString: info.display_name)
        profile = String(cString: info.profile)
        example = String(cString: info.example)
        options = String(cString: info.options)
        source = String(cString: info.source)
        edition = String(cString: info.edition)
        canonicalForm = withCTexts([name]) { String(cString: assay_canonical_form($0[0])) }
    }
}
