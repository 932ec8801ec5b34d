package import Assay
internal import AssayRules

/// What becomes of the records of one table by two sets of rules.
///
///     old rules ──► run ──► log of rejects and changes ──┐
///                                                        ├──► record by record ──► RulesDiff
///     new rules ──► run ──► log of rejects and changes ──┘
///
/// Two whole runs, one after the other, so that keys, row rules and repairs are those of `check` and `clean`, whatever they need of
/// the table. The logs are in files without names; memory is that of one run.
package struct RulesDiff: Sendable {
    /// How many records there are of each kind.
    package struct Counts: Hashable, Sendable {
        package var records = 0
        /// Records that are not in the sample.
        package var leftOut = 0
        package var acceptedByBoth = 0
        package var rejectedByBoth = 0
        /// Accepted by the old rules, rejected by the new ones.
        package var rejectedNow = 0
        /// Rejected by the old rules, accepted by the new ones.
        package var acceptedNow = 0
        /// Of those that both reject: by other rules.
        package var otherRules = 0
        /// Of those that both accept: repairs make other cells of them.
        package var cleanedOtherwise = 0
    }

    /// The part of one rule in it.
    package struct Rule: Hashable, Sendable {
        package var id: String
        /// `nil` for what is no rule of a column.
        package var column: String?
        /// Records that are rejected now, also by it.
        package var rejectedNow = 0
        /// Records that are accepted now, and were rejected by it before.
        package var acceptedNow = 0
        /// Of records that both reject: those that it rejects now, and did not before.
        package var added = 0
        /// Of those: the ones that it rejected before, and does not now.
        package var dropped = 0
    }

    /// Records that are cleaned otherwise, because of cells of one column.
    package struct Column: Hashable, Sendable {
        package var name: String
        package var cleanedOtherwise = 0
    }

    /// A record with another verdict.
    package struct Record: Hashable, Sendable {
        package var number: Int
        /// What only the old rules, and what only the new rules have against it.
        package var before: [Finding] = []
        package var now: [Finding] = []
    }

    /// A record that is cleaned otherwise.
    package struct Cleaned: Hashable, Sendable {
        package var number: Int
        /// The changes of the cells in which the two differ.
        package var before: [Change] = []
        package var now: [Change] = []
    }

    package var counts = Counts()
    /// Those that reject some record that has changed, the one with most of them first.
    package var rules: [Rule] = []
    package var columns: [Column] = []
    package var rejectedNow: [Record] = []
    package var acceptedNow: [Record] = []
    package var otherRules: [Record] = []
    package var cleanedOtherwise: [Cleaned] = []
    /// Cells of clean records that the old and the new rules repair.
    package var repairedBefore = 0
    package var repairedNow = 0

    /// Whether anything differs.
    package var isEmpty: Bool {
        counts.rejectedNow + counts.acceptedNow + counts.otherRules + counts.cleanedOtherwise == 0
    }

    /// Runs both over their table, and compares what they say.
    ///
    /// - Parameters:
    ///   - old: the table, prepared by a cleaner with the old rules.
    ///   - new: the same table, from sources of its own, prepared with the new ones.
    ///   - first: how many records of each kind to tell of.
    ///   - progress: called now and then, with the bytes and records of both runs.
    /// - Throws: what ``Cleaner/run(_:to:progress:)`` throws. ``InputError`` when the two do not read the same records.
    /// - Complexity: two runs; then linear in the findings and changes, which are kept in files.
    package static func of(
        _ old: PreparedTable, _ new: PreparedTable, first: Int,
        progress: (@Sendable (RunProgress) -> BulkControl)? = nil
    ) throws -> RulesDiff {
        let before = try LoggedRun(old, progress: half(progress, behind: nil))
        let now = try LoggedRun(new, progress: half(progress, behind: before.result))
        var comparison = try RunComparison(before, now, first: first)
        return try comparison.compare()
    }

    /// Tells of one of the two runs as half of the work.
    ///
    /// - Parameter first: what came of the first run; `nil`: this is it.
    private static func half(
        _ progress: (@Sendable (RunProgress) -> BulkControl)?, behind first: RunResult?
    ) -> (@Sendable (RunProgress) -> BulkControl)? {
        guard let progress else { return nil }
        let (bytes, records) = (first?.bytes ?? 0, first?.records ?? 0)
        return { state in
            // That counts another table.
            if case .references = state.stage { return progress(state) }
            var both = state
            both.bytes += first == nil ? 0 : state.totalBytes ?? bytes
            both.records += records
            both.totalBytes = state.totalBytes.map { 2 * $0 }
            return progress(both)
        }
    }
}

/// A run of which is known what it says of each record.
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
