internal import CAssay
internal import SwiftSyntax

/// The options of a `#pattern`, which must be written out: they decide what the text means.
struct PatternOptions {
    /// The names of `Pattern.Options`, with the bits that the C core gives them. It does not know ICU's words.
    static let names: [String: Int] = [
        "caseInsensitive": ASSAY_PATTERN_CASE_INSENSITIVE, "unicodeClasses": ASSAY_PATTERN_UNICODE_CLASSES,
        "dotMatchesNewlines": ASSAY_PATTERN_DOT_ALL, "extended": ASSAY_PATTERN_EXTENDED,
        "multiline": ASSAY_PATTERN_MULTILINE,
        "search": ASSAY_PATTERN_SEARCH,
    ].mapValues { Int($0) }

    let bits: UInt32

    /// As they go into the expansion: `[.search, .dotMatchesNewlines]`, or nothing.
    let source: String

    var isExtended: Bool { bits & UInt32(ASSAY_PATTERN_EXTENDED) != 0 }

    /// - Parameter expression: `.search`, `Pattern.Options.search` or a list of them in brackets.
    /// - Throws: a diagnostic at whatever is something else.
    init(_ expression: ExprSyntax?) throws {
        let elements =
            expression?.as(ArrayExprSyntax.self)?.elements.map(\.expression) ?? [expression].compactMap { $0 }
        var chosen: [String] = []
        var bits = 0
        for element in elements {
            let name = element.as(MemberAccessExprSyntax.self)?.declName.baseName.text
            if name == "icuSyntax" {
                throw Message.error(
                    "#pattern is in PCRE2's words; a pattern in ICU's words is translated at run time: "
                        + "`try Pattern(…, dialect: .icu)`"
                ).at(element).thrown
            }
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
