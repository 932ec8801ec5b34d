internal import SwiftDiagnostics
internal import SwiftSyntax

/// A diagnostic message of a macro.
struct Message: DiagnosticMessage {
    let message: String
    let severity: DiagnosticSeverity

    var diagnosticID: MessageID { MessageID(domain: "Assay", id: "\(severity)") }

    static func error(_ message: String) -> Message { Message(message: message, severity: .error) }
    static func warning(_ message: String) -> Message { Message(message: message, severity: .warning) }

    /// The diagnostic at the start of a node.
    func at(_ node: some SyntaxProtocol) -> Diagnostic { Diagnostic(node: node, message: self) }

    /// The diagnostic at a range inside a node.
    func at(_ range: Range<AbsolutePosition>, in node: some SyntaxProtocol) -> Diagnostic {
        Diagnostic(
            node: node, position: range.lowerBound, message: self, highlights: [],
            fixIts: [Place.fixIt(range, in: node)])
    }
}

extension Diagnostic {
    /// This diagnostic as an error, which stops the expansion.
    var thrown: DiagnosticsError { DiagnosticsError(diagnostics: [self]) }
}
