public import Assay
package import AssayRules
internal import CAssaySystem

/// A run over one named table with outputs that are staged and published together.
///
///     users.csv ─► users.clean.csv, users.rejects.csv, users.findings.jsonl, users.report.json
///
/// Until all outputs are written and on disk, they have temporary names. Then they are renamed, the reports last, so
/// that a report implies that all other outputs are present.
public final class CleanJob {
    /// The path that means standard input or standard output.
    public static let standard = "-"

    /// The path of the input, or of the first of several files that form one table; `-` for standard input.
    public var input: String { inputs[0] }
    /// The paths of all inputs.
    public let inputs: [String]
    /// The paths of the outputs.
    public let paths: OutputPaths
    /// Whether existing outputs are replaced, including those created during the run.
    public let force: Bool
    private let sources: [FileSource]
    private var staged: (outputs: Outputs, reports: [(format: ReportFormat, sink: any Sink)])?

    private let packing: OutputPacking
    private let keepsEncoding: Bool
    private let resume: ResumeOptions?
    private var resumption: Resumption?
    private let guardsFormulas: Bool
    /// The format of the input's records, if it is known before reading.
    private let format: InputFormat?

    /// Whether outputs may be links. Those of a Data Package may not, because its folder can be that of a stranger, who
    /// would choose the file that is written.
    private let writesThroughLinks: Bool

    /// Opens the input. Nothing is written yet.
    ///
    /// - Throws: ``FileError``.
    public convenience init(input: String, paths: OutputPaths, force: Bool = false) throws {
        try self.init(inputs: [input], force: force) { _ in paths }
    }

    /// Opens the input, and requests the paths after the compression of the outputs is known. For pipes, it is
    /// determined by their names.
    ///
    /// - Parameters:
    ///   - inputs: One file, or several that form one table.
    ///   - policy: The policy for the party that names the inputs.
    ///   - format: The format of the records; `nil` detects it.
    ///   - unpacks: Whether compressed input is decompressed.
    ///   - packing: The compression of outputs with names that do not determine it.
    ///   - keepsEncoding: Whether clean records and rejects are written in the encoding of the input instead of UTF-8.
    ///   - resume: Writes checkpoints and resumes an interrupted run; `nil` runs from beginning to end.
    ///   - guardsFormulas: Whether CSV cells that a spreadsheet would compute get an apostrophe.
    package init(
        inputs: [String], by policy: RuleFilePolicy = .anyFile, force: Bool, format: InputFormat? = nil,
        unpacks: Bool = true,
        packing: OutputPacking = .asInput, keepsEncoding: Bool = false, guardsFormulas: Bool = false,
        resume: ResumeOptions? = nil, paths: (Compression?) -> OutputPaths
    ) throws {
        self.inputs = inputs
        self.force = force
        sources = try inputs.map { try FileSource.input(at: $0, by: policy) }
        writesThroughLinks = policy == .anyFile
        var compression = Compression(path: inputs[0])
        var known = format ?? InputFormat(path: inputs[0])
        if sources[0].position != nil {
            let bytes = try PeekedSource.peek(sources[0], while: { _ in false }).bytes
            compression = Compression(firstBytes: bytes)
            if format == nil && known != .jsonLines && compression == nil { known = InputFormat(firstBytes: bytes) }
        }
        self.format = known
        self.packing = packing
        self.keepsEncoding = keepsEncoding
        self.resume = resume
        self.guardsFormulas = guardsFormulas
        self.paths = paths(packing.compression(ofInput: unpacks ? compression : nil))
    }

