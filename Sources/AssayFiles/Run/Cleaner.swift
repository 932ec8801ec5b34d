public import Assay
public import AssayRules
internal import CAssay

/// Splits tables into good and bad records, by one set of rules.
///
///     let rules = try RuleFile.parse(bytes, name: "users.rules.yaml")
///     let cleaner = try Cleaner(rules: rules)
///     let result = try cleaner.run(FileSource(path: "users.csv"), to: Outputs(clean: good, rejects: bad))
///     result.clean + result.rejected == result.records    // always
///
/// The rules are compiled once, when the cleaner is made; it can then run any number of times, also at once on several
/// threads. Outputs are in the order of the input and the same bytes for any number of threads.
public final class Cleaner: Sendable {
    public let rules: RuleFile
    public let options: CleanerOptions
    let schema: CompiledSchema

    /// - Throws: ``CompileError`` when a check of the rules does not compile, or a limit is out of its range. Rules that were
    ///   parsed from a file are good.
    public convenience init(rules: RuleFile, options: CleanerOptions = CleanerOptions()) throws(CompileError) {
        do {
            try rules.limits.check()
        } catch {
            throw CompileError(part: .check, message: "\(error)")
        }
        let schema = try CompiledSchema(
            rules.schema, engine: options.engine, maxPatternBytes: rules.limits.patternBytes)
        self.init(rules: rules, schema: schema, options: options)
    }

    /// - Parameter schema: that of `rules`, whose limits are good, compiled for the engine of the options.
    package init(rules: RuleFile, schema: CompiledSchema, options: CleanerOptions) {
        (self.rules, self.schema, self.options) = (rules, schema, options)
    }

    /// Reads a table to its end (or to ``CleanerOptions/head``) and writes its records to where they belong.
    ///
    /// - Parameters:
    ///   - progress: called now and then, by one thread at a time; when it returns ``BulkControl/cancel`` the run ends.
    /// - Throws: ``InputError`` for what is no such table, before anything is written; ``FileError`` when reading or writing
    ///   fails; ``RunCancelled``.
    /// - Complexity: linear in the bytes. Memory: some MiB for each thread, whatever the size of the table.
    public func run(
        _ source: any Source, to outputs: Outputs = Outputs(),
        progress: (@Sendable (RunProgress) -> BulkControl)? = nil
    ) throws -> RunResult {
        try run(prepare(source), to: outputs, progress: progress)
    }

    /// Reads the head of a table and finds the columns, so that a mistake in one of many tables is known before any is run.
    ///
    /// - Throws: ``InputError`` for what is no such table; ``FileError``.
    public func prepare(_ source: any Source) throws -> PreparedTable { try PreparedTable(self, source) }

    /// Runs over a prepared table, as ``run(_:to:progress:)`` does.
    ///
    /// - Precondition: the table was prepared by this cleaner and has not been run: what has been read is gone.
    public func run(
        _ table: PreparedTable, to outputs: Outputs = Outputs(),
        progress: (@Sendable (RunProgress) -> BulkControl)? = nil
    ) throws -> RunResult {
        precondition(table.cleaner === self, "a table is run by the cleaner that prepared it")
        precondition(table.run.claim(), "a prepared table has been read, and cannot be run again")
        return try TableRun(table, to: outputs, progress: progress).run()
    }
}

/// How a ``Cleaner`` works. The defaults suit a job of its own; a server will want one thread.
public struct CleanerOptions: Hashable, Sendable {
    /// Threads that work; `nil`: one for each processor.
    public var threads: Int?
    /// How many records to read at most; `nil`: all.
    public var head: Int?
    /// How many findings to write at most: the first ones. All are counted.
    public var maxFindings = 1_000_000
    /// How many findings to return as values: the first ones.
    public var keptFindings = 10
    /// Whether findings carry the text of the cell.
    public var showValues = false
    /// Whether rejects get two more columns, `_line` and `_reasons`.
    public var annotate = false
    /// Whether a header of one column that holds another usual delimiter is an error. Say no where the delimiter is known and
    /// not guessed.
    public var guessesDelimiter = true
    public var engine = Pattern.Engine.automaton

    public init() {}
}

/// Where the results of a run go; each of them may be missing.
public struct Outputs: Sendable {
    public var clean: (any Sink)?
    public var rejects: (any Sink)?
    public var findings: (any Sink)?
    /// Whether findings are written as CSV instead of JSON lines.
    public var findingsAsCSV: Bool

    public init(
        clean: (any Sink)? = nil, rejects: (any Sink)? = nil, findings: (any Sink)? = nil, findingsAsCSV: Bool = false
    ) {
        self.clean = clean
        self.rejects = rejects
        self.findings = findings
        self.findingsAsCSV = findingsAsCSV
    }
}

/// How far a run has come.
public struct RunProgress: Hashable, Sendable {
    /// Bytes of the input that are judged and written.
    public var bytes: Int
    /// Bytes of the input in all, where that is known.
    public var totalBytes: Int?
    public var records: Int
    public var rejected: Int
}

/// The progress callback ended a run.
public struct RunCancelled: Error, Hashable, Sendable {
    public init() {}
}

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
    public var structure = StructureCounts()
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
