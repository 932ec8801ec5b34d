internal import SwiftDiagnostics
internal import SwiftSyntax

/// What the compiler says to the user.
struct Message: DiagnosticMessage {
    let message: String
    let severity: DiagnosticSeverity

    var diagnosticID: MessageID { MessageID(domain: "Assay", id: "\(severity)") }

    static func error(_ message: String) -> Message { Message(message: message, severity: .error) }
    static func warning(_ message: String) -> Message { Message(message: message, severity: .warning) }

    /// At the start of a node.
    func at(_ node: some SyntaxProtocol) -> Diagnostic { Diagnostic(node: node, message: self) }

    /// At a range inside a node.
    func at(_ range: Range<AbsolutePosition>, in node: some SyntaxProtocol) -> Diagnostic {
        Diagnostic(
            node: node, position: range.lowerBound, message: self, highlights: [],
            fixIts: [Place.fixIt(range, in: node)])
    }
}

extension Diagnostic {
    /// This diagnostic as an error to throw: the macro is not expanded.
    var thrown: DiagnosticsError { DiagnosticsError(diagnostics: [self]) }
}
