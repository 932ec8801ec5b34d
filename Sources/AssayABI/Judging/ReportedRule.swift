internal import Assay
internal import AssayFiles
internal import CAssayABI

/// The texts of a rule's findings, which are the same for every row, as C strings.
///
/// The rules of a column follow two rules of the library, which check the encoding and the length of values first.
final class ReportedRule: Sendable {
    let column: CText?
    let id: CText
    let code: CText
    let message: CText
    let severity: Severity
    /// The message for each of `FailureReason.all`, if the rule determines failure reasons.
    private let reasonMessages: [CText]
    /// The rule's own message for undecided values, if it has one.
    private let undecidedMessage: CText?
    /// The messages of a row rule, one for each ``CELResource``.
    private let exhaustedMessages: [CText]
    /// The messages of a key, for records with an existing key.
    private let taken: TakenMessages?
    /// Whether the rule belongs to the field of its column, including keys of this column alone.
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

    /// The indices of the library's two rules among those of a column, and their number.
    static let garbled = 0
    static let tooLong = 1
    static let own = 2

    /// A key, created for each check.
    ///
    /// - Parameter column: the column that its findings name; `nil` for findings about the record.
    convenience init(_ key: Key, column: String?) {
        self.init(
            column: column, id: key.id, code: "primaryKey", message: FindingText.lacksPrimaryKey(key),
            severity: .reject, taken: TakenMessages(), isOfField: column != nil)
    }

    /// The rule of records that exceed the budget of the call.
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

/// The messages about records with an existing key. They are created on demand and kept, because C may keep pointers to
/// them.
final class TakenMessages: Sendable {
    private let made = Lock<[UInt64: CText]>([:])

    /// - Parameter holder: the number of the record that has the key.
    func message(_ holder: UInt64) -> CText {
        made.withLock { made in
            if let text = made[holder] { return text }
            let text = CText(FindingText.equals(record: holder))
            made[holder] = text
            return text
        }
    }
}
