package import Assay
internal import AssayRules

/// The differences between the results of two rule sets for one table.
///
///     old rules ──► run ──► log of rejects and changes ──┐
///                                                        ├──► record by record ──► RulesDiff
///     new rules ──► run ──► log of rejects and changes ──┘
///
/// Runs both rule sets completely, one after the other, because keys may be decided only at the end. Keys, row rules
/// and repairs therefore equal those of `check` and `clean`. The logs are in unnamed files; the memory is that of
/// one run.
package struct RulesDiff: Sendable {
    /// The number of records of each kind.
    package struct Counts: Hashable, Sendable {
        package var records = 0
        /// Records outside the sample.
        package var leftOut = 0
        package var acceptedByBoth = 0
        package var rejectedByBoth = 0
        /// Accepted by the old rules, rejected by the new ones.
        package var rejectedNow = 0
        /// Rejected by the old rules, accepted by the new ones.
        package var acceptedNow = 0
        /// Records that both reject, but by different rules.
        package var otherRules = 0
        /// Records that both accept, but with different repaired cells.
        package var cleanedOtherwise = 0
    }

    /// The differences that one rule causes.
    package struct Rule: Hashable, Sendable {
        package var id: String
        /// The column of the rule; `nil` if it is not a rule of a column.
        package var column: String?
        /// Records that are newly rejected, by this rule among others.
        package var rejectedNow = 0
        /// Records that are newly accepted, and were rejected by this rule.
        package var acceptedNow = 0
        /// Records rejected by both that the rule rejects only now.
        package var added = 0
        /// Records rejected by both that the rule rejected only before.
        package var dropped = 0
    }

    /// Records that are cleaned differently because of cells of one column.
    package struct Column: Hashable, Sendable {
        package var name: String
        package var cleanedOtherwise = 0
    }

    /// A record with a different verdict.
    package struct Record: Hashable, Sendable {
        package var number: Int
        /// Findings only of the old rules. The next property has those only of the new rules.
        package var before: [Finding] = []
        package var now: [Finding] = []
    }

    /// A record that is cleaned differently.
    package struct Cleaned: Hashable, Sendable {
        package var number: Int
        /// The changes to cells that differ.
        package var before: [Change] = []
        package var now: [Change] = []
    }

    package var counts = Counts()
    /// The rules that reject changed records, in descending order of their number.
    package var rules: [Rule] = []
    package var columns: [Column] = []
    package var rejectedNow: [Record] = []
    package var acceptedNow: [Record] = []
    package var otherRules: [Record] = []
    package var cleanedOtherwise: [Cleaned] = []
    /// Cells of clean records that the old rules repair. The next property counts those of the new rules.
    package var repairedBefore = 0
    package var repairedNow = 0

    /// Whether there are no differences.
    package var isEmpty: Bool {
        counts.rejectedNow + counts.acceptedNow + counts.otherRules + counts.cleanedOtherwise == 0
    }

    /// Runs both rule sets over their table, and compares the results.
    ///
    /// - Parameters:
    ///   - old: The table, prepared with the old rules.
    ///   - new: The same table from separate sources, prepared with the new rules.
    ///   - first: The maximum number of records of each kind to list.
    ///   - progress: Called periodically, with the bytes and records of both runs.
    /// - Throws: Errors of ``Cleaner/run(_:to:progress:)``. ``InputError`` if the two do not read the same records.
    /// - Complexity: Two runs, and O(findings + changes), which are kept in files.
    package static func of(
        _ old: PreparedTable, _ new: PreparedTable, first: Int,
        progress: (@Sendable (RunProgress) -> BulkControl)? = nil
    ) throws -> RulesDiff {
        let before = try LoggedRun(old, progress: half(progress, behind: nil))
        let now = try LoggedRun(new, progress: half(progress, behind: before.result))
        var comparison = try RunComparison(before, now, first: first)
        return try comparison.compare()
    }

    /// Returns a progress callback that reports one of the two runs as half of the work.
    ///
    /// - Parameter first: The result of the first run; `nil` while it runs.
    private static func half(
        _ progress: (@Sendable (RunProgress) -> BulkControl)?, behind first: RunResult?
    ) -> (@Sendable (RunProgress) -> BulkControl)? {
        guard let progress else { return nil }
        let (bytes, records) = (first?.bytes ?? 0, first?.records ?? 0)
        return { state in
            // These counts are for another table.
            if case .references = state.stage { return progress(state) }
            var both = state
            both.bytes += first == nil ? 0 : state.totalBytes ?? bytes
            both.records += records
            both.totalBytes = state.totalBytes.map { 2 * $0 }
            return progress(both)
        }
    }
}

/// A run with a log of its results for each record.
struct LoggedRun {
    let result: RunResult
    let findings: RunLog
    let changes: RunLog
    let namesInputs: Bool

    init(_ table: PreparedTable, progress: (@Sendable (RunProgress) -> BulkControl)?) throws {
        let directory = table.cleaner.options.temporaryDirectory
        findings = try RunLog(in: directory)
        changes = try RunLog(in: directory)
        namesInputs = table.parts.count > 1
        var outputs = Outputs(findings: findings, findingsAsCSV: true)
        if table.hasRepairs {
            (outputs.changes, outputs.changesAsCSV, outputs.changesShowValues) = (changes, true, true)
        }
        result = try table.cleaner.run(table, to: outputs, progress: progress)
        precondition(result.findingsDropped == 0, "a log has all findings")
    }
}
