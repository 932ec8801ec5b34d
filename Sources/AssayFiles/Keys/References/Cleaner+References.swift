package import Assay
package import AssayEvaluation
internal import AssayRules

/// The tables that the foreign keys of a cleaner refer to, if they have been read.
///
/// They are read again when their files have changed.
///
/// The lock is never held while a file is read, because a process that forks during that time could never unlock it.
/// Two concurrent callers may therefore both read.
package final class References: Sendable {
    private let known: Lock<[Known]>

    /// The state of the table of one foreign key.
    private struct Known: Sendable {
        var cleaner: Cleaner?
        /// The stamps of the files at the last successful check of their heads.
        var checked: [FileStamp] = []
        /// The stamps of the files that the keys were read from.
        var read: [FileStamp] = []
        var keys: ReferencedKeys?
    }

    package init(_ count: Int) { known = Lock(Array(repeating: Known(), count: count)) }

    /// Reports errors of a foreign key's table before it is read: a missing file or column.
    ///
    /// - Throws: ``InputError`` that names the foreign key; ``CompileError``.
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

    /// Returns the keys of the table that a foreign key refers to. Returns `nil` if the foreign key refers to its own
    /// table.
    ///
    /// - Parameters:
    ///   - memory: The maximum size of the keys in bytes.
    ///   - spills: Whether keys may be written to disk.
    ///   - secret: The prefix of the hashed bytes. If it is `nil`, keys that were read earlier may be returned.
    ///   - progress: Called periodically. Its result can cancel the run.
    /// - Throws: Errors of ``Cleaner/run(_:to:progress:)``; ``KeysHaveNoRoom``.
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
        let file = spills ? ReferencedFile(key, in: cleaner.options.temporaryDirectory) : nil
        let keys = try ReferencedKeys(key, memory: memory, secret: secret ?? KeySecret(), overflow: file)
        let run = try TableRun(table, to: Outputs(), collecting: keys) { state in
            var state = state
            state.stage = .references(key.reference.resource)
            return progress(state)
        }
        do {
            let result = try run.run()
            try file?.end(result)
        } catch let error as InputError {
            throw cleaner.mistake(error, inTableOf: key)
        }
        if secret == nil {
            (known.keys, known.read) = (keys, stamps)
            know(known, number)
        }
        return keys
    }
}

extension RuleFile {
    /// The files of foreign keys that do not exist or that the policy refuses. Their content is not read.
    package var unusableReferences: [(key: ForeignKey, path: String, why: RefusedFile?)] {
        var found: [(key: ForeignKey, path: String, why: RefusedFile?)] = []
        for key in schema.foreignKeys {
            for path in table(referredToBy: key)?.paths ?? [] {
                do {
                    _ = try policy.open(path)
                } catch let refusal as RefusedFile {
                    found.append((key, path, refusal))
                } catch let error as FileError where error.isAbsent {
                    found.append((key, path, nil))
                } catch {
                    // The run reports it.
                }
            }
        }
        return found
    }
}

extension InputError {
    /// Creates the error for a file of a foreign key that the policy refuses.
    package init(_ refusal: RefusedFile, _ path: String, of key: ForeignKey) {
        let (id, name) = ("'\(printable(key.id))'", printable(path))
        switch refusal {
        case .noFiles:
            self.init(
                "\(id) may not open \(name): rules that are given as text open no files",
                hint: "put them into a file in the folder of that table",
                remedy: .trustRules)
        case .outside(let byLink):
            self.init(
                "\(id) may not open \(name): it \(byLink ? "is a link out of" : "is not in") the folder of the rule "
                    + "file",
                hint: byLink ? "put the file itself into that folder" : "put the file into that folder",
                remedy: .trustRules)
        case .noRegularFile:
            self.init(
                "\(name) is not a regular file, and \(id) refers to it",
                hint: "write its contents to a file first")
        }
    }
}

extension Cleaner {
    /// Refuses a sample if a record may refer to a record outside the sample.
    fileprivate func refuseSample(_ number: Int) throws(InputError) {
        guard options.sample != nil else { return }
        throw InputError(
            "'\(rules.schema.foreignKeys[number].id)' refers to the table itself, and a sample is incomplete",
            hint: "leave out --sample")
    }

    /// Opens the table that a foreign key refers to. Returns `nil` if the foreign key refers to its own table.
    fileprivate func openTable(_ number: Int) throws -> [FileSource]? {
        let key = rules.schema.foreignKeys[number]
        guard let table = rules.table(referredToBy: key) else { return nil }
        return try table.paths.map { path in
            let named = "'\(key.id)' refers to \(printable(key.reference.resource))"
            do {
                return try rules.policy.open(path)
            } catch let refusal as RefusedFile {
                throw InputError(refusal, path, of: key)
            } catch let error as FileError {
                let place = path == key.reference.resource ? "" : "; its path is relative to the rule file"
                throw InputError("\(error)", hint: named + place)
            }
        }
    }

    /// Reads the head of the table.
    fileprivate func prepare(
        _ number: Int, _ sources: [FileSource], with cleaner: inout Cleaner?
    ) throws -> PreparedTable {
        let key = rules.schema.foreignKeys[number]
        let used = try cleaner ?? referenceCleaner(key, format: format(of: sources, key))
        cleaner = used
        do {
            return try used.prepare(asOne: sources)
        } catch let error as InputError {
            throw mistake(error, inTableOf: key)
        }
    }

    /// Returns an error about the table of a foreign key, in terms of the rules.
    fileprivate func mistake(_ error: InputError, inTableOf key: ForeignKey) -> InputError {
        var error = error
        let mayQuote = rules.quotesReferences || error.unquoted == nil
        if !mayQuote, let unquoted = error.unquoted { (error.message, error.hint) = (unquoted.message, unquoted.hint) }
        error.unquoted = nil
        error.message = "'\(printable(key.id))': \(error.message)"
        // Options of the command apply to its input, not to this file. Limits are an exception.
        let place = rules.place(ofDialect: key)
        error.hint = error.advice(adding: [error.override?.advice(where: place)])
        error.override = nil
        if let remedy = error.remedy, case .limit = remedy {
        } else if let remedy = error.remedy {
            error.hint = error.advice(adding: [remedy.advice(where: place)])
            error.remedy = nil
        }
        if !mayQuote {
            let line = "the contents of the file are shown only for trusted rules"
            error.hint = error.hint.map { "\($0)\n        \(line)" } ?? line
            if error.remedy == nil { error.remedy = .trustRules }
        }
        return error
    }

    /// Returns CSV if a file named `.json` begins with text other than JSON, and otherwise `nil` to detect the format.
    /// (Neither an option nor a rule sets the format of this file.)
    private func format(of sources: [FileSource], _ key: ForeignKey) throws -> InputFormat? {
        guard let file = sources.first, Compression.unpackedName(file.name).lowercased().hasSuffix(".json") else {
            return nil
        }
        let dialect = rules.table(referredToBy: key)?.dialect ?? Dialect()
        // Use a copy of the start, because the file itself is read from its beginning later.
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
