@_spi(PluginMessage) internal import SwiftCompilerPluginMessageHandling
internal import SwiftDiagnostics
internal import SwiftSyntax

/// Makes diagnostics point to a character inside a string literal instead of to its start.
///
///     #pattern(#"(\d+"#)
///              ↑     ↑
///              │     the position for ``Message/at(_:in:)``
///              the position that swift-syntax sends
///
/// swift-syntax sends the compiler the start of a diagnostic's node instead of its position, and a literal has no nodes
/// inside (swiftlang/swift#80110). It sends the exact ranges of fix-its. The position is therefore sent as the range of
/// a fix-it, which this handler removes.
struct PlacingHandler<Inner: PluginMessageHandler>: PluginMessageHandler {
    private let inner: Inner

    init(_ inner: Inner) { self.inner = inner }

    func handleMessage(_ message: HostToPluginMessage) -> PluginToHostMessage {
        switch inner.handleMessage(message) {
        case .expandMacroResult(let source, let diagnostics):
            .expandMacroResult(expandedSource: source, diagnostics: diagnostics.map(placed))
        case .expandFreestandingMacroResult(let source, let diagnostics):
            .expandFreestandingMacroResult(expandedSource: source, diagnostics: diagnostics.map(placed))
        case let other: other
        }
    }

    func shutDown() throws { try inner.shutDown() }

    private func placed(_ diagnostic: PluginMessage.Diagnostic) -> PluginMessage.Diagnostic {
        guard let index = diagnostic.fixIts.firstIndex(where: { $0.message == Place.mark }) else { return diagnostic }
        var placed = diagnostic
        let range = placed.fixIts.remove(at: index).changes[0].range
        placed.position = .init(fileName: range.fileName, offset: range.startOffset)
        placed.highlights = range.startOffset < range.endOffset ? [range] : []
        return placed
    }
}

/// A fix-it that carries the position of a diagnostic to ``PlacingHandler``.
enum Place {
    static let mark = "place of the diagnostic"

    private struct Message: FixItMessage {
        let message = mark
        let fixItID = MessageID(domain: "Assay", id: "place")
    }

    static func fixIt(_ range: Range<AbsolutePosition>, in node: some SyntaxProtocol) -> FixIt {
        FixIt(message: Message(), changes: [.replaceText(range: range, with: "", in: Syntax(node))])
    }
}
