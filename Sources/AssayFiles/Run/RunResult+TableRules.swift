public import Assay

extension RunResult {
    /// A rule on the table, and its outcome.
    public struct TableRule: Hashable, Sendable {
        /// The stable name of the rule.
        public var id: String
        /// Whether a violation makes the run fail or only warns.
        public var severity: Severity
        /// Whether the accepted records fulfil the rule. A rule whose expression has no value is undecided.
        public var verdict: Verdict
        /// The expression.
        public var check: String
        /// The message for a failed table.
        public var message: String
        /// The reason why the rule is undecided; `nil` for other verdicts.
        public var problem: String?
        /// The aggregates in the expression, in the order in which the rules first name them.
        public var aggregates: [Aggregate]

        /// Whether the rule makes the run fail: it is not a warning, and the table does not pass.
        public var isViolated: Bool { severity == .reject && verdict != .pass }
    }

    /// An aggregate of the accepted records.
    public struct Aggregate: Hashable, Sendable {
        /// The aggregate in the syntax of rules, such as `mean(amount)`.
        public var name: String
        /// The value. `nil` if there is no such value, or if it could reveal values of the data and
        /// ``CleanerOptions/showValues`` is not set; numbers of records and values are always known.
        public var value: String?
    }
}
