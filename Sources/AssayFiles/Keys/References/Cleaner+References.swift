package import Assay
internal import AssayRules

/// The tables that the foreign keys of a cleaner refer to, as far as they have been read.
///
/// They are read again when their files have changed.
///
/// Their lock is never held while a file is read, and nobody waits for it: in a process that was forked meanwhile nobody would
/// ever unlock it. Two who come at the same time both read.
package final class References: Sendable {
    private let known: Lock<[Known]>

    /// What is known of the table of one foreign key.
    private struct Known: Sendable {
        var cleaner: Cleaner?
        /// The files when their heads were good.
        var checked: [FileStamp] = []
        /// The files whose keys these are.
        var read: [FileStamp] = []
        var keys: ReferencedKeys?
    }

    package init(_ count: Int) { known = Lock(Array(repeating: Known(), count: count)) }

    /// Finds what would go wrong with the table of a foreign key before it is read: no such file, no such column.
    ///
    /// - Throws: ``InputError``, which names the foreign key; ``CompileError``.
    func check(_ number: Int, of cleaner: Cleaner) throws {
        guard let sources = try cleaner.openTable(number) else { return try cleaner.refuseSample(number) }
        let stamps = sources.map(\.atOpen)
        var known = self.known(number)
        if known.checked == stamps { return }
        _ = try cleaner.prepare(number, sources, with: &known.cleaner)
        known.checked = stamps
        know(known, number)
    }

    private func known(_ number: Int) -> Known { known.withLockIfAvailable { $0[number] } ?? Known() }

    private func know(_ one: Known, _ number: Int) { _ = known.withLockIfAvailable { $0[number] = one } }

    /// The keys of the table that a foreign key refers to; `nil`: it is the table that has the foreign key.
    ///
    /// - Parameters:
    ///   - memory: the most that they may take, in bytes.
    ///   - spills: whether they may go to disk.
    ///   - secret: what their hashes begin with; `nil`: they may be those that were read before.
    ///   - progress: called now and then, and asked whether to go on.
    /// - Throws: what ``Cleaner/run(_:to:progress:)`` throws; ``KeysHaveNoRoom``.
    package func keys(
        _ number: Int, of cleaner: Cleaner, memory: Int, spills: Bool, secret: KeySecret? = nil,
        progress: @escaping @Sendable (RunProgress) -> BulkControl
    ) throws -> ReferencedKeys? {
        guard let sources = try cleaner.openTable(number) else { return nil }
        let stamps = sources.map(\.atOpen)
        var known = self.known(number)
        if secret == nil, let keys = known.keys, known.read == stamps, keys.bytes <= memory { return keys }
        let key = cleaner.rules.schema.foreignKeys[number]
        let table = try cleaner.prepare(number, sources, with: &known.cleaner)
        let spill = spills ? ReferencedKeys.Spill(directory: cleaner.options.temporaryDirectory) : nil
        let keys = try ReferencedKeys(key, memory: memory, secret: secret ?? KeySecret(), spill: spill)
        let run = try TableRun(table, to: Outputs(), collecting: keys) { state in
            var state = state
            state.stage = .references(key.reference.resource)
            return progress(state)
        }
        try keys.endFilling(run.run())
        if secret == nil {
            (known.keys, known.read) = (keys, stamps)
            know(known, number)
        }
        return keys
    }
}

extension RuleFile {
    /// The files that foreign keys refer to and that are not there.
    package var absentReferences: [(key: ForeignKey, path: String)] {
        schema.foreignKeys.flatMap { key in
            (table(referredToBy: key)?.paths ?? []).filter { OutputTarget($0).status == nil }.map { (key, $0) }
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
            // A pipe would be waited for until somebody writes to it.
            let target = OutputTarget(path)
            if target.status != nil, !target.isFile, !target.isDirectory {
                throw InputError(
                    "\(printable(path)) is not a regular file, and '\(key.id)' refers to it",
                    hint: "write what it gives to a file first")
            }
            do {
                return try FileSource(path: path)
            } catch {
                let place = path == key.reference.resource ? "" : "; its path is relative to the rule file"
                throw InputError(
                    "\(error)", hint: "'\(key.id)' refers to \(printable(key.reference.resource))\(place)")
            }
        }
    }

    /// Reads the head of that table.
    fileprivate func prepare(
        _ number: Int, _ sources: [FileSource], with cleaner: inout Cleaner?
    ) throws -> PreparedTable {
        let key = rules.schema.foreignKeys[number]
        let used = try cleaner ?? referenceCleaner(key, format: format(of: sources, key))
        cleaner = used
        do {
            return try used.prepare(asOne: sources)
        } catch var error as InputError {
            error.message = "'\(key.id)': \(error.message)"
            // An option of the command is for its input, and not for this file, except for a limit.
            if let remedy = error.remedy, case .limit = remedy {
            } else if let remedy = error.remedy {
                error.hint = error.advice(remedy: remedy.advice(where: rules.place(ofDialect: key)))
                error.remedy = nil
            }
            throw error
        }
    }

    /// CSV if a file that is named `.json` begins with other text than JSON; `nil`: the table tells. (No option and no rule has the format
    /// of this file.)
    private func format(of sources: [FileSource], _ key: ForeignKey) throws -> InputFormat? {
        guard let file = sources.first, Compression.unpackedName(file.name).lowercased().hasSuffix(".json") else {
            return nil
        }
        let dialect = rules.table(referredToBy: key)?.dialect ?? Dialect()
        // The file itself is read from its beginning later.
        let text = try OpenedInput(
            FileTail(file, from: 0), unpacks: options.unpacks, encoding: dialect.encoding,
            trustsEncoding: dialect.trustEncoding, threads: 0
        ).source
        let first = try PeekedSource.peek(text) { $0.count < 64 }.bytes
        let content = (first.starts(with: [0xEF, 0xBB, 0xBF]) ? first.dropFirst(3) : first[...]).drop {
            [9, 10, 13, 32].contains($0)
        }
        guard let byte = content.first, (0x21..<0x7F).contains(byte) else { return nil }
        return [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(byte) ? nil : .csv
    }

    private func referenceCleaner(_ key: ForeignKey, format: InputFormat?) throws(CompileError) -> Cleaner {
        var rules = RuleFile(
            schema: self.rules.schema.schema(referredToBy: key),
            dialect: self.rules.table(referredToBy: key)?.dialect ?? Dialect(), limits: self.rules.limits)
        rules.jsonTypes = self.rules.jsonTypes
        var options = CleanerOptions()
        options.threads = self.options.threads
        options.unpacks = self.options.unpacks
        options.format = format
        options.engine = self.options.engine
        options.keptFindings = 0
        return try Cleaner(rules: rules, options: options)
    }
}
