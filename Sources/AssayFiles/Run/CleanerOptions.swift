public import Assay

/// The options of a ``Cleaner``. The defaults suit a process with a single job; a server should use one thread.
///
/// The options are independent, so they are not grouped.
public struct CleanerOptions: Hashable, Sendable {
    /// The number of worker threads. `nil` selects one per processor. More threads can help only if the disk is slow.
    public var threads: Int?
    /// The maximum number of records to read; `nil` reads all.
    public var head: Int?
    /// The number of rejected records that ends the run. The remaining records are not read, ``RunResult/isStopped`` is
    /// set, and a ``CleanJob`` does not publish its outputs. At least 1; `nil` disables the limit.
    public var stopAfter: Int?
    /// Selects the records to check; `nil` selects all. Other records are not written, so a sample is only for runs
    /// without outputs of records.
    package var sample: RecordSample?
    /// The sizes of chunks. `nil` selects them automatically. For tests; the results do not depend on it.
    package var chunkSizes: ChunkSizes?
    /// The maximum number of findings to write. All findings are counted.
    public var maxFindings = 1_000_000
    /// The maximum number of findings to return as values.
    public var keptFindings = 10
    /// The maximum number of changes by repairs to return as values.
    public var keptChanges = 0
    /// Whether to try repairs on the first rejected records, a few MiB, for ``RunResult/repairTrial``.
    public var suggestsRepairs = false
    /// Whether findings and changes contain the text of the cell.
    public var showValues = false
    /// Whether rejects get two additional columns, `_line` and `_reasons`.
    public var annotate = false
    /// The format of the records. `nil` selects it by the file name and the first bytes.
    public var format: InputFormat?
    /// Whether ``format`` is only implied by options for CSV. It then overrides only the guess that an input is JSON.
    package var formatIsImplied = false
    /// Whether compressed input (``Compression``) is decompressed. If not, the compressed bytes are read as they are.
    public var unpacks = true
    /// The maximum memory for the keys of a table. `nil` selects a quarter of the machine's memory. Keys beyond it are
    /// written to ``temporaryDirectory``.
    public var memory: Int?
    /// The directory for data that does not fit in memory. `nil` selects `TMPDIR`, or `/tmp` if that is not set. The
    /// files have no names.
    public var temporaryDirectory: String?
    /// The budget of a run, or `nil`. Records beyond it are undecided and go to the rejects, with a finding of the rule
    /// `budget`. Tables that foreign keys refer to are read completely and not charged.
    public var budget: CallBudget?
    /// The value of `now()` in row rules, which is the same for all records of a run. `nil` selects the time at which
    /// the run starts (``RunResult/now``).
    public var now: Timestamp?
    /// The engine for patterns. If it is unavailable, the next one runs. All engines return the same verdicts.
    public var engine = Pattern.Engine.dfa

    /// Creates the default options.
    public init() {}
}