    /// Checks the outputs of jobs before any byte is read.
    ///
    /// - Parameters:
    ///   - others: The paths of the rule files.
    ///   - referenced: The paths of the files that foreign keys refer to.
    /// - Throws: ``InputError`` that lists all existing outputs that must not be replaced; or that names an output that
    ///   is also an input or another output, is a broken link, or has the ending of another format.
    public static func check(_ jobs: [CleanJob], reading others: [String] = [], referringTo referenced: [String] = [])
        throws
    {
        var seen: [Place: (path: String, job: Int)] = [:]
        var existing: [String] = []
        let inputs = files(readBy: jobs, others, referenced)
        let published = jobs.map { $0.resume == nil ? [] : Resumption.published(of: $0.paths) }
        for job in jobs { try refuseOutputsNextToDescriptor(job) }
        var outputs: [FileIdentity: String] = [:]
        for (number, path) in jobs.indices.flatMap({ number in jobs[number].paths.all.map { (number, $0) } }) {
            let target = OutputTarget(path)
            let place = Place(path)
            if !jobs[number].writesThroughLinks && isLink(path) {
                throw InputError(
                    "the output \(target.name) is a link, and outputs of a Data Package are not written through links",
                    hint: "remove the link")
            }
            // Two outputs may well both go to /dev/null.
            if target.kind != .other || path == standard, let other = seen[place] {
                throw sameName(
                    jobs[other.job].input, other.path, jobs[number].input, path, isOneJob: other.job == number)
            }
            seen[place] = (path, number)
            // A stream cannot hold two outputs. A device, such as a terminal or /dev/null, is not read as a file.
            if let identity = target.identity, !target.isDevice {
                if target.isFile, let (_, what, input) = inputs.first(where: { $0.0 == identity }) {
                    throw InputError(
                        "the output \(target.name) is the \(what) \(printable(input))",
                        hint: jobs.count > 1 && what == "input" ? leftOver(input) : "give it another name")
                }
                if let other = outputs[identity] {
                    throw InputError(
                        "two outputs are the same file: \(other) and \(target.name)",
                        hint: "give them different names")
                }
                outputs[identity] = target.name
            }
            if target.kind == .brokenLink {
                throw InputError(
                    "the output \(target.name) is a dangling link",
                    hint: "remove the link, or create the file it points to")
            }
            if path != standard && target.kind == .regularFile && !jobs[number].force
                && !published[number].contains(where: { areByteEqual($0, path) })
            {
                existing.append(path)
            }
        }
        for job in jobs where job.resume == nil && !job.force { try refuseCheckpoint(of: job) }
        for job in jobs where job.resume != nil { try refuseKept(by: job, amongInputs: inputs) }
        for job in jobs { try OutputEnding.check(job.paths, input: job.input, format: job.format) }
        if !existing.isEmpty {
            let list = existing.map { "\n    " + printable($0) }.joined()
            throw InputError(
                "\(existing.count == 1 ? "this output exists" : "these outputs exist") already:\(list)",
                remedy: .replace)
        }
    }

    /// Returns the files that are read, their roles and their paths.
    private static func files(
        readBy jobs: [CleanJob], _ others: [String], _ referenced: [String]
    ) -> [(FileIdentity, String, String)] {
        jobs.flatMap { job in zip(job.sources, job.inputs).map { ($0.identity, "input", $1) } }
            + others.compactMap { path in OutputTarget(path).identity.map { ($0, "rule file", path) } }
            + referenced.compactMap { path in OutputTarget(path).identity.map { ($0, "referenced file", path) } }
    }

    /// Removes temporary files that killed runs of this user left in the output directories of the jobs. Keeps those of
    /// runs that are still alive, and the inputs of the jobs.
    ///
    /// - Parameters:
    ///   - others: The paths of the rule files.
    ///   - referenced: The paths of the files that foreign keys refer to.
    /// - Returns: The paths of the removed files.
    /// - Complexity: O(directory entries).
    public static func removeLeftovers(
        of jobs: [CleanJob], reading others: [String] = [], referringTo referenced: [String] = []
    ) -> [String] {
        let needed = Set(files(readBy: jobs, others, referenced).map(\.0))
        var seen: Set<FileIdentity> = []
        var removed: [String] = []
        for path in jobs.flatMap(\.paths.all) where path != standard {
            guard let place = OutputTarget(path).place, !namesOpenDescriptor(place) else { continue }
            let (directory, _) = splitPath(place)
            guard let identity = FileIdentity(at: directory), seen.insert(identity).inserted else { continue }
            removed += Leftovers.remove(in: directory, except: needed)
        }
        for job in jobs where job.resume == nil {
            removed += Resumption.removeLeftovers(of: job.paths, except: needed)
        }
        return removed
    }

    /// Refuses to overwrite the checkpoint of an interrupted run, which may represent hours of work.
    private static func refuseCheckpoint(of job: CleanJob) throws {
        guard let path = Resumption.first(of: job.paths).map({ Resumption.path($0) }),
            OutputTarget(path).kind != .nothing, (try? Checkpoint.read(path))?.isNeeded ?? true
        else { return }
        throw InputError(
            "an interrupted run with --resume left the checkpoint \(printable(path))",
            hint: "add --resume to continue it, or --force to start over")
    }

    /// Refuses inputs and outputs with the names of files that the run keeps, because it would overwrite or remove
    /// them.
    private static func refuseKept(
        by job: CleanJob, amongInputs inputs: [(FileIdentity, String, String)]
    ) throws(InputError) {
        let files = Resumption.files(of: job.paths)
        let kept = Set(files.map { Place($0) })
        let output = job.paths.all.first { $0 != standard && kept.contains(Place($0)) }.map { ("output", $0) }
        let identities = Set(files.compactMap { FileIdentity(at: $0) })
        let input = inputs.first { identities.contains($0.0) }.map { ($0.1, $0.2) }
        guard let (what, path) = output ?? input else { return }
        throw InputError(
            "the \(what) \(printable(path)) has the name of a file that --resume keeps", hint: "give it another name")
    }

