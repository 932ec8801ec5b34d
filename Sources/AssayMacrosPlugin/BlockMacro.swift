internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxBuilder
internal import SwiftSyntaxMacros

/// A macro over a block of requirements. It expands to the function of `Requirement` with the same name.
///
///     #all { notEmpty; short }     →     _AssayRequirement.all { notEmpty; short }
protocol BlockMacro: ExpressionMacro {
    static var function: String { get }

    /// The effect of an empty block, for the error message.
    static var emptyMeaning: String { get }
}

struct AllMacro: BlockMacro {
    static let function = "all"
    static let emptyMeaning = "confirm everything; write Requirement.always if you mean that"
}

struct AnyMacro: BlockMacro {
    static let function = "any"
    static let emptyMeaning = "never confirm a value; write Requirement.never(…) if you mean that"
}

struct NotMacro: BlockMacro {
    static let function = "not"
    static let emptyMeaning = "never confirm a value; write Requirement.never(…) if you mean that"
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

/// Expands the `#pattern`s of a block before the macro around them, so that their errors appear in the user's file.
/// Otherwise, the compiler would expand them, and report errors, in the expansion of the outer macro.
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
