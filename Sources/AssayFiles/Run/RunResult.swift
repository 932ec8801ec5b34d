public import Assay

/// What came of a table. The counts of the columns are in the table's order, those of rules in declared order.
public struct RunResult: Hashable, Sendable {
    /// The counts of one column.
    public struct Column: Hashable, Sendable {
        /// The name of the column.
        public var name: String
        /// Cells without a value.
        public var missing: Int
        /// Records that its rules reject, each counted once.
        public var rejected: Int
        /// Records that keys of this column alone refuse, which its rules do not reject.
        package var refusedByKeys = 0
        /// Records that its rules reject, or keys of this column alone.
        package var rejectedInAll: Int { rejected + refusedByKeys }
        /// The counts of its rules, in declared order.
        public var rules: [Rule]
        /// The counts of its repairs, in order.
        public var repairs: [Repair] = []
        /// Values that stay as they came, since their repairs would change them a second time. Of all records.
        public var unsettled = 0
    }

    /// The count of one repair of a column.
    public struct Repair: Hashable, Sendable {
        /// What it is called: `trim`; the second of a name `replace.2`.
        public var name: String
        /// Cells of clean records that it changed.
        public var changed: Int
    }

    /// The counts of one rule.
    public struct Rule: Hashable, Sendable {
        /// The stable name of the rule.
        public var id: String
        /// Whether a failure rejects the record.
        public var severity: Severity
        /// Values that failed a rule of severity `reject`.
        public var failed: Int
        /// Values that failed a rule of severity `warn`.
        public var warned: Int
        /// Values that a limit left undecided.
        public var undecided: Int
        /// What is said of every value that failed; a reason may follow it. `nil`: each time another thing.
        package var message: String?
        /// Of a key: the names of its columns.
        package var keyColumns: [String] = []
    }

    /// What there was in a file that a foreign key refers to.
    public struct Reference: Hashable, Sendable {
        /// The id of the foreign key.
        public var id: String
        /// The file, as the rules name it.
        public var resource: String
        /// Its records.
        public var records: Int
        /// Those that are malformed, to which nothing can refer, by kind.
        public var structure: Structure
        /// The encoding that those seem to be in that are not UTF-8; `nil`: there are none, or nobody can tell.
        public var encodingGuess: TextEncoding?
    }

    /// The counts of one of the files of a table.
    public struct Input: Hashable, Sendable {
        /// The name of its source.
        public var name: String
        /// How it was packed; `nil`: it was not.
        public var compression: Compression?
        /// The encoding that it was in.
        public var encoding: TextEncoding
        /// Bytes that were read, unpacked and decoded, its head included.
        public var bytes: Int
        /// Its records, and how many of them were clean, rejected, and undecided.
        public var records: Int
        /// Records that went to the clean rows.
        public var clean: Int
        /// Records that went to the rejects.
        public var rejected: Int
        /// Records with a finding that a limit left undecided.
        public var undecided: Int
        /// Blank lines that were left out.
        public var skippedBlankLines = 0
    }

    /// The files of the table, in order; one, mostly.
    public var inputs: [Input] = []
    /// Bytes of the input that were read.
    public var bytes = 0
    /// Records that were judged, without the header: all that were read, but for ``leftOut``.
    public var records = 0
    /// Records that were read and are not in the sample, where only a sample is judged.
    public var leftOut = 0
    /// Blank lines that were left out of the clean rows, if the dialect skips them.
    public var skippedBlankLines = 0
    /// Records that went to the clean rows.
    public var clean = 0
    /// Records that went to the rejects.
    public var rejected = 0
    /// Records with a finding that a limit left undecided. Those of severity `reject` are among the rejected.
    public var undecided = 0
    /// Records that the budget of the run left undecided (``CleanerOptions/budget``). They are among the undecided and the rejected ones.
    public var overBudget = 0
    /// The ticks that the run was charged for; 0: it had no budget. A run with a large one tells how much is needed.
    public var budgetTicks = 0
    /// Records that are malformed, by kind.
    public var structure = Structure()
    /// The cells of CSV that contain line breaks.
    public var lineBreaks = LineBreaks()
    /// The columns that have rules.
    public var columns: [Column] = []
    /// The rules between columns, in declared order.
    public var rows: [Rule] = []
    /// The counts of the keys, in reported order. A record is refused only for its keys if it is good in all else.
    public var keys: [Rule] = []
    /// The files that foreign keys refer to.
    public var references: [Reference] = []
    /// All rules: those of the columns, those between them, and the keys.
    package var allRules: [Rule] { columns.flatMap(\.rules) + rows + keys }
    /// All findings, the unwritten ones included.
    public var findings = 0
    /// Findings that were not written, because there were more than `maxFindings`.
    public var findingsDropped = 0
    /// The first of them.
    public var firstFindings: [Finding] = []
    /// The first of each rule, but for those of lists, in the order of the records.
    package var firstOfRules: [Finding] = []
    /// Where in the table the rejected records are.
    package var positions = RejectPositions()
    /// Cells of clean records that repairs changed.
    public var changes = 0
    /// The first of them, as many as ``CleanerOptions/keptChanges`` says.
    public var firstChanges: [Change] = []
    /// Repairs that would save rejected records; only where ``CleanerOptions/suggestsRepairs`` asks for them.
    public var repairTrial = RepairTrial()
    /// How long work was done that only one thread may do at a time.
    package var serialTime = SerialTime()
    /// Threads that worked: fewer than were asked for where one is enough, or the system gave no more.
    public var threads = 1
    /// How records stood in the input.
    public var format = InputFormat.csv
    /// How the input was packed; `nil`: it was not. Offsets and lines count unpacked bytes.
    public var compression: Compression?
    /// The encoding that the input was in. Offsets count what was decoded.
    public var encoding = TextEncoding("UTF-8", .usual)
    /// What separates fields.
    public var delimiter = ","
    /// Whether the first records told the delimiter, and it is not a comma.
    public var choseDelimiter = false
    /// The names of the columns; `nil` for a table without a header.
    public var header: [String]?

    /// Rejected records in a hundred; 0 when there are none at all.
    public var rejectRate: Double { share(rejected, of: records) }

    /// Each threshold of the rules with what the table came to; none of a run that was stopped.
    public var thresholds: [Threshold] = []
    /// The optional fields of the rules that no record of JSON Lines has: their rules never ran.
    public var absentFields: [String] = []
    /// Whether ``CleanerOptions/stopAfter`` ended the run. Then the counts are those of the records up to there.
    public var isStopped = false

    /// The encoding that those records seem to be in that are not the UTF-8 that they should be, and how many bytes suggest it;
    /// `nil`: there are none, or nobody can tell.
    public var encodingGuess: TextEncoding?
    /// Whether other records show that the file is UTF-8, so that those that are not seem to be from another source.
    package var mixesEncodings = false
}
