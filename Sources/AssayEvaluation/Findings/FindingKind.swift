package import Assay

/// A rule and one of its messages. Findings of the same kind have the same text.
package struct FindingKind: Hashable, Sendable {
    package let rule: Int
    /// The index of the failure reason in `FailureReason.all`, or `nil` if it is unknown.
    package var failureReason: Int?
    package var isUndecided = false
    /// For an undecided row rule: the limit that stopped it.
    package var exhausted: CELResource?
    /// For a key: the record that already has it, or 0 if a part of the key or the target of a foreign key is missing.
    /// For a sorted column: the record that this one does not follow.
    package var holder: UInt64?

    package init(
        rule: Int, failureReason: Int? = nil, isUndecided: Bool = false, exhausted: CELResource? = nil,
        holder: UInt64? = nil
    ) {
        self.rule = rule
        self.failureReason = failureReason
        self.isUndecided = isUndecided
        self.exhausted = exhausted
        self.holder = holder
    }
}
