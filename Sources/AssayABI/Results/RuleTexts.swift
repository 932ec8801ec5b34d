internal import Assay
internal import AssayEvaluation
internal import CAssayABI

/// The texts of a rule's findings as C strings.
final class RuleTexts: Sendable {
    let rule: ReportedRule
    let column: CText?
    let id: CText
    private let code: CText
    private let message: CText
    private let reasonMessages: [CText]
    private let undecidedMessage: CText
    private let exhaustedMessages: [CText]
    private let relationCode: CText
    /// The messages about records that are rejected because of another record, by its number. They are created on
    /// demand and kept, because C may keep pointers to them.
    private let takenMessages = Lock<[UInt64: CText]>([:])
    private let forks = Forks.count

    init(_ rule: ReportedRule) {
        self.rule = rule
        column = rule.column.map { CText($0) }
        id = CText(rule.id)
        code = CText(rule.code)
        message = CText(rule.message)
        reasonMessages = rule.reasonMessages.map { CText($0) }
        undecidedMessage =
            rule.undecidedMessage == FindingText.undecided ? Self.undecided : CText(rule.undecidedMessage)
        exhaustedMessages = rule.exhaustedMessages.map { CText($0) }
        relationCode = CText(rule.relation.code)
    }

    private static let undecided = CText(FindingText.undecided)
    private static let undecidedCode = CText(ReportedRule.undecidedCode)

    func code(_ kind: FindingKind) -> CText {
        if kind.isUndecided { return Self.undecidedCode }
        return kind.holder ?? 0 == 0 ? code : relationCode
    }

    func message(_ kind: FindingKind) -> CText {
        if let resource = kind.exhausted { return exhaustedMessages[resource.rawValue] }
        if kind.isUndecided { return undecidedMessage }
        if let holder = kind.holder, holder != 0 { return takenMessage(holder) }
        return kind.failureReason.map { reasonMessages[$0] } ?? message
    }

    private func takenMessage(_ holder: UInt64) -> CText {
        if forks == Forks.count { return takenMessages.withLock { takenMessage(holder, &$0) } }
        // In a child process, another thread may have held the lock when the process was forked. The text must then
        // outlive this object, because C may keep a pointer.
        return takenMessages.withLockIfAvailable { takenMessage(holder, &$0) }
            ?? Unmanaged.passRetained(CText(rule.relation.message(record: holder))).takeUnretainedValue()
    }

    private func takenMessage(_ holder: UInt64, _ made: inout [UInt64: CText]) -> CText {
        if let text = made[holder] { return text }
        let text = CText(rule.relation.message(record: holder))
        made[holder] = text
        return text
    }

    var isReject: Bool { rule.severity == .reject }
    var cSeverity: assay_finding_severity { isReject ? ASSAY_SEVERITY_REJECT : ASSAY_SEVERITY_WARN }
}

/// The rules of a column that precede its own: the encoding and the length of values.
enum ValueRule {
    static let misencoded = 0
    static let tooLong = 1
    static let count = 2

    /// The rules of a column, in reported order.
    static func all(before schema: BoundSchema, of column: String, longest: Int, limits: MatchLimits) -> [RuleTexts] {
        let own = [
            ReportedRule.encoding(column: column),
            .tooLong(column: column, over: longest, limit: "field-bytes"),
        ]
        return (own + ReportedRule.all(of: schema, limits: limits)).map { RuleTexts($0) }
    }
}
