public import Assay

/// How a ``Cleaner`` works. The defaults suit a job of its own; a server will want one thread.
public struct CleanerOptions: Hashable, Sendable {
    /// Threads that work; `nil`: one for each processor. More than there are processors can help only where a disk is slow.
    public var threads: Int?
    /// How many records to read at most; `nil`: all.
    public var head: Int?
    /// How many rejected records end the run: what follows the last of them is not read. ``RunResult/isStopped`` says that it was
    /// so, and a ``CleanJob`` then publishes nothing. 1 or more; `nil`: the run goes on whatever is rejected.
    public var stopAfter: Int?
    /// Which records are judged; `nil`: all. What is not judged is written nowhere, so that it is for runs without outputs of rows.
    package var sample: RecordSample?
    /// How the input is cut up; `nil`: as suits it. For tests, since what comes of it is the same.
    package var chunkSizes: ChunkSizes?
    /// How many findings to write at most: the first ones. All are counted.
    public var maxFindings = 1_000_000
    /// How many findings to return as values: the first ones.
    public var keptFindings = 10
    /// How many changes of repairs to return as values: the first ones.
    public var keptChanges = 0
    /// Whether repairs are tried on the first rejected records, some MiB of them, for ``RunResult/repairTrial``.
    public var suggestsRepairs = false
    /// Whether findings and changes carry the text of the cell.
    public var showValues = false
    /// Whether rejects get two more columns, `_line` and `_reasons`.
    public var annotate = false
    /// How records stand in the input; `nil`: its name and its first bytes tell.
    public var format: InputFormat?
    /// Whether ``format`` only follows from options for CSV. Then it contradicts the guess that an input is JSON, and no other guess.
    package var formatIsImplied = false
    /// Whether input that is packed (``Compression``) is unpacked. Say no to read the packed bytes as they are.
    public var unpacks = true
    /// How much memory the keys of a table may take; `nil`: a quarter of the machine's. What is more goes to ``temporaryDirectory``.
    public var memory: Int?
    /// Where what has no room in memory is written to; `nil`: what `TMPDIR` says, else `/tmp`. Nothing of it has a name.
    public var temporaryDirectory: String?
    /// The bounds of a run; `nil`: none. Records beyond them are undecided and go to the rejects, with a finding of the rule `budget`. The tables that foreign keys refer to are read whole, and not charged.
    public var budget: CallBudget?
    /// The engine that patterns run on, or the next one where it cannot be had. The verdicts are the same on each.
    public var engine = Pattern.Engine.dfa

    /// The defaults.
    public init() {}
}
