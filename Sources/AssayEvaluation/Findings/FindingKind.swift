package import Assay

/// A rule, and which of its messages a finding has. Findings of equal kinds have equal texts.
package struct FindingKind: Hashable, Sendable {
    package let rule: Int
    /// The index of the failure reason in `FailureReason.all`, or `nil` if it is unknown.
    package var failureReason: Int?
    package var isUndecided = false
    /// For an undecided row rule: the limit that stopped it.
    package var exhausted: CELResource?
    /// For a key: the record that has it, or 0 if a part of the key is missing.
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
