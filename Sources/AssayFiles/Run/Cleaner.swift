public import Assay
public import AssayRules
internal import CAssay

/// Splits tables into clean and rejected records according to one set of rules.
///
///     let rules = try RuleFile.parse(bytes, name: "users.rules.yaml")
///     let cleaner = try Cleaner(rules: rules)
///     let result = try cleaner.run(FileSource(path: "users.csv"), to: Outputs(clean: good, rejects: bad))
///     result.clean + result.rejected == result.records    // always
///
/// The rules are compiled once, when the cleaner is created. It can run any number of times, including concurrently.
/// Outputs are in the order of the input, and equal bytes for any number of threads.
public final class Cleaner: Sendable {
    /// The rules.
    public let rules: RuleFile
    /// The options.
    public let options: CleanerOptions
    let schema: CompiledSchema
    /// The rules on the table, for values of text; `nil` if there are none.
    let tableRules: CompiledTableRules?
    /// The tables that its foreign keys refer to.
    let references: References
    private let compiledForJSON = Lock<CompiledSchema?>(nil)

    /// Returns the rules for JSON values, compiled on first use.
    ///
    /// The lock is not held while they are compiled, because a process that forks during that time could never unlock
    /// it. Two concurrent callers may therefore both compile.
    func jsonSchema() throws(CompileError) -> CompiledSchema {
        if let known = compiledForJSON.withLockIfAvailable({ $0 }).flatMap(\.self) { return known }
        let schema = try CompiledSchema(
            rules.schema, engine: options.engine, maxPatternBytes: rules.limits.patternBytes,
            typing: rules.jsonTyping)
        _ = compiledForJSON.withLockIfAvailable { $0 = schema }
        return schema
    }

    /// Returns the rules on the table for JSON values, or `nil` if there are none.
    func jsonTableRules() throws(CompileError) -> CompiledTableRules? {
        if rules.tableRules.isEmpty { return nil }
        return try CompiledTableRules(rules.tableRules, jsonSchema(), typing: rules.jsonTyping)
    }

    /// - Throws: ``CompileError`` if a check of the rules does not compile or a limit is out of range. Rules parsed
    ///   from a file are valid.
    public convenience init(rules: RuleFile, options: CleanerOptions = CleanerOptions()) throws(CompileError) {
        do {
            try rules.limits.check()
        } catch {
            throw CompileError(part: .check, message: "\(error)")
        }
        let schema = try CompiledSchema(
            rules.schema, engine: options.engine, maxPatternBytes: rules.limits.patternBytes)
        try self.init(rules: rules, schema: schema, options: options)
    }

    /// - Parameter schema: The schema of `rules`, compiled for the engine of the options. The limits of `rules` must be
    ///   valid.
    /// - Throws: ``CompileError`` for a rule on the table.
    package init(rules: RuleFile, schema: CompiledSchema, options: CleanerOptions) throws(CompileError) {
        (self.rules, self.schema, self.options) = (rules, schema, options)
        tableRules =
            rules.tableRules.isEmpty ? nil : try CompiledTableRules(rules.tableRules, schema, typing: .text)
        references = References(rules.schema.foreignKeys.count)
    }

    /// Reads a table to its end (or to ``CleanerOptions/head``) and writes its records to the outputs.
    ///
    /// - Parameters:
    ///   - progress: Called periodically, by one thread at a time. The run ends if it returns ``BulkControl/cancel``.
    /// - Throws: ``InputError`` if the source is not a valid table, before any output is written; ``FileError`` if
    ///   reading or writing fails; ``NoMemoryError`` if memory does not suffice for one thread; ``RunCancelled``.
    /// - Complexity: O(bytes). Memory: a few MiB per thread for any size of table, and ``CleanerOptions/memory`` for
    ///   its keys.
    public func run(
        _ source: any Source, to outputs: Outputs = Outputs(),
        progress: (@Sendable (RunProgress) -> BulkControl)? = nil
    ) throws -> RunResult {
        try run(prepare(source), to: outputs, progress: progress)
    }

    /// Reads a table as ``run(_:to:progress:)`` does, on threads of Dispatch, while the calling task waits without a
    /// thread.
    ///
    /// - Throws: `CancellationError` soon after the task is cancelled. Outputs then have the records up to that point.
    nonisolated(nonsending) public func run(_ source: any Source, to outputs: Outputs = Outputs()) async throws
        -> RunResult
    {
        try await onOtherThread(cancelled: RunCancelled()) { [self] control in
            try run(source, to: outputs, progress: { _ in control() })
        }
    }

    /// Reads several files as one table, in order, as ``run(_:to:progress:)`` does. Their headers must be equal; the
    /// outputs have the header once. Records are numbered across files; findings name the file (``Finding/input``),
    /// with lines and offsets in this file. An unterminated last record is terminated if another file follows.
    public func run(
        asOne sources: [any Source], to outputs: Outputs = Outputs(),
        progress: (@Sendable (RunProgress) -> BulkControl)? = nil
    ) throws -> RunResult {
        checkPrecondition(!sources.isEmpty, "a table has one file at least")
        return try run(prepare(asOne: sources), to: outputs, progress: progress)
    }

    /// Reads the head of a table and finds the columns, so that errors in one of many tables are known before any table
    /// is run.
    ///
    /// - Throws: ``InputError`` if the source is not a valid table; ``FileError``.
    package func prepare(_ source: any Source) throws -> PreparedTable { try PreparedTable(self, [source]) }

    /// Prepares several files as one table.
    ///
    /// - Throws: ``InputError`` also if their headers differ.
    package func prepare(asOne sources: [any Source]) throws -> PreparedTable { try PreparedTable(self, sources) }

    /// Runs over a prepared table, as ``run(_:to:progress:)`` does.
    ///
    /// - Precondition: The table was prepared by this cleaner and has not been run, because its bytes can be read only
    ///   once.
    package func run(
        _ table: PreparedTable, to outputs: Outputs = Outputs(),
        progress: (@Sendable (RunProgress) -> BulkControl)? = nil
    ) throws -> RunResult {
        try run(table, to: outputs, resumption: nil, progress: progress)
    }

    /// - Parameter resumption: Writes checkpoints, or `nil`.
    func run(
        _ table: PreparedTable, to outputs: Outputs, resumption: Resumption?,
        progress: (@Sendable (RunProgress) -> BulkControl)?
    ) throws -> RunResult {
        checkPrecondition(table.cleaner === self, "a table is run by the cleaner that prepared it")
        checkPrecondition(table.run.claim(), "a prepared table has been read, and cannot be run again")
        return try TableRun(table, to: outputs, resumption: resumption, progress: progress).run()
    }
}
