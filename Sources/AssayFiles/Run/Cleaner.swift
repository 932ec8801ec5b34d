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
    /// The rules that are run.
    public let rules: RuleFile
    /// How they are run.
    public let options: CleanerOptions
    let schema: CompiledSchema
    /// What its foreign keys refer to.
    let references: References
    private let compiledForJSON = Lock<CompiledSchema?>(nil)

    /// The rules for values of JSON, compiled when they are first needed.
    func jsonSchema() throws(CompileError) -> CompiledSchema {
        try compiledForJSON.withLock { known throws(CompileError) in
            if let known { return known }
            let schema = try CompiledSchema(
                rules.schema, engine: options.engine, maxPatternBytes: rules.limits.patternBytes,
                typing: rules.jsonTyping)
            known = schema
            return schema
        }
    }

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
        references = References(rules.schema.foreignKeys.count)
    }

    /// Reads a table to its end (or to ``CleanerOptions/head``) and writes its records to where they belong.
    ///
    /// - Parameters:
    ///   - progress: called now and then, by one thread at a time; when it returns ``BulkControl/cancel`` the run ends.
    /// - Throws: ``InputError`` for what is no such table, before anything is written; ``FileError`` when reading or writing
    ///   fails; ``NoMemoryError`` when not one thread has room for its records; ``RunCancelled``.
    /// - Complexity: linear in the bytes. Memory: some MiB for each thread, whatever the size of the table, and
    ///   ``CleanerOptions/memory`` for its keys.
    public func run(
        _ source: any Source, to outputs: Outputs = Outputs(),
        progress: (@Sendable (RunProgress) -> BulkControl)? = nil
    ) throws -> RunResult {
        try run(prepare(source), to: outputs, progress: progress)
    }

    /// Reads several files as one table, in order, as ``run(_:to:progress:)`` does. Their headers must be the same; the outputs
    /// have it once. Records are numbered on; findings name the file (``Finding/input``), and their lines and offsets are its.
    /// A file whose last record has no terminator is given one, unless it is the last.
    public func run(
        asOne sources: [any Source], to outputs: Outputs = Outputs(),
        progress: (@Sendable (RunProgress) -> BulkControl)? = nil
    ) throws -> RunResult {
        checkPrecondition(!sources.isEmpty, "a table has one file at least")
        return try run(prepare(asOne: sources), to: outputs, progress: progress)
    }

    /// Reads the head of a table and finds the columns, so that a mistake in one of many tables is known before any is run.
    ///
    /// - Throws: ``InputError`` for what is no such table; ``FileError``.
    package func prepare(_ source: any Source) throws -> PreparedTable { try PreparedTable(self, [source]) }

    /// The same for several files that are one table.
    ///
    /// - Throws: ``InputError`` also when their headers differ.
    package func prepare(asOne sources: [any Source]) throws -> PreparedTable { try PreparedTable(self, sources) }

    /// Runs over a prepared table, as ``run(_:to:progress:)`` does.
    ///
    /// - Precondition: the table was prepared by this cleaner and has not been run: what has been read is gone.
    package func run(
        _ table: PreparedTable, to outputs: Outputs = Outputs(),
        progress: (@Sendable (RunProgress) -> BulkControl)? = nil
    ) throws -> RunResult {
        try run(table, to: outputs, resumption: nil, progress: progress)
    }

    /// - Parameter resumption: keeps how far the run is; `nil`: nothing is kept.
    func run(
        _ table: PreparedTable, to outputs: Outputs, resumption: Resumption?,
        progress: (@Sendable (RunProgress) -> BulkControl)?
    ) throws -> RunResult {
        checkPrecondition(table.cleaner === self, "a table is run by the cleaner that prepared it")
        checkPrecondition(table.run.claim(), "a prepared table has been read, and cannot be run again")
        return try TableRun(table, to: outputs, resumption: resumption, progress: progress).run()
    }
}
