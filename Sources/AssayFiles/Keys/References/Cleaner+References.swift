internal import Assay
internal import AssayRules

/// The tables that the foreign keys of a cleaner refer to, as far as they have been read.
///
/// They are read again when their files have changed.
final class References: Sendable {
    private let known: Lock<[Known]>

    /// What is known of the table of one foreign key.
    private struct Known {
        var cleaner: Cleaner?
        /// The files when their heads were good.
        var checked: [FileStamp] = []
        /// The files whose keys these are.
        var read: [FileStamp] = []
        var keys: ReferencedKeys?
    }

    init(_ count: Int) { known = Lock(Array(repeating: Known(), count: count)) }

    /// Finds what would go wrong with the table of a foreign key before it is read: no such file, no such column.
    ///
    /// - Throws: ``InputError``, which names the foreign key; ``CompileError``.
    func check(_ number: Int, of cleaner: Cleaner) throws {
        try known.withLock { known in
            guard let sources = try cleaner.openTable(number) else { return try cleaner.refuseSample(number) }
            let stamps = sources.map(\.atOpen)
            if known[number].checked == stamps { return }
            _ = try cleaner.prepare(number, sources, with: &known[number].cleaner)
            known[number].checked = stamps
        }
    }

    /// The keys of the table that a foreign key refers to; `nil`: it is the table that has the foreign key.
    ///
    /// - Parameters:
    ///   - memory: the most that they may take, in bytes.
    ///   - control: asked now and then whether to go on.
    /// - Throws: what ``Cleaner/run(_:to:progress:)`` throws.
    func keys(
        _ number: Int, of cleaner: Cleaner, memory: Int, control: @escaping @Sendable () -> BulkControl
    ) throws -> ReferencedKeys? {
        try known.withLock { known in
            guard let sources = try cleaner.openTable(number) else { return nil }
            let stamps = sources.map(\.atOpen)
            if let keys = known[number].keys, known[number].read == stamps { return keys }
            known[number].keys = nil
            let table = try cleaner.prepare(number, sources, with: &known[number].cleaner)
            let keys = try ReferencedKeys(cleaner.rules.schema.foreignKeys[number], memory: memory)
            _ = try TableRun(table, to: Outputs(), collecting: keys, progress: { _ in control() }).run()
            (known[number].keys, known[number].read) = (keys, stamps)
            return keys
        }
    }
}

extension Cleaner {
    /// Refuses a sample where a record may refer to one that is not in it.
    fileprivate func refuseSample(_ number: Int) throws(InputError) {
        guard options.sample != nil else { return }
        throw InputError(
            "'\(rules.schema.foreignKeys[number].id)' refers to the table itself, of which a sample lacks records",
            hint: "leave out --sample")
    }

    /// Opens the table that a foreign key refers to; `nil`: it is the one that has the foreign key.
    fileprivate func openTable(_ number: Int) throws -> [FileSource]? {
        let key = rules.schema.foreignKeys[number]
        guard let table = rules.table(referredToBy: key) else { return nil }
        return try table.paths.map { path in
            let source: FileSource
            do {
                source = try FileSource(path: path)
            } catch {
                let place = path == key.reference.resource ? "" : "; its path is relative to the rule file"
                throw InputError(
                    "\(error)", hint: "'\(key.id)' refers to \(printable(key.reference.resource))\(place)")
            }
            if source.byteCount == nil {
                throw InputError(
                    "\(printable(path)) is not a regular file, and '\(key.id)' refers to it",
                    hint: "write what it gives to a file first")
            }
            return source
        }
    }

    /// Reads the head of that table.
    fileprivate func prepare(
        _ number: Int, _ sources: [FileSource], with cleaner: inout Cleaner?
    ) throws -> PreparedTable {
        let key = rules.schema.foreignKeys[number]
        let used = try cleaner ?? referenceCleaner(key)
        cleaner = used
        do {
            return try used.prepare(asOne: sources)
        } catch var error as InputError {
            error.message = "'\(key.id)': \(error.message)"
            throw error
        }
    }

    private func referenceCleaner(_ key: ForeignKey) throws(CompileError) -> Cleaner {
        var rules = RuleFile(
            schema: self.rules.schema.schema(referredToBy: key),
            dialect: self.rules.table(referredToBy: key)?.dialect ?? Dialect(), limits: self.rules.limits)
        rules.typesAreText = self.rules.typesAreText
        var options = CleanerOptions()
        options.threads = self.options.threads
        options.unpacks = self.options.unpacks
        options.engine = self.options.engine
        options.keptFindings = 0
        return try Cleaner(rules: rules, options: options)
    }
}
