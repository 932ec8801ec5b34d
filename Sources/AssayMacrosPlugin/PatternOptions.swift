internal import CAssay
internal import SwiftSyntax

/// The options of a `#pattern`. They must be literal, because they determine the meaning of the text.
struct PatternOptions {
    /// The names of `Pattern.Options` with the bits of the C core. `icuSyntax` is not included, because the core has no
    /// bit for it.
    static let names: [String: Int] = [
        "caseInsensitive": ASSAY_PATTERN_CASE_INSENSITIVE, "unicodeClasses": ASSAY_PATTERN_UNICODE_CLASSES,
        "dotMatchesNewlines": ASSAY_PATTERN_DOT_ALL, "extended": ASSAY_PATTERN_EXTENDED,
        "multiline": ASSAY_PATTERN_MULTILINE,
        "search": ASSAY_PATTERN_SEARCH, "linearTime": ASSAY_PATTERN_LINEAR_TIME,
    ].mapValues { Int($0) }

    let bits: UInt32

    /// The source for the expansion: `, options: [.search, .dotMatchesNewlines]`, or empty.
    let source: String

    var isExtended: Bool { bits & UInt32(ASSAY_PATTERN_EXTENDED) != 0 }

    /// - Parameter expression: `.search`, `Pattern.Options.search`, or an array literal of such options.
    /// - Throws: A diagnostic at any other expression.
    init(_ expression: ExprSyntax?) throws {
        let elements =
            expression?.as(ArrayExprSyntax.self)?.elements.map(\.expression) ?? [expression].compactMap { $0 }
        var chosen: [String] = []
        var bits = 0
        for element in elements {
            let name = element.as(MemberAccessExprSyntax.self)?.declName.baseName.text
            guard let name, let bit = Self.names[name] else {
                throw Message.error(
                    "the options of #pattern must be written out, such as [.search, .dotMatchesNewlines]: "
                        + "the pattern is compiled with them, together with your code"
                ).at(element).thrown
            }
            chosen.append("." + name)
            bits |= bit
        }
        self.bits = UInt32(bits)
        source = chosen.isEmpty ? "" : ", options: [\(chosen.joined(separator: ", "))]"
    }
}
