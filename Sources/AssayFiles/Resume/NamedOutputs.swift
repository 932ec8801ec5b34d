internal import Assay

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// The outputs that had their names already when a run with a checkpoint was ended.
///
///     all are whole ▸ what they are, to the checkpoint ▸ users.clean.csv ▸ users.rejects.csv ▸ … ▸ the checkpoint is removed
///                                                                        ↑ killed here
///
/// The next run gives them the names back that they had before, and goes on as if none had been published. An output is known by
/// the number of its file, its size and its time of change: what somebody else has put there, or has written to, stays.
struct NamedOutputs {
    private struct Output {
        let place: String
        let stamp: [Int]
        /// What it was called before; `nil`: it is a report, which is written again.
        let before: String?
    }

    private let outputs: [Output]

    var isEmpty: Bool { outputs.isEmpty }

    /// None.
    init() { outputs = [] }

    /// Those that stand where they belong. None if there is no checkpoint, or one that cannot be read.
    init(of paths: OutputPaths) {
        let files = paths.all.filter { $0 != CleanJob.standard }
        let rows = paths.rows.count { $0 != CleanJob.standard }
        guard let first = Resumption.first(of: paths), let checkpoint = try? Checkpoint.read(Resumption.path(first)),
            checkpoint.whole.count == files.count
        else {
            outputs = []
            return
        }
        let named = files.indices.compactMap { index -> Output? in
            let target = OutputTarget(files[index])
            var status = stat()
            // Not by way of a link, which would lead nowhere then.
            guard target.kind == .regularFile, let place = target.place, lstat(files[index], &status) == 0,
                FileStamp(status).kept == checkpoint.whole[index]
            else { return nil }
            let before = index < rows ? Resumption.path(of: place, first: first) : nil
            return Output(place: place, stamp: checkpoint.whole[index], before: before)
        }
        // Of a run that was ended behind the last name somebody may have taken or changed an output since: it is over.
        let isOver = Resumption.isPublished(paths) && named.count < files.count
        outputs = isOver ? [] : named
    }

    func contains(_ path: String) -> Bool {
        guard let place = OutputTarget(path).place else { return false }
        return outputs.contains { areByteEqual($0.place, place) }
    }

    /// Takes their names back, and removes the reports among them.
    ///
    /// - Throws: ``FileError`` also when their run is alive.
    func takeBack() throws(FileError) {
        for output in outputs { try Self.takeBack(output) }
        // Before they are written to: after a power cut nothing that is not whole may have its name.
        for directory in Set(outputs.map { splitPath($0.place).directory }) { synchronizeDirectory(directory) }
    }

    private static func takeBack(_ output: Output) throws(FileError) {
        let descriptor = open(output.place, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileError("go on with", path: output.place, code: errno) }
        defer { close(descriptor) }
        var status = stat()
        let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
        guard isLocked, fstat(descriptor, &status) == 0, FileStamp(status).kept == output.stamp else {
            throw StagedFile.inUse(output.place)
        }
        guard let before = output.before else {
            if unlink(output.place) == 0 { return }
            throw FileError("remove", path: output.place, code: errno)
        }
        // Until it is whole again nobody else reads it. A file system that keeps no modes decides by itself.
        _ = fchmod(descriptor, 0o600)
        var code = renameToNew(output.place, before)
        // Where a rename takes two steps, the run was ended between them, and the file has both names.
        if code == EEXIST, FileIdentity(at: before) == FileIdentity(status), unlink(output.place) == 0 { code = 0 }
        if code != 0 { throw FileError("go on with", path: output.place, code: code) }
    }
}

extension FileStamp {
    /// What a checkpoint keeps of it. The number of the device is not among it: the next start of the system may give another one.
    var kept: [Int] { [size, seconds, nanoseconds, identity.inodeNumber] }
}
