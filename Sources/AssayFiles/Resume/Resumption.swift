internal import Assay
internal import AssayRules
internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// What a run needs that can go on where one before it was ended.
package struct ResumeOptions: Sendable {
    /// The options that change what is written, in any form: they must be the same.
    let options: String
    /// How long to work at least between two checkpoints.
    let interval: Duration

    package init(options: String, interval: Duration) {
        (self.options, self.interval) = (options, interval)
    }
}

/// A run that keeps a checkpoint beside its outputs, so that another one can go on where it was ended.
///
///     work ▸ all workers stop ▸ the outputs to the disk ▸ the checkpoint to the disk ▸ work ▸ …
///
///     .users.clean.csv.assay-resume-5f2c81aa      outputs so far, under names that the next run knows
///     .users.rejects.csv.assay-resume-5f2c81aa
///     .users.clean.csv.assay-checkpoint           how much of them counts, and how far the input is read
///
/// The number is made of the name of the checkpoint, so that runs which share some outputs, but not the first, share none of these
/// files. What the outputs have beyond the checkpoint is cut off when it is taken up.
///
/// Once the outputs are whole and on the disk, the last checkpoint says so, and what they are. A run that finds it gives those their names
/// that do not have them yet, and reads nothing. An output is known by the number of its file, its size and its time of change. When all
/// have their names, the checkpoint is removed.
final class Resumption: Sendable {
    /// Where the first output belongs, which the checkpoint is named after.
    let first: String
    /// The path of the checkpoint.
    let path: String
    /// Where to go on; `nil`: at the beginning.
    let checkpoint: Checkpoint?
    /// The bytes of all chunks that were read.
    let input: RangeHash
    /// Where the run has ended, as soon as it has.
    private let end = Lock<Checkpoint?>(nil)
    /// Whether the hidden names of the outputs are on the disk.
    private let hasNames: Lock<Bool>
    private let options: ResumeOptions
    private let next: Atomic<Int>
    /// What it is of.
    private let origin: Checkpoint.Origin

    /// - Throws: ``InputError`` when there is a checkpoint that cannot be read, or that is of another run than this.
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

    /// Where the first output belongs that is a file. `nil`: none is.
    static func first(of paths: OutputPaths) -> String? {
        for path in paths.rows where path != CleanJob.standard {
            let target = OutputTarget(path)
            guard let place = target.place, target.kind == .nothing || target.kind == .regularFile else { continue }
            return place
        }
        return nil
    }

    /// Where the checkpoint is: beside the first output.
    static func path(_ first: String) -> String { hidden(first, ending: "checkpoint") }

