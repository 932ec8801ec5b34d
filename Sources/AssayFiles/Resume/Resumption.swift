internal import Assay
internal import AssayRules
internal import CAssaySystem
internal import Synchronization

/// The settings of a run that can resume an interrupted one.
package struct ResumeOptions: Sendable {
    /// The options that affect the output, in a canonical form. They must be equal in the resumed run.
    let options: String
    /// The minimum time between two checkpoints.
    let interval: Duration

    package init(options: String, interval: Duration) {
        (self.options, self.interval) = (options, interval)
    }
}

/// A run that keeps a checkpoint beside its outputs, so that another run can resume it.
///
///     work ▸ all workers stop ▸ the outputs to the disk ▸ the checkpoint to the disk ▸ work ▸ …
///
///     .users.clean.csv.assay-resume-5f2c81aa      outputs so far, under names that the next run knows
///     .users.rejects.csv.assay-resume-5f2c81aa
///     .users.clean.csv.assay-checkpoint           the valid length of each output, and the position in the input
///
/// The number is derived from the name of the checkpoint, so that runs which share some outputs, but not the first, use
/// different files. Bytes of the outputs after the checkpoint are truncated when the run is resumed.
///
/// After the outputs are complete and on disk, the last checkpoint records this and their identities. A run that finds
/// it only renames the remaining outputs and reads no input. An output is identified by its inode number, size and
/// modification time. After all outputs have their names, the checkpoint is removed.
final class Resumption: Sendable {
    /// The path of the first output. The checkpoint is named after it.
    let first: String
    /// The path of the checkpoint.
    let path: String
    /// The checkpoint to resume from; `nil` starts at the beginning.
    let checkpoint: Checkpoint?
    /// The hash of all chunks that were read.
    let input: RangeHash
    /// The checkpoint at the end of the run, after the run has ended.
    private let end = Lock<Checkpoint?>(nil)
    /// Whether the hidden names of the outputs are on disk.
    private let hasNames: Lock<Bool>
    private let options: ResumeOptions
    private let next: Atomic<Int>
    /// The identity of the run: options, rules and input.
    private let origin: Checkpoint.Origin

    /// - Throws: ``InputError`` if there is a checkpoint that cannot be read or belongs to another run.
    init(_ options: ResumeOptions, _ paths: OutputPaths, of source: FileSource, _ rules: RuleFile) throws {
        guard let first = Self.first(of: paths) else {
            throw InputError("--resume needs an output that is a file", hint: "leave out --resume")
        }
        let (path, origin) = (Self.path(first), try Checkpoint.Origin(options.options, rules, source))
        let found = try Checkpoint.read(path)
        let difference = found?.origin.difference(from: origin)
        let isOver = found.map { Self.isOver($0, paths, fits: difference == nil) } ?? false
        if let difference, !isOver {
            throw InputError(checkpoint: path, isOf: difference)
        }
        if isOver { unlink(path) }
        checkpoint = isOver ? nil : found
        hasNames = Lock(checkpoint != nil)
        (self.options, self.first, self.path, self.origin) = (options, first, path, origin)
        input = RangeHash(
            key: checkpoint.map { UInt64(truncatingIfNeeded: $0.hashKey) } ?? RangeHash.randomKey())
        next = Atomic(nanoseconds() + Self.count(options.interval))
    }

    /// Returns the path of the first output that is a file, or `nil`.
    static func first(of paths: OutputPaths) -> String? {
        for path in paths.rows where path != CleanJob.standard {
            let target = OutputTarget(path)
            guard let place = target.place, target.kind == .nothing || target.kind == .regularFile else { continue }
            return place
        }
        return nil
    }

    /// Returns the path of the checkpoint, which is beside the first output.
    static func path(_ first: String) -> String { hidden(first, ending: "checkpoint") }

