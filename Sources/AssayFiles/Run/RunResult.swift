public import Assay

/// What came of a table. The counts of the columns are in the table's order, those of rules in declared order.
public struct RunResult: Hashable, Sendable {
    public struct Column: Hashable, Sendable {
        public var name: String
        /// Cells without a value.
        public var missing: Int
        public var rules: [Rule]
    }

    public struct Rule: Hashable, Sendable {
        public var id: String
        public var severity: Severity
        /// Values that failed, for a rule of severity `reject`, and those for a rule of severity `warn`.
        public var failed: Int
        public var warned: Int
        public var undecided: Int
    }

    /// Bytes of the input that were read.
    public var bytes = 0
    public var records = 0
    public var clean = 0
    public var rejected = 0
    /// Records with a finding that a limit left undecided. Those of severity `reject` are among the rejected.
    public var undecided = 0
    public var structure = Structure()
    public var columns: [Column] = []
    /// All findings there were, and how many of them were not written since there were more than `maxFindings`.
    public var findings = 0
    public var findingsDropped = 0
    /// The first of them.
    public var firstFindings: [Finding] = []
    /// Threads that were asked for. Where the system gives fewer, the work is still done.
    public var threads = 1
    public var header: [String]?

    /// Rejected records in a hundred; 0 when there are none at all.
    public var rejectRate: Double { records == 0 ? 0 : 100 * Double(rejected) / Double(records) }

    /// Whether most records that are not UTF-8 look like Windows-1252.
    public var looksLikeWindows1252: Bool {
        structure.encoding > 0 && structure.looksLikeWindows1252 * 2 > structure.encoding
    }
}
