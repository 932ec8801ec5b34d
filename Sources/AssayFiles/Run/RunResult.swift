public import Assay

/// The result of a run over a table. Columns are in the order of the table, rules in the order of declaration.
///
/// The properties are independent of each other, and are not grouped, as in the report.
public struct RunResult: Hashable, Sendable {
    /// The counts of one column.
    public struct Column: Hashable, Sendable {
        /// The name of the column.
        public var name: String
        /// Cells without a value.
        public var missing: Int
        /// The number of records that its rules reject, each counted once.
        public var rejected: Int
        /// The number of records that are rejected by single-column keys of this column and not by its rules.
        package var refusedByKeys = 0
        /// The number of records that its rules or its single-column keys reject.
        package var rejectedInAll: Int { rejected + refusedByKeys }
        /// The counts of its rules, in declared order.
        public var rules: [Rule]
        /// The counts of its repairs, in order.
        public var repairs: [Repair] = []
        /// The number of values, in all records, that remain unchanged because their repairs would change them a second
        /// time.
        public var unsettled = 0
    }

    /// The count of one repair of a column.
    public struct Repair: Hashable, Sendable {
        /// The name, such as `trim`, or `replace.2` for the second repair of that name.
        public var name: String
        /// The number of changed cells in clean records.
        public var changed: Int
    }

    /// The counts of one rule.
    public struct Rule: Hashable, Sendable {
        /// The stable name of the rule.
        public var id: String
        /// Whether a failure rejects the record.
        public var severity: Severity
        /// The number of values that failed this rule, if its severity is `reject`. For keys and rules between columns:
        /// the number of records.
        public var failed: Int
        /// As ``failed``, if the severity is `warn`.
        public var warned: Int
        /// The number of values that a limit left undecided.
        public var undecided: Int
        /// The message for all failed values, to which a reason may be added. `nil` if the values have different
        /// messages.
        package var message: String?
        /// The names of a key's columns.
        package var keyColumns: [String] = []
    }

    /// The summary of a file that a foreign key refers to.
    public struct Reference: Hashable, Sendable {
        /// The id of the foreign key.
        public var id: String
        /// The file, as named in the rules.
        public var resource: String
        /// The number of records.
        public var records: Int
        /// The malformed records by kind. References to these records fail.
        public var structure: Structure
        /// The probable encoding of records that are not UTF-8. `nil` if there are no such records or no guess is
        /// possible.
        public var encodingGuess: TextEncoding?
    }

    /// The counts of one of the files of a table.
    public struct Input: Hashable, Sendable {
        /// The name of its source.
        public var name: String
        /// The compression, or `nil`.
        public var compression: Compression?
        /// The original encoding.
        public var encoding: TextEncoding
        /// The number of bytes after decompression and decoding, including the header and all lines above the table.
        public var bytes: Int
        /// The number of records.
        public var records: Int
        /// Records that went to the clean rows.
        public var clean: Int
        /// Records that went to the rejects.
        public var rejected: Int
        /// Records with a finding that a limit left undecided.
        public var undecided: Int
        /// The number of blank lines that were left out.
        public var skippedBlankLines = 0
    }

    /// The files of the table, in order; usually one.
    public var inputs: [Input] = []
    /// The number of bytes of the input that were read.
    public var bytes = 0
    /// The number of checked records, without the header: all records that were read except ``leftOut``.
    public var records = 0
    /// The number of records outside the sample, if only a sample is checked.
    public var leftOut = 0
    /// The number of blank lines that were left out, if the dialect skips them.
    public var skippedBlankLines = 0
    /// The number of records in the clean output.
    public var clean = 0
    /// The number of records in the rejects.
    public var rejected = 0
    /// The number of records with a finding that a limit left undecided. Those of severity `reject` are also rejected.
    public var undecided = 0
    /// The number of records that the budget of the run left undecided (``CleanerOptions/budget``). They are included
    /// in the undecided and rejected ones.
    public var overBudget = 0
    /// The ticks that were charged to the budget; 0 without a budget. A run with a very large budget shows how many
    /// ticks a table needs.
    public var budgetTicks = 0
    /// The value of `now()` in row rules; `nil` if no rule uses it. Another run with this time (``CleanerOptions/now``)
    /// gives the same verdicts.
    public var now: Timestamp?
    /// The malformed records by kind.
    public var structure = Structure()
    /// The cells of CSV that contain line breaks.
    public var lineBreaks = LineBreaks()
    /// The columns that have rules.
    public var columns: [Column] = []
    /// The rules between columns, in declared order.
    public var rows: [Rule] = []
    /// The counts of the keys, in the order of the report. Keys reject only records that have no other errors.
    public var keys: [Rule] = []
    /// The files that foreign keys refer to.
    public var references: [Reference] = []
    /// All rules: of the columns, between columns, and the keys.
    package var allRules: [Rule] { columns.flatMap(\.rules) + rows + keys }
    /// The number of all findings, including unwritten ones.
    public var findings = 0
    /// The number of findings that were not written because of `maxFindings`.
    public var findingsDropped = 0
    /// The first findings.
    public var firstFindings: [Finding] = []
    /// The first finding of each rule, in the order of the records. Rules of the elements of lists are not included.
    package var firstOfRules: [Finding] = []
    /// The positions of the rejected records in the table.
    package var positions = RejectPositions()
    /// The number of cells in clean records that repairs changed.
    public var changes = 0
    /// The first changes, up to ``CleanerOptions/keptChanges``.
    public var firstChanges: [Change] = []
    /// Repairs that would save rejected records, if ``CleanerOptions/suggestsRepairs`` is set.
    public var repairTrial = RepairTrial()
    /// The time of work that only one thread can do at a time.
    package var serialTime = SerialTime()
    /// The number of worker threads. It is smaller than requested if the input is small, or if there is not enough
    /// memory or the system created fewer threads.
    public var threads = 1
    /// The format of the records.
    public var format = InputFormat.csv
    /// The compression of the input, or `nil`. Offsets and lines count decompressed bytes.
    public var compression: Compression?
    /// The original encoding of the input. Offsets count decoded bytes.
    public var encoding = TextEncoding("UTF-8", .usual)
    /// The field delimiter.
    public var delimiter = ","
    /// Whether the delimiter was detected from the first records and is not a comma.
    public var choseDelimiter = false
    /// The names of the columns. `nil` for a table without a header.
    public var header: [String]?

    /// The percentage of rejected records; 0 for an empty table.
    public var rejectRate: Double { share(rejected, of: records) }

    /// The rules on the table, in declared order. Empty if the run was stopped early.
    public var tableRules: [TableRule] = []
    /// The thresholds of the rules, each with the count of the table. Empty if the run was stopped early.
    public var thresholds: [Threshold] = []
    /// For JSON Lines: the fields of the rules that are in no record. Their rules never ran.
    public var absentFields: [String] = []
    /// Whether ``CleanerOptions/stopAfter`` ended the run. The counts then include only the records up to that point.
    public var isStopped = false

    /// The probable encoding of records that are not valid UTF-8, with the number of bytes that suggest it. `nil` if
    /// there are no such records or no guess is possible.
    public var encodingGuess: TextEncoding?
    /// Whether a sample of the text shows that the file is UTF-8. Its records that are not valid UTF-8 then probably
    /// have another source.
    package var mixesEncodings = false
}
