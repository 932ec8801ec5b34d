package import Assay
internal import AssayRules

/// The texts of a rule's findings, which are the same for every record. Each output renders them once: the findings
/// file as JSON or CSV (`FindingTemplate`), libassay as C strings (`RuleTexts`).
package struct ReportedRule: Sendable {
    package let column: String?
    /// The position of the column in the table, from 1; 0 if the findings concern the record.
    package let position: Int
    package let id: String
    package let code: String
    package let severity: Severity
    package let message: String
    /// The message for undecided values.
    package let undecidedMessage: String
    /// The messages of a row rule, one for each ``CELResource``.
    package let exhaustedMessages: [String]
    /// Whether the rule determines failure reasons.
    package let hasFailureReasons: Bool
    /// Whether the rule belongs to the field of its column, including keys of this column alone.
    package let isOfField: Bool
    /// How a rejected record relates to the record that caused the rejection: same key, or wrong order.
    package let relation: RecordRelation

    package init(
        column: String? = nil, position: Int = 0, id: String, code: String, message: String,
        severity: Severity = .reject, undecidedMessage: String = FindingText.undecided,
        exhaustedMessages: [String] = [], hasFailureReasons: Bool = false, isOfField: Bool = false,
        relation: RecordRelation = .equal
    ) {
        self.column = column
        self.position = position
        self.id = id
        self.code = code
        self.severity = severity
        self.message = message
        self.undecidedMessage = undecidedMessage
        self.exhaustedMessages = exhaustedMessages
        self.hasFailureReasons = hasFailureReasons
        self.isOfField = isOfField
        self.relation = relation
    }

    /// The messages for each of `FailureReason.all`, if the rule determines failure reasons.
    package var reasonMessages: [String] {
        hasFailureReasons ? FailureReason.all.map { message(because: $0.text) } : []
    }

    /// The message with a failure reason.
    package func message(because reason: String) -> String { "\(message): \(reason)" }

    /// The code of undecided rules.
    package static let undecidedCode = "undecided"
}

/// How a rejected record relates to the record that caused its rejection.
package enum RecordRelation: Sendable {
    /// It has the same key.
    case equal
    /// Its value in a sorted column is out of order after the value of the other record.
    case unsorted(SortOrder)

    /// The code of findings.
    package var code: String {
        switch self {
        case .equal: "unique"
        case .unsorted: "sorted"
        }
    }

    /// The message of a finding. A place may follow.
    package func message(record: UInt64) -> String {
        switch self {
        case .equal: "equals record \(record)"
        case .unsorted(let order):
            "is not in \(order.isStrict ? "strictly " : "")\(order.direction.rawValue) order after record \(record)"
        }
    }
}

// The rules of a schema.
extension ReportedRule {
    /// The rules of all columns in reported order, followed by the row rules.
    package static func all(of schema: BoundSchema, limits: MatchLimits) -> [ReportedRule] {
        schema.columns.flatMap { column in
            schema.rules[column.rules].map {
                ReportedRule(
                    column: column.name, position: column.position + 1, id: $0.id, code: $0.code, message: $0.message,
                    severity: $0.severity, hasFailureReasons: $0.hasFailureReasons, isOfField: true)
            }
        } + rows(of: schema, limits: limits)
    }

    /// The row rules in declared order.
    package static func rows(of schema: BoundSchema, limits: MatchLimits) -> [ReportedRule] {
        schema.rules[schema.rowRuleRange].map { rule in
            let check = rule.expression ?? ""
            return ReportedRule(
                id: rule.id, code: rule.code, message: rule.message, severity: rule.severity,
                undecidedMessage: FindingText.undecided(row: check),
                exhaustedMessages: FindingText.exhausted(row: check, maxBytes: limits.rowRuleBytes))
        }
    }

    /// The rules of a table's keys and sorted columns, in reported order.
    ///
    /// - Parameters:
    ///   - foreign: The foreign keys among the columns.
    ///   - hasPositions: Whether findings have the position of their column.
    package static func all(
        of columns: [KeyColumn], foreign: [ForeignKey], hasPositions: Bool
    ) -> [ReportedRule] {
        columns[..<columns.reportedCount].enumerated().map { index, column in
            let (key, position) = (column.key.key.key, column.onlyPosition)
            let (name, place) = (position.map { _ in key.fields[0] }, hasPositions ? position.map { $0 + 1 } ?? 0 : 0)
            if column.isForeign {
                return ReportedRule(foreign[index - columns.uniqueCount], column: name, position: place)
            }
            if let order = column.sortOrder {
                return ReportedRule(
                    column: name, position: place, id: key.id, code: "", message: "", isOfField: name != nil,
                    relation: .unsorted(order))
            }
            return ReportedRule(key, column: name, position: place)
        }
    }

    /// The rule of a key, with the code and message for records that lack a part of a primary key. Another code and
    /// message apply to records with a key that another record holds.
    ///
    /// - Parameters:
    ///   - column: The column that the findings name; `nil` for findings about the record.
    ///   - position: The position of this column, from 1; 0 for findings about the record.
    private init(_ key: Key, column: String?, position: Int) {
        let isWithoutColumn = key.fields.count == 1 && column == nil
        self.init(
            column: column, position: position, id: key.id, code: "primaryKey",
            message: isWithoutColumn
                ? "has no '\(key.fields[0].visible)', which is the primary key" : FindingText.lacksPrimaryKey(key),
            isOfField: column != nil)
    }

    /// The rule for records with a foreign key that has no target.
    private init(_ key: ForeignKey, column: String?, position: Int) {
        let fields = key.reference.fields.joined(separator: ", ").visible
        self.init(
            column: column, position: position, id: key.id, code: "foreignKey",
            message: key.reference.isOwnTable
                ? "is not in '\(fields)' of a clean record"
                : "is not in '\(fields)' of \(key.reference.resource.visible)", isOfField: column != nil)
    }
}

// Built-in rules, which are not written in a rule file.
extension ReportedRule {
    /// The rule of malformed records of one kind, or of malformed values of a column.
    package init(structure code: String, column: String? = nil, _ message: String) {
        self.init(column: column, id: code, code: code, message: message)
    }

    /// The rule of records or values that are not UTF-8.
    package static func encoding(column: String? = nil) -> ReportedRule {
        ReportedRule(structure: "encoding", column: column, FindingText.invalidUTF8)
    }

    /// The rule of records or values over a limit.
    package static func tooLong(
        column: String? = nil, over bytes: Int, limit: String, inField: Bool = false
    ) -> ReportedRule {
        ReportedRule(
            structure: "structure.too-long", column: column,
            FindingText.tooLong(over: bytes, limit: limit, inField: inField))
    }

    /// The rule of records that exceed the budget of the call.
    package static let budget = ReportedRule(
        id: FindingText.budgetRule, code: undecidedCode, message: FindingText.overBudget,
        undecidedMessage: FindingText.overBudget)
}
