/// A requirement that is also a check of rule files.
protocol CheckNode: UTF8Evaluator, RequirementNode {
    var definition: Check { get }
    var failure: Reason { get }

    /// The same node with another reason.
    func failing(with failure: Reason) -> Self
}

extension CheckNode {
    var expression: RuleExpression? { .check(definition) }
    var traceSkeleton: RequirementTrace { RequirementTrace(name: failure.rule ?? "check") }
    var phrase: Phrase { definition.phrase }
}

/// The node that evaluates a check on a text.
///
/// - Throws: If a pattern, format or bound of the check is invalid.
func textNode(_ check: Check) throws(CompileError) -> any RequirementNode<String> {
    switch check {
    case .matches(let source, let options):
        return PatternNode(try PatternCache.shared.pattern(source, options: options))
    case .length(let min, let max, let unit):
        return LengthNode(try CompiledCheck(check), min: min, max: max, unit: unit)
    case .oneOf([], _), .not(.all([])):
        // No text can pass: one node for all the ways to express this.
        return GroupNode(.or, [])
    case .type, .count, .oneOf, .range, .multiple, .jsonType:
        return CompiledNode(try CompiledCheck(check))
    case .all(let checks):
        return GroupNode(.and, try textRequirements(checks))
    case .any(let checks) where checks.count == 1:
        return try textNode(checks[0])
    case .any(let checks):
        return GroupNode(.or, try textRequirements(checks))
    case .not(let check):
        return NotNode(Requirement(try textNode(check)))
    case .when(let condition, let then):
        return WhenNode(Requirement(try textNode(condition)), then: Requirement(try textNode(then)))
    }
}

private func textRequirements(_ checks: [Check]) throws(CompileError) -> [Requirement<String>] {
    var requirements: [Requirement<String>] = []
    for check in checks { requirements.append(Requirement(try textNode(check))) }
    return requirements
}

/// A pattern, which is evaluated directly instead of through a compiled check.
final class PatternNode: CheckNode {
    let pattern: Pattern
    let definition: Check
    let failure: Reason

    convenience init(_ pattern: Pattern) {
        self.init(pattern, Reason(failing: .matches(pattern: pattern.source, options: pattern.options)))
    }

    private init(_ pattern: Pattern, _ failure: Reason) {
        self.pattern = pattern
        definition = .matches(pattern: pattern.source, options: pattern.options)
        self.failure = failure
    }

    func failing(with failure: Reason) -> PatternNode { PatternNode(pattern, failure) }

    var columnNode: Node? { .leaf(Leaf(pattern)) }

    func evaluate(_ value: String, _ utf8: UnsafeBufferPointer<UInt8>) -> Evaluation {
        Evaluation(pattern.verdict(of: utf8), failure)
    }
}

/// The length of a text.
final class LengthNode: CheckNode {
    let compiled: CompiledCheck
    let min: Int
    let max: Int
    let unit: LengthUnit
    let failure: Reason

    convenience init(_ compiled: CompiledCheck, min: Int?, max: Int?, unit: LengthUnit) {
        self.init(compiled, min: min ?? 0, max: max ?? .max, unit, Reason(failing: compiled.description))
    }

    private init(_ compiled: CompiledCheck, min: Int, max: Int, _ unit: LengthUnit, _ failure: Reason) {
        self.compiled = compiled
        self.min = min
        self.max = max
        self.unit = unit
        self.failure = failure
    }

    var definition: Check { compiled.description }

    var columnNode: Node? { compiled.node }

    func failing(with failure: Reason) -> LengthNode { LengthNode(compiled, min: min, max: max, unit, failure) }

    func evaluate(_ value: String, _ utf8: UnsafeBufferPointer<UInt8>) -> Evaluation {
        let bytes = utf8.count
        // A text has at least as many bytes as units of any kind, and a non-empty text has at least one unit.
        if bytes < min { return .failed(reason: failure) }
        if bytes <= max && min <= 1 { return .confirmed }
        let count = count(value, utf8)
        return count < min || count > max ? .failed(reason: failure) : .confirmed
    }

    private func count(_ value: String, _ utf8: UnsafeBufferPointer<UInt8>) -> Int {
        if unit == .utf8 || isPlainASCII(utf8) { return utf8.count }
        switch unit {
        case .characters: return value.count
        case .scalars: return value.unicodeScalars.count
        case .utf16: return value.utf16.count
        case .utf8: return utf8.count
        }
    }
}

/// Whether every byte of a text is one character: ASCII without CR, because CR LF is one character.
private func isPlainASCII(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var high: UInt8 = 0
    var hasReturn = false
    for byte in text {
        high |= byte
        hasReturn = hasReturn || byte == UInt8(ascii: "\r")
    }
    return high < 0x80 && !hasReturn
}

/// Any other check of a text.
final class CompiledNode: CheckNode {
    let compiled: CompiledCheck
    let failure: Reason
    /// Whether the reason may name the failure reason of the value. A custom message replaces the whole text.
    private let namesFailureReasons: Bool

    convenience init(_ compiled: CompiledCheck) {
        self.init(compiled, Reason(failing: compiled.description), namesFailureReasons: true)
    }

    private init(_ compiled: CompiledCheck, _ failure: Reason, namesFailureReasons: Bool) {
        self.compiled = compiled
        self.failure = failure
        self.namesFailureReasons = namesFailureReasons
    }

    var definition: Check { compiled.description }

    var columnNode: Node? { compiled.node }

    func failing(with failure: Reason) -> CompiledNode { CompiledNode(compiled, failure, namesFailureReasons: false) }

    func evaluate(_ value: String, _ utf8: UnsafeBufferPointer<UInt8>) -> Evaluation {
        let verdict = compiled.verdict(of: utf8)
        guard namesFailureReasons, verdict == .fail, let failureReason = compiled.failureReason(of: value) else {
            return Evaluation(verdict, failure)
        }
        return .failed(reason: failure.explained(by: failureReason))
    }
}

/// A check on the text of a value of another type, with the semantics of rule files.
final class CellNode<Value: CellConvertible>: RequirementNode {
    let text: any RequirementNode<String>

    init(_ text: any RequirementNode<String>) { self.text = text }

    func evaluate(_ value: Value) -> Evaluation { text.evaluate(value.cellText) }

    func collect(_ value: Value, into failures: inout Failures) { text.collect(value.cellText, into: &failures) }

    func trace(_ value: Value, limit: FailurePolicy) -> RequirementTrace { text.trace(value.cellText, limit: limit) }

    var traceSkeleton: RequirementTrace { text.traceSkeleton }
    var phrase: Phrase { text.phrase }
    var expression: RuleExpression? { text.expression }
    var depth: Int { 1 + text.depth }
}

extension Evaluation {
    /// The evaluation for a verdict of the C core.
    @inline(__always)
    init(_ verdict: Verdict, _ failure: Reason) {
        switch verdict {
        case .pass: self = .confirmed
        case .fail: self = .failed(reason: failure)
        case .undecided: self = .failed(reason: .limit)
        }
    }
}
