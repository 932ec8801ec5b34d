internal import Assay
internal import AssayFiles
internal import CAssayABI

/// What is said of a finding, the same for every row, in texts that C can read.
///
/// A column's rules are reported after two of our own, which say what the value is before anybody asks what it means.
final class ReportedRule: Sendable {
    let column: CText?
    let id: CText
    let code: CText
    let message: CText
    let severity: Severity
    /// The message about a value with each of `FailureReason.all`, if the rule can say what is wrong with one.
    private let reasonMessages: [CText]
    /// Of a rule that has words of its own for it.
    private let undecidedMessage: CText?
    /// Of a row rule: one for each ``CELResource``.
    private let exhaustedMessages: [CText]
    /// Of a key: what is said of records of which it is taken.
    private let taken: TakenMessages?
    /// Whether it is one of the field of its column, or a key of this column alone.
    let isOfField: Bool

    init(
        column: String?, id: String, code: String, message: String, severity: Severity,
        hasFailureReasons: Bool = false, undecidedMessage: String? = nil,
        exhaustedMessages: [String] = [], taken: TakenMessages? = nil,
        isOfField: Bool = false
    ) {
        self.isOfField = isOfField
        self.undecidedMessage = undecidedMessage.map { CText($0) }
        self.exhaustedMessages = exhaustedMessages.map { CText($0) }
        self.taken = taken
        self.column = column.map { CText($0) }
        self.id = CText(id)
        self.code = CText(code)
        self.message = CText(message)
        self.severity = severity
        reasonMessages = hasFailureReasons ? FailureReason.all.map { CText("\(message): \($0.text)") } : []
    }

    private static let undecidedCode = CText("undecided")
    private static let undecidedMessage = CText(FindingText.undecided)

    /// Places of our own two rules among those of a column, and how many come before the field's.
    static let garbled = 0
    static let tooLong = 1
    static let own = 2

    /// A key, made anew for each check.
    ///
    /// - Parameter column: what is found in it is said of this column; `nil`: of the record.
    convenience init(_ key: Key, column: String?) {
        self.init(
            column: column, id: key.id, code: "primaryKey", message: FindingText.lacksPrimaryKey(key),
            severity: .reject, taken: TakenMessages(), isOfField: column != nil)
    }

    /// The rule of records over the budget of the call.
    static func budget() -> ReportedRule {
        ReportedRule(
            column: nil, id: FindingText.budgetRule, code: "undecided", message: FindingText.overBudget,
            severity: .reject,
            undecidedMessage: FindingText.overBudget)
    }

    /// A foreign key.
    convenience init(_ key: ForeignKey, column: String?) {
        self.init(
            column: column, id: key.id, code: "foreignKey", message: key.findingMessage, severity: .reject,
            isOfField: column != nil)
    }

    private static let takenCode = CText("unique")

    /// The rules of a column, in reported order.
    static func all(of column: String, _ schema: BoundSchema, longest: Int) -> [ReportedRule] {
        [
            ReportedRule(
                column: column, id: "encoding", code: "encoding", message: FindingText.invalidUTF8,
                severity: .reject),
            ReportedRule(
                column: column, id: "structure.too-long", code: "structure.too-long",
                message: FindingText.tooLong(over: longest, limit: "field-bytes"), severity: .reject),
        ]
            + schema.rules.map { rule in
                ReportedRule(
                    column: column, id: rule.id, code: rule.code, message: rule.message, severity: rule.severity,
                    hasFailureReasons: rule.hasFailureReasons, isOfField: true)
            }
    }

    func code(_ kind: FindingKind) -> CText {
        if kind.isUndecided { return Self.undecidedCode }
        return kind.holder ?? 0 == 0 ? code : Self.takenCode
    }

    func message(_ kind: FindingKind) -> CText {
        if let resource = kind.exhausted { return exhaustedMessages[resource.rawValue] }
        if kind.isUndecided { return undecidedMessage ?? Self.undecidedMessage }
        if let taken, let holder = kind.holder, holder != 0 { return taken.message(holder) }
        return kind.failureReason.map { reasonMessages[$0] } ?? message
    }

    var cSeverity: assay_finding_severity { severity == .reject ? ASSAY_SEVERITY_REJECT : ASSAY_SEVERITY_WARN }
}

/// What is said of records whose key another one holds: made when somebody asks, and kept, for C may hold on to it.
final class TakenMessages: Sendable {
    private let made = Lock<[UInt64: CText]>([:])

    /// - Parameter holder: the number of the record that holds the key.
    func message(_ holder: UInt64) -> CText {
        made.withLock { made in
            if let text = made[holder] { return text }
            let text = CText(FindingText.equals(record: holder))
            made[holder] = text
            return text
        }
    }
}
