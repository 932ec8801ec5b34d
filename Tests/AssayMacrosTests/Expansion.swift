import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

@testable import AssayMacrosPlugin

/// The expansion of macros in a source, and their diagnostics.
struct Expansion {
    let source: String

    /// Such as `1:14 error: …`, in the order of the source.
    let diagnostics: [String]

    init(_ original: String) {
        let file = Parser.parse(source: original)
        let context = BasicMacroExpansionContext(
            sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "test.swift")])
        let expanded = file.expand(
            macros: [
                "all": AllMacro.self, "any": AnyMacro.self, "not": NotMacro.self, "when": WhenMacro.self,
                "pattern": PatternMacro.self,
            ],
            contextGenerator: {
                BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
            }, indentationWidth: .spaces(4))
        source = expanded.description
        diagnostics = context.diagnostics.map { diagnostic in
            let location = context.location(
                for: diagnostic.position, anchoredAt: diagnostic.node, fileName: "test.swift")
            return "\(location.line):\(location.column) \(diagnostic.diagMessage.severity): \(diagnostic.message)"
        }
    }
}
