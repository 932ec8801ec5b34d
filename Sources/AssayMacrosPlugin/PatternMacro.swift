internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxBuilder
internal import SwiftSyntaxMacros

/// `#pattern("…")`: checks the literal with PCRE2 and expands to a pattern that is compiled once.
struct PatternMacro: ExpressionMacro {
    static func expansion(
        of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> ExprSyntax {
        guard let literal = node.arguments.first?.expression.as(StringLiteralExprSyntax.self) else {
            throw Message.error(
                "#pattern needs a string literal; a text that is known at run time only goes to `try Pattern(…)`"
            ).at(node.arguments).thrown
        }
        let text = try LiteralText(literal)
        let options = try PatternOptions(node.arguments.dropFirst().first?.expression)
        if let mistake = PatternMistake(in: text.bytes, options: options) {
            throw Message.error(mistake.message).at(text.place(of: mistake.offset), in: literal).thrown
        }
        for construct in ForeignConstruct.all(in: text.bytes, isExtended: options.isExtended) {
            context.diagnose(Message.warning(construct.advice).at(text.place(of: construct.offset), in: literal))
        }
        return "_AssayPattern._shared(literal: \(raw: LiteralText.source(of: text.text) + options.source))"
    }
}
