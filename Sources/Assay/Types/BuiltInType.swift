internal import CAssay

/// A type of texts beyond those of Table Schema, such as an e-mail address or an IBAN, with the standard that it
/// follows.
///
///     {name: account, format: iban country=DE}             in a rule file
///     Requirement<String>.iban(countries: ["DE"])          in Swift
///     ValueType(.string, format: "iban country=DE")        as data
///
/// Options follow the name, each after a space. A description: plain data. Its table is in the C core
/// (`builtin_table.c`) and is the same for every language.
public struct BuiltInType: Hashable, Sendable, Codable, Identifiable {
    /// The name in `format:`, such as `iban`.
    public var name: String

    /// The name with its article, as in "is not an IBAN".
    public var displayName: String

    /// The standard and the supported part.
    public var profile: String

    /// A value that passes.
    public var example: String

    /// The possible options; empty if there are none.
    public var options: String

    /// The packaged table for lookups; empty if there is none.
    public var source: String

    /// The edition of that table, such as `2025b`.
    public var edition: String

    /// A short description of the canonical form, for ``Repair/canonical(_:)``; empty if the type has no canonical form
    /// or accepts only that form.
    public var canonicalForm: String

    public var id: String { name }

    /// All built-in types, in documentation order.
    public static let all: [BuiltInType] = {
        var all: [BuiltInType] = []
        while let info = assay_builtin_at(all.count) { all.append(BuiltInType(info.pointee)) }
        return all
    }()

    /// The type in a format such as `iban country=DE`; `nil` if there is no such type.
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
