/// A question that a rule file can ask, too.
protocol CheckNode: RequirementNode {
    var question: Check { get }
    var failure: Reason { get }
}

extension CheckNode {
    var check: Check? { question }
    var outline: RequirementTrace { RequirementTrace(name: failure.rule ?? "check") }
    var words: Words { question.words }
}

/// The node that asks a check of a text.
///
/// - Throws: when a pattern, format or bound in it is wrong.
func textNode(_ check: Check) throws(CompileError) -> any RequirementNode<String> {
    switch check {
    case .pattern(let source, let options):
        return PatternNode(try PatternCache.shared.pattern(source, options: options))
    case .length(let min, let max, let unit):
        _ = try CompiledCheck(check)
        return LengthNode(min: min, max: max, unit: unit)
    case .oneOf([], _), .not(.all([])):
        // Nothing can pass: one node for all the ways to say so.
        return AnyNode([])
    case .type, .oneOf, .range:
        return CompiledNode(try CompiledCheck(check))
    case .all(let checks):
        var children: [Requirement<String>] = []
        for check in checks { children.append(Requirement(try textNode(check))) }
        return AllNode(children)
    case .any(let checks):
        var children: [Requirement<String>] = []
        for check in checks { children.append(Requirement(try textNode(check))) }
        return AnyNode(children)
    case .not(let check):
        return NotNode(Requirement(try textNode(check)))
    case .when(let condition, let then):
        return WhenNode(Requirement(try textNode(condition)), then: Requirement(try textNode(then)))
    }
}

/// A pattern, which is asked without detours.
final class PatternNode: CheckNode {
    let pattern: Pattern
    let question: Check
    let failure: Reason

    init(_ pattern: Pattern) {
        self.pattern = pattern
        question = .pattern(pattern.source, options: pattern.options)
        failure = Reason(failing: question)
    }

    func evaluate(_ value: String) -> Evaluation { Evaluation(pattern.verdict(of: value), failure) }
}

/// How long a text is.
final class LengthNode: CheckNode {
    let min: Int
    let max: Int
    let unit: LengthUnit
    let question: Check
    let failure: Reason

    init(min: Int?, max: Int?, unit: LengthUnit) {
        self.min = min ?? 0
        self.max = max ?? .max
        self.unit = unit
        question = .length(min: min, max: max, unit: unit)
        failure = Reason(failing: question)
    }

    func evaluate(_ value: String) -> Evaluation {
        let bytes = value.utf8.count
        // Nothing has more units of any kind than bytes; what is not empty has one.
        if bytes < min { return .failed(reason: failure) }
        if bytes <= max && min <= 1 { return .confirmed }
        let count = count(value, bytes)
        return count < min || count > max ? .failed(reason: failure) : .confirmed
    }

    private func count(_ value: String, _ bytes: Int) -> Int {
        if unit == .utf8 || isPlainASCII(value) { return bytes }
        switch unit {
        case .characters: return value.count
        case .scalars: return value.unicodeScalars.count
        case .utf16: return value.utf16.count
        case .utf8: return bytes
        }
    }
}

/// Whether every byte of a text is a character: ASCII without CR, which is one character with the LF that follows.
private func isPlainASCII(_ text: String) -> Bool {
    withUTF8(of: text) { bytes in
        var high: UInt8 = 0
        var hasReturn = false
        for byte in bytes {
            high |= byte
            hasReturn = hasReturn || byte == UInt8(ascii: "\r")
        }
        return high < 0x80 && !hasReturn
    }
}

/// Any other question about a text.
final class CompiledNode: CheckNode {
    let compiled: CompiledCheck
    let failure: Reason

    init(_ compiled: CompiledCheck) {
        self.compiled = compiled
        failure = Reason(failing: compiled.description)
    }

    var question: Check { compiled.description }

    func evaluate(_ value: String) -> Evaluation {
        let verdict = compiled.verdict(of: value)
        guard verdict == .fail, let flaw = compiled.flaw(of: value) else { return Evaluation(verdict, failure) }
        return .failed(reason: failure.explained(by: flaw))
    }
}

/// A question about the text of a value that is not a text itself, as rule files ask it.
final class CellNode<Value: CellValue>: RequirementNode {
    let text: any RequirementNode<String>

    init(_ text: any RequirementNode<String>) { self.text = text }

    func evaluate(_ value: Value) -> Evaluation { text.evaluate(value.cellText) }

    func collect(_ value: Value, into failures: inout Failures) { text.collect(value.cellText, into: &failures) }

    func trace(_ value: Value, limit: FailurePolicy) -> RequirementTrace { text.trace(value.cellText, limit: limit) }

    var outline: RequirementTrace { text.outline }
    var words: Words { text.words }
    var check: Check? { text.check }
    var rules: [RequirementRule]? { text.rules }
}

extension Evaluation {
    /// What a verdict of the C core means.
    @inline(__always)
    init(_ verdict: Verdict, _ failure: Reason) {
        switch verdict {
        case .pass: self = .confirmed
        case .fail: self = .failed(reason: failure)
        case .undecided: self = .failed(reason: .limit)
        }
    }
}