    /// With many inputs, the names of the outputs are derived from them.
    private static func leftOver(_ input: String) -> String {
        "if \(printable(input)) was written by an earlier run, leave it out of the inputs, or choose an --output-dir"
    }

    /// Refuses outputs beside an input that is named by a descriptor number, because it has no directory.
    private static func refuseOutputsNextToDescriptor(_ job: CleanJob) throws(InputError) {
        guard namesOpenDescriptor(job.input) else { return }
        let defaultPaths = OutputPaths(nextTo: job.input).all
        guard job.paths.all.contains(where: defaultPaths.contains) else { return }
        throw InputError(
            "the input \(printable(job.input)) is not a file, so its outputs cannot be placed beside it",
            hint: "choose a directory with --output-dir")
    }

    /// Returns the error for two outputs with the same name.
    private static func sameName(
        _ input: String, _ path: String, _ otherInput: String, _ otherPath: String, isOneJob: Bool
    ) -> InputError {
        if isOneJob {
            return InputError(
                "two outputs would be the same file: \(printable(path)) and \(printable(otherPath))",
                hint: "give them different names")
        }
        if areByteEqual(input, otherInput) {
            return InputError("the input \(printable(input)) is named twice", hint: "name it once")
        }
        return InputError(
            "\(printable(input)) and \(printable(otherInput)) would both be written to \(printable(path))",
            hint: "clean them one after the other, each with an --output-dir of its own")
    }

    /// Creates the outputs under their temporary names, so that paths that cannot be written to are reported before the
    /// input is read. A run that may resume another one creates them in `prepare` instead.
    ///
    /// - Throws: ``InputError``.
    public func stage() throws {
        if resume != nil && resumption == nil { return }
        func stage(_ path: String?, isReport: Bool = false) throws -> (any Sink)? {
            guard let path else { return nil }
            if path == Self.standard { return DescriptorSink(descriptor: 1, name: "standard output") }
            do {
                let file = try StagedFile(
                    path: path, replaces: force, from: sources.compactMap(\.access),
                    resume: resumption?.begin(path, paths, isReport: isReport))
                return Compression(path: path).map { Packed(file, as: $0) } ?? file
            } catch {
                let (directory, base) = splitPath(path)
                guard error.isAbsent, !directory.isEmpty else {
                    throw InputError("\(error)", hint: outputAdvice(error))
                }
                if base.isEmpty { throw InputError("\(printable(path)) is the name of a directory, not of a file") }
                throw InputError("\(error)", remedy: .makeDirectory(directory))
            }
        }
        var outputs = Outputs(
            clean: try stage(paths.clean), rejects: try stage(paths.rejects), findings: try stage(paths.findings),
            findingsAsCSV: paths.findings.map { FindingFormat(path: $0) == .csv } ?? false)
        outputs.changes = try stage(paths.changes)
        outputs.changesAsCSV = paths.changes.map { FindingFormat(path: $0) == .csv } ?? false
        var reports: [(format: ReportFormat, sink: any Sink)] = []
        for path in paths.reports {
            if let sink = try stage(path, isReport: true) { reports.append((ReportFormat(path: path) ?? .json, sink)) }
        }
        outputs.keptFindings = reports.map(\.format.neededFindings).max() ?? 0
        staged = (outputs, reports)
    }

    private func outputAdvice(_ error: FileError) -> String? {
        switch error.code {
        case _ where error.path.isEmpty: "an output needs a name; use none to leave it out"
        case EACCES, EROFS, EPERM:
            OutputPaths(nextTo: input, packedAs: paths.clean.flatMap(Compression.init(path:))).all.contains(error.path)
                ? "choose a directory with --output-dir" : "choose another place for the output"
        case ENAMETOOLONG: "choose a shorter name for the output"
        case EMFILE, ENFILE: "give fewer inputs at a time, or allow more open files"
        default: nil
        }
    }

    /// Runs over the input and publishes the outputs, unless the run was stopped (``CleanerOptions/stopAfter``).
    ///
    /// - Parameter progress: Called periodically, by one thread at a time. The run ends if it returns
    ///   ``BulkControl/cancel``.
    /// - Throws: Errors of ``Cleaner/run(_:to:progress:)``, without publishing; ``PublishError`` if only some of the
    ///   outputs could be renamed.
    public func run(
        _ cleaner: Cleaner, progress: (@Sendable (RunProgress) -> BulkControl)? = nil
    ) throws -> RunReport {
        try run(prepare(cleaner), progress: progress)
    }

    /// Reads the head of the input. Does not write.
    ///
    /// - Throws: Errors of ``Cleaner/prepare(_:)``.
    package func prepare(_ cleaner: Cleaner) throws -> PreparedTable {
        let table = try cleaner.prepare(asOne: sources)
        if guardsFormulas { try table.expectGuardable() }
        if let resume {
            try table.expectResumable()
            resumption = try Resumption(resume, paths, of: sources[0], cleaner.rules)
            try stage()
            try staged?.outputs.expectResumable()
        }
        return table
    }