    /// Where an output is until it is published.
    static func path(of place: String, first: String) -> String {
        let (directory, base) = splitPath(first)
        let isBeside = FileIdentity(at: directory) == FileIdentity(at: splitPath(place).directory)
        // A directory may be moved as a whole.
        let name = isBeside ? base : canonicalPath(directory) + base
        let number = sha256(Array(name.utf8)).prefix(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return hidden(place, ending: "resume-" + hexadecimal(number, digits: 8))
    }

    /// All files that a run with these outputs may keep.
    static func files(of paths: OutputPaths) -> [String] {
        guard let first = first(of: paths) else { return [] }
        return outputs(of: paths, first) + [path(first), path(first) + Checkpoint.newEnding]
    }

    private static func outputs(of paths: OutputPaths, _ first: String) -> [String] {
        paths.rows.filter { $0 != CleanJob.standard }.compactMap { OutputTarget($0).place }
            .map { path(of: $0, first: first) }
    }

    /// Those of these outputs that a run has given their names which was ended before all had theirs.
    static func published(of paths: OutputPaths) -> [String] {
        guard let first = first(of: paths), let checkpoint = try? Checkpoint.read(path(first)) else { return [] }
        return zip(files(paths), checkpoint.whole).filter { OutputTarget($0).isStill($1) }.map(\.0)
    }

    /// Those that have a name, in the order in which they get it.
    private static func files(_ paths: OutputPaths) -> [String] { paths.all.filter { $0 != CleanJob.standard } }

    /// Whether a checkpoint is of outputs that all have their names, so that it is good for nothing: unless only reports are missing.
    private static func isOver(_ checkpoint: Checkpoint, _ paths: OutputPaths, fits: Bool) -> Bool {
        if checkpoint.isNeeded { return false }
        let published = published(of: paths)
        return !fits || !paths.rows.allSatisfy { row in published.contains { areByteEqual($0, row) } }
    }

    /// Removes what a run with a checkpoint has left of these outputs: they are made anew. What a run that is alive writes stays, and
    /// its checkpoint, too.
    ///
    /// - Parameter needed: files that stay, whatever their names.
    /// - Returns: the paths of the files that were removed.
    static func removeLeftovers(of paths: OutputPaths, except needed: Set<FileIdentity>) -> [String] {
        guard let first = first(of: paths) else { return [] }
        let left = outputs(of: paths, first).filter { OutputTarget($0).kind != .nothing }
        let removed = left.filter { Leftovers.removeDead($0, except: needed) }
        if removed.count < left.count { return removed }
        let path = path(first)
        return removed + [path, path + Checkpoint.newEnding].filter { Leftovers.removeDead($0, except: needed) }
    }

    /// A name beside an output that does not show in listings. Names may have 255 bytes; of a long one a digest tells the outputs
    /// apart.
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

    /// Whether it is time for a checkpoint.
    var isDue: Bool { nanoseconds() >= next.load(ordering: .relaxed) }

    /// Keeps what has been written, once it is on the disk. While it is done no worker works.
    ///
    /// - Parameter checkpoint: how far the run is.
    func save(_ checkpoint: Checkpoint, files: [StagedFile]) throws(FileError) {
        let start = nanoseconds()
        for file in files { try file.synchronize() }
        var checkpoint = checkpoint
        checkpoint.origin = origin
        checkpoint.hashKey = hashKey
        try write(checkpoint, keeping: files)
        // A disk that takes long gets a tenth of the time at most.
        let now = nanoseconds()
        next.store(now + max(Self.count(options.interval), 9 * (now - start)), ordering: .relaxed)
    }

    /// How an output begins. `nil`: as any other, with nothing.
    ///
    /// - Parameter isReport: it is written as a whole when the rest is done.
    func begin(_ path: String, _ paths: OutputPaths, isReport: Bool) -> StagedFile.Resume? {
        let whole = checkpoint?.whole ?? []
        let stamp = zip(Self.files(paths), whole).first { areByteEqual($0.0, path) }?.1
        if isReport && !(stamp.map { OutputTarget(path).isStill($0) } ?? false) { return nil }
        return StagedFile.Resume(first: first, goesOn: checkpoint != nil, stamp: stamp, hashKey: input.key)
    }

    /// Takes where the run has ended.
    func keepEnd(_ checkpoint: Checkpoint) { end.withLock { $0 = checkpoint } }

    /// Keeps what the outputs are that are about to get their names: they are whole, and on the disk.
    ///
    /// - Parameters:
    ///   - files: all of them, in the order of ``OutputPaths/all``.
    ///   - rows: those of them that are kept for the next run if this one is ended.
    func saveWhole(_ files: [StagedFile], rows: [StagedFile], _ paths: OutputPaths) throws(FileError) {
        guard var checkpoint = end.withLock({ $0 }) else {
            preconditionFailure("outputs are whole when a run has ended")
        }
        checkpoint.origin = origin
        checkpoint.hashKey = hashKey
        checkpoint.waiting = Self.outputs(of: paths, first).map { path in
            let (directory, base) = splitPath(path)
            return canonicalPath(directory) + base
        }
        checkpoint.whole = []
        for file in files { checkpoint.whole.append(try file.stamp.kept) }
        try write(checkpoint, keeping: rows)
    }

    private func write(_ checkpoint: Checkpoint, keeping files: [StagedFile]) throws(FileError) {
        // A checkpoint that a power cut leaves without the names of its files would be of no use.
        if !hasNames.withLock({ $0 }) {
            for directory in Set(files.map(\.directory)) { try synchronizeDirectory(directory) }
            hasNames.withLock { $0 = true }
        }
        try checkpoint.write(path, keeping: files)
    }

    /// Removes the checkpoint: the outputs are published.
    func remove() {
        unlink(path)
        // One that a run has left which was killed while it wrote it.
        _ = Leftovers.removeDead(path + Checkpoint.newEnding)
        // The outputs are published: a checkpoint that a power cut brings back does no harm.
        try? synchronizeDirectory(splitPath(path).directory)
    }

    /// Nanoseconds.
    private static func count(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    }
}

extension PreparedTable {
    /// Refuses a table of which no place in the middle can be gone on from.
    func expectResumable() throws(InputError) {
        func refuse(_ why: String) throws(InputError) {
            throw InputError("--resume cannot be used: \(why)", hint: "leave out --resume")
        }
        let (schema, options) = (cleaner.rules.schema, cleaner.options)
        if parts.count > 1 { try refuse("several files are one table") }
        if !schema.keys.isEmpty || !schema.foreignKeys.isEmpty {
            try refuse("the rules have keys, which live in memory")
        }
        if options.head != nil { try refuse("it is for whole files, and --head is given") }
        if options.stopAfter != nil { try refuse("it is for whole files, and --stop-after is given") }
        if (parts[0].given as? FileSource)?.position == nil { try refuse("the input is no regular file") }
    }
}

extension Outputs {
    /// Refuses outputs that cannot be taken up again.
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
    /// What a checkpoint keeps of it. The number of the device is not among it: the next start of the system may give another one.
    var kept: [Int] { [size, seconds, nanoseconds, identity.inodeNumber] }
}
