@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import Testing

@testable import AssayMacrosPlugin

@Suite("The plug-in, as the compiler talks to it")
struct PluginTests {
    private func answer(_ source: String, type: String = "PatternMacro", protocolVersion: Int? = 7)
        -> PluginToHostMessage
    {
        let handler = PlacingHandler(PluginProviderMessageHandler(provider: Plugin()))
        if let protocolVersion {
            _ = handler.handleMessage(.getCapability(capability: .init(protocolVersion: protocolVersion)))
        }
        return handler.handleMessage(
            .expandFreestandingMacro(
                macro: .init(moduleName: "AssayMacrosPlugin", typeName: type, name: "pattern"), macroRole: .expression,
                discriminator: "$s",
                syntax: .init(
                    kind: .expression, source: source,
                    location: .init(fileID: "App/a.swift", fileName: "/a.swift", offset: 1000, line: 9, column: 5)),
                lexicalContext: []))
    }

    @Test("an error is at its character in the file", arguments: [7, nil])
    func place(protocolVersion: Int?) throws {
        let diagnostics: [PluginMessage.Diagnostic]
        switch answer(#"#pattern("\u{20AC}a)b")"#, protocolVersion: protocolVersion) {
        case .expandMacroResult(nil, let found), .expandFreestandingMacroResult(nil, let found): diagnostics = found
        case let other:
            Issue.record("\(other)")
            return
        }
        let diagnostic = try #require(diagnostics.first)
        #expect(diagnostics.count == 1)
        #expect(diagnostic.message == "this pattern does not compile: unmatched closing parenthesis")
        #expect(diagnostic.severity == .error)
        #expect(diagnostic.position.fileName == "/a.swift")
        #expect(diagnostic.position.offset == 1019)
        #expect(diagnostic.highlights.map { $0.startOffset..<$0.endOffset } == [1019..<1020])
        #expect(diagnostic.fixIts.isEmpty)
    }

    @Test("at the end of a literal there is no text to highlight")
    func end() throws {
        guard case .expandMacroResult(nil, let diagnostics) = answer(#"#pattern("(a")"#) else { throw Unexpected() }
        #expect(diagnostics.map(\.position.offset) == [1012])
        #expect(diagnostics.map(\.highlights.count) == [0])
    }

    @Test("warnings come with the expansion")
    func warning() throws {
        guard case .expandMacroResult(let source, let diagnostics) = answer(##"#pattern(#"a{,3}"#)"##) else {
            throw Unexpected()
        }
        #expect(source == #"_AssayPattern._shared(literal: "a{,3}")"#)
        #expect(diagnostics.map(\.severity) == [.warning])
        #expect(diagnostics.map(\.position.offset) == [1012])
    }

    @Test("other diagnostics stay where they were")
    func untouched() throws {
        guard case .expandMacroResult(nil, let diagnostics) = answer("#all { }", type: "AllMacro") else {
            throw Unexpected()
        }
        #expect(diagnostics.map(\.position.offset) == [1005])
    }

    @Test("a macro that is not there is an error with its name")
    func unknown() throws {
        guard case .expandMacroResult(nil, let diagnostics) = answer("#x", type: "XMacro") else { throw Unexpected() }
        #expect(diagnostics.map(\.message) == ["this plug-in of Assay has no macro AssayMacrosPlugin.XMacro"])
    }

    private struct Unexpected: Error {}
}