    /// The bytes of the input that an earlier run processed; `nil` if the run starts at the beginning.
    package var resumedBytes: Int? { resumption?.checkpoint?.bytes }

    /// Runs over a prepared input, as ``run(_:progress:)`` does.
    package func run(
        _ table: PreparedTable, progress: (@Sendable (RunProgress) -> BulkControl)? = nil
    ) throws -> RunReport {
        let cleaner = table.cleaner
        if staged == nil { try stage() }
        guard let staging = staged else { preconditionFailure("the outputs were just staged") }
        var outputs = staging.outputs
        staged = nil
        // For a pipe, the compression is known only after its head was read.
        if let compression = packing.compression(ofInput: table.compression) {
            if paths.clean == Self.standard { outputs.clean = outputs.clean.map { Packed($0, as: compression) } }
            if paths.rejects == Self.standard { outputs.rejects = outputs.rejects.map { Packed($0, as: compression) } }
        }
        if keepsEncoding, table.encoding == nil {
            throw InputError(
                "the inputs are in different encodings, so the outputs cannot be in the same",
                hint: "leave out --output-encoding")
        }
        if keepsEncoding, let encoding = table.encoding, !encoding.isUTF8 {
            let (name, mark) = (encoding.name, encoding.mark)
            outputs.clean = outputs.clean.map { Encoded($0, as: name, mark: mark) }
            outputs.rejects = outputs.rejects.map { Encoded($0, as: name, mark: mark) }
        }

        if guardsFormulas { outputs.guardFormulas(table.head.dialect) }

        let start = ContinuousClock.now
        var result = try cleaner.run(table, to: outputs, resumption: resumption, progress: progress)
        let elapsed = start.duration(to: .now)
        let known = result.firstFindings
        result.firstFindings = Array(known.prefix(max(0, cleaner.options.keptFindings)))
        var report = RunReport(
            inputs: inputs, paths: paths, result: result, rules: cleaner.rules, engine: cleaner.options.engine,
            head: cleaner.options.head, sample: cleaner.options.sample, knownFindings: known,
            inputChanged: sources.contains(where: \.hasChanged),
            seconds: Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18)
        if guardsFormulas { report.guardedCells = outputs.guardedCells }
        if result.isStopped { return report }
        for (format, sink) in staging.reports where !(sink.stagedFile?.isPublished ?? false) {
            try sink.write(Array(report.text(as: format).utf8))
        }
        let watch = Stopwatch()
        let rows = outputs.files
        let files = rows + staging.reports.compactMap(\.sink.stagedFile)
        for file in files { try file.synchronize() }
        // Without this checkpoint, a run that is interrupted while it renames its outputs cannot be resumed; the
        // outputs are complete in any case.
        try? resumption?.saveComplete(files, rows: rows, paths)
        do throws(PublishError) {
            try StagedFile.publish(files)
        } catch {
            var error = error
            error.isResumable = resumption != nil
            throw error
        }
        do throws(FileError) {
            for directory in Set(files.map(\.directory)).sorted() { try synchronizeDirectory(directory) }
        } catch {
            throw PublishError(failure: error, published: files.map(\.name))
        }
        report.result.serialTime.publishing = watch.reading
        resumption?.remove()
        return report
    }
}

/// The compression of outputs with names that do not determine it.
package enum OutputPacking: Hashable, Sendable {
    /// The compression of the input.
    case asInput
    case none
    case packed(Compression)

    /// - Parameter compression: The compression of the input.
    func compression(ofInput compression: Compression?) -> Compression? {
        switch self {
        case .asInput: compression
        case .none: nil
        case .packed(let chosen): chosen
        }
    }
}

/// Some outputs were renamed and others were not, or the names may be lost in a power failure.
public struct PublishError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The failed rename, or the failed `fsync` of a directory after the renames.
    public var failure: FileError
    /// The outputs that have their names.
    public var published: [String]
    /// Whether the same command can resume the run.
    var isResumable = false

    init(failure: FileError, published: [String]) { (self.failure, self.published) = (failure, published) }

    public var description: String {
        let inPlace = published.isEmpty ? "none" : published.map { printable($0) }.joined(separator: ", ")
        let reason = failure.isTaken ? "; it was created during this run, and is left as it is" : ""
        let advice =
            isResumable
            ? "remove it, and give the same command again" : "remove it or choose another name, and run again"
        let hint = failure.isTaken ? "\n  hint: \(advice)" : ""
        return "\(failure)\(reason)\n  these outputs are already in place: \(inPlace)\(hint)"
    }
}