    /// Returns the temporary path of an output until it is published.
    static func path(of place: String, first: String) -> String {
        let (directory, base) = splitPath(first)
        let isInSameDirectory = FileIdentity(at: directory) == FileIdentity(at: splitPath(place).directory)
        // The canonical path of the directory is part of the name only if the output is in another directory, because a
        // directory may be moved as a whole.
        let name = isInSameDirectory ? base : canonicalPath(directory) + base
        let number = sha256(Array(name.utf8)).prefix(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return hidden(place, ending: "resume-" + hexadecimal(number, digits: 8))
    }

    /// Returns all files that a run with these outputs may keep.
    static func files(of paths: OutputPaths) -> [String] {
        guard let first = first(of: paths) else { return [] }
        return outputs(of: paths, first) + [path(first), path(first) + Checkpoint.newEnding]
    }

    private static func outputs(of paths: OutputPaths, _ first: String) -> [String] {
        paths.rows.filter { $0 != CleanJob.standard }.compactMap { OutputTarget($0).place }
            .map { path(of: $0, first: first) }
    }

    /// Returns the outputs that already have their names, if a run was interrupted while it renamed its outputs.
    static func published(of paths: OutputPaths) -> [String] {
        guard let first = first(of: paths), let checkpoint = try? Checkpoint.read(path(first)) else { return [] }
        return zip(files(paths), checkpoint.outputStamps).filter { OutputTarget($0).isStill($1) }.map(\.0)
    }

    /// Returns the outputs that have a name, in the order of renaming.
    private static func files(_ paths: OutputPaths) -> [String] { paths.all.filter { $0 != CleanJob.standard } }

    /// Whether all outputs of a checkpoint have their names, so that the checkpoint is obsolete; missing reports still
    /// need it.
    private static func isOver(_ checkpoint: Checkpoint, _ paths: OutputPaths, fits: Bool) -> Bool {
        if checkpoint.isNeeded { return false }
        let published = published(of: paths)
        return !fits || !paths.rows.allSatisfy { row in published.contains { areByteEqual($0, row) } }
    }

    /// Removes the leftovers of an interrupted run for the given outputs, because they will be written from the start.
    /// Keeps the files and the checkpoint of a run that is still alive.
    ///
    /// - Parameter needed: Files to keep in any case.
    /// - Returns: The paths of the removed files.
    static func removeLeftovers(of paths: OutputPaths, except needed: Set<FileIdentity>) -> [String] {
        guard let first = first(of: paths) else { return [] }
        let left = outputs(of: paths, first).filter { OutputTarget($0).kind != .nothing }
        let removed = left.filter { Leftovers.removeDead($0, except: needed) }
        if removed.count < left.count { return removed }
        let path = path(first)
        return removed + [path, path + Checkpoint.newEnding].filter { Leftovers.removeDead($0, except: needed) }
    }

    /// Returns a hidden name beside an output. Names may have 255 bytes; a digest distinguishes outputs with long
    /// names.
    static func hidden(_ place: String, ending: String) -> String {
        let (directory, base) = splitPath(place)
        var stem = base
        if base.utf8.count > 180 {
            let digest = sha256(Array(base.utf8)).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            stem = String(decoding: base.utf8.prefix(150), as: UTF8.self) + "-" + hexadecimal(digest, digits: 16)
        }
        return directory + "." + stem + ".assay-" + ending
    }

    private var hashKey: Int { Int(truncatingIfNeeded: input.key) }

    /// Whether a checkpoint is due.
    var isDue: Bool { nanoseconds() >= next.load(ordering: .relaxed) }

    /// Saves a checkpoint after the outputs are on disk. All workers must be stopped.
    ///
    /// - Parameter checkpoint: The progress of the run.
    func save(_ checkpoint: Checkpoint, files: [StagedFile]) throws(FileError) {
        let start = nanoseconds()
        for file in files { try file.synchronize() }
        var checkpoint = checkpoint
        checkpoint.origin = origin
        checkpoint.hashKey = hashKey
        try write(checkpoint, keeping: files)
        // If the disk is slow, checkpoints take at most a tenth of the time.
        let now = nanoseconds()
        next.store(now + max(Self.count(options.interval), 9 * (now - start)), ordering: .relaxed)
    }

    /// Returns the state from which an output continues. `nil` starts it empty, as in a run that cannot be resumed.
    ///
    /// - Parameter isReport: Whether the output is written as a whole after all others.
    func begin(_ path: String, _ paths: OutputPaths, isReport: Bool) -> StagedFile.Resume? {
        let stamps = checkpoint?.outputStamps ?? []
        let stamp = zip(Self.files(paths), stamps).first { areByteEqual($0.0, path) }?.1
        if isReport && !(stamp.map { OutputTarget(path).isStill($0) } ?? false) { return nil }
        return StagedFile.Resume(first: first, continues: checkpoint != nil, stamp: stamp, hashKey: input.key)
    }

    /// Records the end of the run.
    func recordEnd(_ checkpoint: Checkpoint) { end.withLock { $0 = checkpoint } }

    /// Saves the identities of the outputs before they are renamed. They must be complete and on disk.
    ///
    /// - Parameters:
    ///   - files: All outputs, in the order of ``OutputPaths/all``.
    ///   - rows: The outputs to keep for the next run if this one is interrupted.
    func saveComplete(_ files: [StagedFile], rows: [StagedFile], _ paths: OutputPaths) throws(FileError) {
        guard var checkpoint = end.withLock({ $0 }) else {
            preconditionFailure("outputs are complete when a run has ended")
        }
        checkpoint.origin = origin
        checkpoint.hashKey = hashKey
        checkpoint.waiting = Self.outputs(of: paths, first).map { path in
            let (directory, base) = splitPath(path)
            return canonicalPath(directory) + base
        }
        checkpoint.outputStamps = []
        for file in files { checkpoint.outputStamps.append(try file.stamp.kept) }
        try write(checkpoint, keeping: rows)
    }

    private func write(_ checkpoint: Checkpoint, keeping files: [StagedFile]) throws(FileError) {
        // A checkpoint would be useless if its files lost their names in a power failure.
        if !hasNames.withLock({ $0 }) {
            for directory in Set(files.map(\.directory)) { try synchronizeDirectory(directory) }
            hasNames.withLock { $0 = true }
        }
        try checkpoint.write(path, keeping: files)
    }

    /// Removes the checkpoint after the outputs are published.
    func remove() {
        unlink(path)
        // A run that was killed while it wrote a checkpoint leaves this file.
        _ = Leftovers.removeDead(path + Checkpoint.newEnding)
        // The outputs are published, so a checkpoint that reappears after a power failure does no harm.
        try? synchronizeDirectory(splitPath(path).directory)
    }

    /// Returns a duration in nanoseconds.
    private static func count(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    }
}

extension PreparedTable {
    /// Throws if the table cannot be resumed from a position inside the input.
    func expectResumable() throws(InputError) {
        func refuse(_ why: String) throws(InputError) {
            throw InputError("--resume cannot be used: \(why)", hint: "leave out --resume")
        }
        let (schema, options) = (cleaner.rules.schema, cleaner.options)
        if parts.count > 1 { try refuse("several files are one table") }
        if !schema.keys.isEmpty || !schema.foreignKeys.isEmpty {
            try refuse("the rules have keys, which live in memory")
        }
        if !cleaner.rules.tableRules.isEmpty {
            try refuse("the rules have rules on the table, whose aggregates live in memory")
        }
        if options.head != nil { try refuse("it is for whole files, and --head is given") }
        if options.stopAfter != nil { try refuse("it is for whole files, and --stop-after is given") }
        if (parts[0].given as? FileSource)?.position == nil { try refuse("the input is no regular file") }
    }
}

extension Outputs {
    /// Throws if an output cannot be resumed.
    func expectResumable() throws(InputError) {
        for sink in [clean, rejects, findings, changes].compactMap(\.self) where !(sink.stagedFile?.isNewFile ?? false)
        {
            throw InputError(
                "--resume cannot be used: the output \(printable(sink.name)) is no regular file",
                hint: "leave out --resume")
        }
    }
}

extension FileStamp {
    /// The values that a checkpoint stores. The device number is not included because it may change at the next system
    /// start.
    var kept: [Int] { [size, seconds, nanoseconds, identity.inodeNumber] }
}
