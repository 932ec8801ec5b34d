internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxBuilder
internal import SwiftSyntaxMacros

/// A macro over a block of requirements. It becomes the function of `Requirement` that has its name.
///
///     #all { notEmpty; short }     →     _AssayRequirement.all { notEmpty; short }
protocol BlockMacro: ExpressionMacro {
    static var function: String { get }

    /// What an empty block would mean.
    static var emptyMeaning: String { get }
}

struct AllMacro: BlockMacro {
    static let function = "all"
    static let emptyMeaning = "confirm everything; write Requirement.always if you mean that"
}

struct AnyMacro: BlockMacro {
    static let function = "any"
    static let emptyMeaning = "confirm nothing; write Requirement.never(…) if you mean that"
}

struct NotMacro: BlockMacro {
    static let function = "not"
    static let emptyMeaning = "confirm nothing; write Requirement.never(…) if you mean that"
}

struct WhenMacro: BlockMacro {
    static let function = "when"
    static let emptyMeaning = "confirm everything; write Requirement.always if you mean that"
}

extension BlockMacro {
    static func expansion(
        of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> ExprSyntax {
        let written = node.trailingClosure ?? node.arguments.last?.expression.as(ClosureExprSyntax.self)
        if let block = written, block.statements.isEmpty {
            throw Message.error("the block of #\(function) is empty, which would \(emptyMeaning)").at(block).thrown
        }
        let patterns = NestedPatterns(context: context)
        let arguments = patterns.rewrite(node.arguments).cast(LabeledExprListSyntax.self)
        let block = node.trailingClosure.map { patterns.rewrite($0).cast(ClosureExprSyntax.self) }
        if let failure = patterns.failure { throw failure }
        let call = FunctionCallExprSyntax(
            calledExpression: "_AssayRequirement.\(raw: function)" as ExprSyntax, leftParen: node.leftParen?.trimmed,
            arguments: arguments, rightParen: node.rightParen?.trimmed,
            trailingClosure: block?.with(\.leadingTrivia, .space))
        return ExprSyntax(call)
    }
}

/// Expands the `#pattern`s of a block while they still stand in the user's file, so that their errors do, too. Left to the
/// compiler they would be expanded, and complained about, in the text that the macro around them makes.
private final class NestedPatterns<Context: MacroExpansionContext>: SyntaxRewriter {
    private let context: Context
    private var diagnostics: [Diagnostic] = []

    init(context: Context) { self.context = context }

    var failure: DiagnosticsError? { diagnostics.isEmpty ? nil : DiagnosticsError(diagnostics: diagnostics) }

    override func visit(_ node: MacroExpansionExprSyntax) -> ExprSyntax {
        guard node.macroName.text == "pattern" else { return super.visit(node) }
        do {
            return try PatternMacro.expansion(of: node, in: context)
                .with(\.leadingTrivia, node.leadingTrivia).with(\.trailingTrivia, node.trailingTrivia)
        } catch let error as DiagnosticsError {
            diagnostics += error.diagnostics
        } catch {
            diagnostics.append(Message.error("\(error)").at(node))
        }
        return ExprSyntax(node)
    }
}
