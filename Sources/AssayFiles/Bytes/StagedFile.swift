internal import Assay
internal import CAssaySystem
internal import Synchronization

/// An output that has a temporary name until it is complete.
///
///     .users.clean.csv.assay-4711-708b1f2e55d09c31   ──publish──►   users.clean.csv
///
/// It is created beside its target, so that the rename cannot cross file systems. Until `publish`, only its owner can
/// read it (mode 0600). Then it gets its final mode, which grants access only to users who could read the inputs
/// (``FileAccess``).
///
/// An error, or a signal that the process handles, removes the file if it is not published yet (see
/// `removeAllForExit`). If the process is killed, the file remains without its lock, and the next run that writes to
/// the directory removes it (``Leftovers``). A run that can be resumed uses a name that the next run finds
/// (``Resumption``). The file is kept from the first checkpoint on.
package final class StagedFile: Sink {
    package let name: String
    private let sink: DescriptorSink
    var descriptor: Int32 { sink.file.number }
    /// `nil` for a target that cannot be replaced by a rename, such as a pipe or `/dev/null`. These are written to
    /// directly.
    private let temporaryPath: String?
    private let targetPath: String
    /// Whether the file was complete and already had its name when another run was interrupted.
    let isPublished: Bool
    /// Whether the file may replace an existing one.
    private let replaces: Bool
    /// The mode after publishing.
    private let finalMode: mode_t
    /// The hash of its bytes; `nil` if the run cannot be resumed.
    let hash: RangeHash?
    /// The end of the written bytes.
    let end = Atomic(0)

    /// - Parameters:
    ///   - replaces: Whether a file that exists at the path, now or when publishing, may be replaced.
    ///   - inputs: The access to the files that the content is from. The output does not extend this access.
    ///   - resume: The state to resume from, if the run can be resumed.
    /// - Throws: ``FileError`` if the target's directory is not writable, or a file exists that must not be replaced.
    package convenience init(path: String, replaces: Bool, from inputs: [FileAccess] = []) throws(FileError) {
        try self.init(path: path, replaces: replaces, from: inputs, resume: nil)
    }

    init(path: String, replaces: Bool, from inputs: [FileAccess], resume: Resume?) throws(FileError) {
        name = path
        self.replaces = replaces
        hash = resume.map { RangeHash(key: $0.hashKey) }
        let target = OutputTarget(path)
        let place = try Self.place(of: target, path)
        targetPath = place
        if let resume, let stamp = resume.stamp, target.isStill(stamp) {
            sink = DescriptorSink(descriptor: try Self.openPublished(place, resume, stamp), name: path)
            (temporaryPath, finalMode, isPublished) = (nil, 0, true)
            return
        }
        isPublished = false
        if target.kind == .other {
            sink = DescriptorSink(descriptor: try Self.openDirectly(target, path, at: place), name: path)
            (temporaryPath, finalMode) = (nil, 0)
            return
        }
        let exists = target.kind == .regularFile
        if exists && !replaces { throw FileError("create", path: path, code: EEXIST) }
        let (directory, base) = splitPath(targetPath)
        // A name may have 255 bytes, and the temporary name must fit.
        let stem = directory + "." + String(decoding: base.utf8.prefix(180), as: UTF8.self) + ".assay-\(getpid())-"
        var made = Self.create(stem: stem, findsUsualMode: !exists)
        if let resume, made.descriptor >= 0 { made = try Self.resumable(made, resume, at: place) }
        temporaryPath = made.path
        sink = DescriptorSink(descriptor: made.descriptor, name: path)
        // Keep the mode of a replaced file as far as the inputs allow it.
        let mode = target.status.map { $0.st_mode & 0o777 } ?? made.usualMode
        finalMode = made.descriptor < 0 ? 0 : inputs.reduce(mode) { $1.limit($0, ofFile: made.descriptor) }
        guard made.descriptor >= 0 else { throw FileError("create", path: path, code: made.code) }
    }

    /// Returns the path of the file to replace or create.
    private static func place(of target: OutputTarget, _ path: String) throws(FileError) -> String {
        if path.isEmpty { throw FileError("create", path: path, code: ENOENT) }
        // Check this now, because the temporary name is shorter, and the error would otherwise appear only at the final
        // rename.
        if target.code == ENAMETOOLONG { throw FileError("create", path: path, code: target.code) }
        // A rename would replace the link with a regular file.
        if target.kind == .brokenLink { throw FileError("follow the link", path: path, code: target.code) }
        if target.isDirectory { throw FileError("write", path: path, code: EISDIR) }
        // Keep a link and replace its target.
        guard let place = target.place else { throw FileError("follow the link", path: path, code: EILSEQ) }
        return place
    }

    /// Opens a target that is written to directly: a pipe, a device or an open descriptor, which keeps its position.
    private static func openDirectly(
        _ target: OutputTarget, _ path: String, at place: String
    ) throws(FileError) -> Int32 {
        if target.isPipeOfStranger(at: place) {
            var error = FileError("write", path: path, code: EACCES)
            error.advice = "it is a pipe of another user, in a directory where everybody may put one"
            throw error
        }
        let descriptor: Int32
        if let number = openDescriptor(namedBy: place) {
            // A descriptor that is open only for reading is refused even if the file is writable.
            if fcntl(number, F_GETFL) & O_ACCMODE == O_RDONLY { throw FileError("write", path: path, code: EBADF) }
            descriptor = fcntl(number, F_DUPFD_CLOEXEC, 3)
        } else {
            descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        }
        guard descriptor >= 0 else { throw FileError("write", path: path, code: errno) }
        return descriptor
    }

    private struct Made {
        var path: String
        var descriptor: Int32 = -1
        /// The system's error number.
        var code: Int32 = EINTR
        /// The mode that the system gives to new files in this directory: by the umask, or the directory's default ACL.
        var usualMode: mode_t = 0
    }

    /// Creates a file with an unused name. A killed process with the same process id may have left files.
    private static func create(stem: String, findsUsualMode: Bool) -> Made {
        // Under the lock, so that a signal finds either no file or a registered one.
        registry.withLock { registry in
            var made = Made(path: stem)
            var findsUsualMode = findsUsualMode
            for _ in 0..<100 where !registry.isClosed {
                // The name is random so that other users cannot prepare a file under it.
                made.path = stem + hexadecimal(.random(in: .min ... .max), digits: Leftovers.digits)
                // Determine the mode from an empty file, because reading the umask requires changing it for all
                // threads. The empty file is then replaced, so that a process that opened it cannot read the output.
                made.descriptor = openNew(made.path, mode: findsUsualMode ? 0o666 : 0o600)
                made.code = errno
                if made.descriptor < 0 {
                    if made.code == EEXIST { continue }
                    break
                }
                if !findsUsualMode {
                    registry.paths.insert(made.path)
                    return made
                }
                var status = stat()
                if fstat(made.descriptor, &status) == 0 { made.usualMode = status.st_mode & 0o666 }
                unlink(made.path)
                close(made.descriptor)
                made.descriptor = -1
                findsUsualMode = false
            }
            return made
        }
    }

    /// Gives a new file the name that the next run looks for, or opens the file that an interrupted run left there.
    private static func resumable(_ new: Made, _ resume: Resume, at place: String) throws(FileError) -> Made {
        let path = Resumption.path(of: place, first: resume.first)
        // Under the lock, as above.
        let result: Result<Made, FileError> = registry.withLock { registry in
            var made = new
            made.path = path
            do throws(FileError) {
                if resume.continues {
                    made.descriptor = try openResumable(path, resume.stamp)
                    unlink(new.path)
                    close(new.descriptor)
                } else {
                    try beginResumable(new.path, as: path)
                    registry.paths.insert(path)
                }
                registry.paths.remove(new.path)
                return .success(made)
            } catch {
                unlink(new.path)
                close(new.descriptor)
                registry.paths.remove(new.path)
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Renames a checkpoint into place and keeps its files even if the run fails, because another run can resume from
    /// them. A signal cannot end the process in between.
    static func keep(_ files: [StagedFile], with new: String, as path: String) throws(FileError) {
        let code: Int32 = registry.withLock { registry in
            while registry.isClosed { pause() }
            if replace(new, path) != 0 { return errno }
            registry.paths.remove(new)
            for file in files { if let path = file.temporaryPath { registry.paths.remove(path) } }
            return 0
        }
        if code != 0 { throw FileError(renaming, path: path, code: code) }
    }

    /// Creates the file of a checkpoint. It is removed if the process ends before the file has its name.
    ///
    /// - Returns: The descriptor.
    static func createKept(_ path: String) throws(FileError) -> Int32 {
        let (descriptor, code) = registry.withLock { registry -> (Int32, Int32) in
            while registry.isClosed { pause() }
            let descriptor = openNew(path, mode: 0o600)
            if descriptor >= 0 { registry.paths.insert(path) }
            return (descriptor, errno)
        }
        guard descriptor >= 0 else { throw FileError("create", path: path, code: code) }
        return descriptor
    }

    /// Removes the file of a checkpoint.
    static func discardKept(_ path: String) {
        registry.withLock { if $0.paths.remove(path) != nil { unlink(path) } }
    }

    /// Creates a file and locks it, so that other processes can distinguish it from a file of a dead process (see
    /// ``Leftovers``).
    ///
    /// - Returns: The descriptor, or −1 with `errno` set; `EEXIST` also if another process already took the file to
    ///   remove it.
    private static func openNew(_ path: String, mode: mode_t) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        if descriptor < 0 { return -1 }
        var status = stat()
        // On a file system without locks, other processes do not remove files either.
        let isTaken = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
        if !isTaken && fstat(descriptor, &status) == 0 && status.st_nlink > 0 { return descriptor }
        close(descriptor)
        errno = EEXIST
        return -1
    }

    deinit {
        close(descriptor)
        if let temporaryPath {
            Self.registry.withLock { registry in
                if registry.paths.remove(temporaryPath) != nil { unlink(temporaryPath) }
            }
        }
    }

    /// Whether it is a file that only this process writes to, not an open descriptor, a pipe or a device.
    var isNewFile: Bool { temporaryPath != nil || isPublished }

    /// The directory of the published file.
    var directory: String { splitPath(targetPath).directory }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        if isNewFile { note(bytes, at: try count) }
        try sink.write(bytes)
    }

    private func note(_ bytes: UnsafeRawBufferPointer, at place: Int) {
        hash?.add(bytes, at: place)
        _ = end.max(place + bytes.count, ordering: .relaxed)
    }

    /// Writes at an offset. Any thread may call it.
    ///
    /// - Precondition: The file is a new file.
    func write(_ bytes: UnsafeRawBufferPointer, at place: Int) throws(FileError) {
        precondition(isNewFile, "only a new file has positions")
        note(bytes, at: place)
        let code = sink.file.write(bytes, at: place)
        if code != 0 { throw FileError("write", path: name, code: code) }
    }

    /// The number of bytes that were written sequentially.
    var count: Int {
        get throws(FileError) {
            let place = lseek(descriptor, 0, SEEK_CUR)
            if place < 0 { throw FileError("write", path: name, code: errno) }
            return Int(place)
        }
    }

    /// Flushes the bytes to disk. After an error here, no output may be published, because a second attempt may succeed
    /// although data was lost.
    package func synchronize() throws(FileError) {
        if isNewFile, fsync(descriptor) != 0 { throw FileError("write", path: name, code: errno) }
    }

    /// Renames the files in order. A signal cannot end the process in between.
    ///
    /// A file that another process created at a target is kept, unless it may be replaced.
    ///
    /// - Throws: ``PublishError`` if a rename fails. Earlier files already have their names.
    package static func publish(_ files: [StagedFile]) throws(PublishError) {
        registry.withLock { $0.willPublish }()
        let failure: PublishError? = registry.withLock { registry in
            // If a signal came first, the process is about to end and must not report success.
            while registry.isClosed { pause() }
            var published: [String] = []
            // Check for existing names before any file is renamed.
            if let file = files.first(where: \.isBarred) {
                return PublishError(failure: FileError(renaming, path: file.name, code: EEXIST), published: [])
            }
            for file in files {
                if let temporaryPath = file.temporaryPath {
                    // A user with write access to the directory may have replaced the file, even during the rename.
                    if let error = file.difference(from: temporaryPath) {
                        return PublishError(failure: error, published: published)
                    }
                    if let error = file.setFinalMode() { return PublishError(failure: error, published: published) }
                    let code = file.rename(temporaryPath)
                    if code != 0 {
                        let error = FileError(renaming, path: file.name, code: code)
                        return PublishError(failure: error, published: published)
                    }
                    registry.paths.remove(temporaryPath)
                    if let error = file.difference(from: file.targetPath) {
                        return PublishError(failure: error, published: published)
                    }
                }
                published.append(file.name)
            }
            return nil
        }
        if let failure { throw failure }
    }

    private static let renaming = "rename into place"

    /// Returns an error if the name does not refer to the written file, if another program changed its size, or if the
    /// system does not report the file.
    private func difference(from path: String) -> FileError? {
        var (named, written) = (stat(), stat())
        if lstat(path, &named) != 0 {
            return errno == ENOENT ? .replaced(name) : FileError(Self.renaming, path: name, code: errno)
        }
        if fstat(descriptor, &written) != 0 { return FileError(Self.renaming, path: name, code: errno) }
        if named.st_dev != written.st_dev || named.st_ino != written.st_ino { return .replaced(name) }
        let end = end.load(ordering: .relaxed)
        return named.st_size == end ? nil : .resized(name, to: Int(named.st_size), from: end)
    }

    /// Whether a file exists at the target that must not be replaced.
    private var isBarred: Bool {
        var status = stat()
        return temporaryPath != nil && !replaces && lstat(targetPath, &status) == 0
    }

    /// Grants access to the users who may read the file. A file system without modes applies its own rules.
    private func setFinalMode() -> FileError? {
        if fchmod(descriptor, finalMode) == 0 || [EPERM, ENOSYS, ENOTSUP, EOPNOTSUPP].contains(errno) { return nil }
        return FileError("set the mode of", path: name, code: errno)
    }

    /// - Returns: 0, or an `errno` value.
    private func rename(_ temporaryPath: String) -> Int32 {
        if !replaces { return renameToNew(temporaryPath, targetPath) }
        return Self.replace(temporaryPath, targetPath) == 0 ? 0 : errno
    }

    /// The system's `rename`. A method of this class has the same name.
    private static func replace(_ from: String, _ to: String) -> Int32 {
        CAssaySystem.rename(from, to)
    }

    private static let registry = Lock(ofProcess: Registry())

    /// The existing temporary files, and whether more may be created.
    private struct Registry {
        var paths: Set<String> = []
        var isClosed = false
        var willPublish: @Sendable () -> Void = {}
    }

    /// Sets a function that each `publish` calls first, without the lock. The command uses it to end the process if a
    /// signal has arrived and the thread that awaits signals has not run yet.
    package static func beforePublishing(_ body: @escaping @Sendable () -> Void) {
        registry.withLock { $0.willPublish = body }
    }

    /// Removes all temporary files of the process, and blocks creating and publishing files. For the thread that ends
    /// the process on a signal.
    package static func removeAllForExit() {
        registry.withLock { registry in
            for path in registry.paths { unlink(path) }
            registry = Registry(isClosed: true)
        }
    }
}

/// Makes the names in a directory durable.
///
/// A directory that the process may not read is skipped, and so is one that the file system cannot synchronize, such as
/// some network file systems: `EINVAL`, `ENOTSUP`.
func synchronizeDirectory(_ directory: String) throws(FileError) {
    let path = directory.isEmpty ? "." : directory
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 {
        if errno == EACCES { return }
        throw FileError("synchronize", path: path, code: errno)
    }
    defer { close(descriptor) }
    if fsync(descriptor) != 0 && ![EINVAL, ENOTSUP, EOPNOTSUPP].contains(errno) {
        throw FileError("synchronize", path: path, code: errno)
    }
}
