internal import Assay
internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// An output that carries a temporary name until it is whole.
///
///     .users.clean.csv.assay-4711-708b1f2e55d09c31   ──publish──►   users.clean.csv
///
/// It is made beside its target, so that the rename cannot cross file systems. Until `publish` only its owner can read it
/// (mode 0600); then it gets its final mode, which lets nobody read it who could not read the inputs (``FileAccess``).
///
/// Whatever ends the process before `publish` removes it: an error, or a signal that can be awaited (see
/// `removeAllForExit`). What kills the process outright leaves it; the lock on it is gone then, and the next run that writes
/// to the directory removes it (``Leftovers``). A run that can be resumed gives it a name that the next one finds
/// (``Resumption``), and from its first checkpoint on it stays there.
package final class StagedFile: Sink {
    package let name: String
    private let sink: DescriptorSink
    var descriptor: Int32 { sink.file.number }
    /// `nil` for what cannot be renamed over, such as a pipe or `/dev/null`: those are written to directly.
    private let temporaryPath: String?
    private let targetPath: String
    /// Whether it was whole, and had its name, when another run was ended: nothing is to be done any more.
    let isPublished: Bool
    /// Whether it may take the place of another file.
    private let replaces: Bool
    /// The mode that it gets when it is published.
    private let finalMode: mode_t
    /// The hash of its bytes; `nil`: no other run may go on with it.
    let hash: RangeHash?
    /// How far the file was written.
    let end = Atomic(0)

    /// - Parameters:
    ///   - replaces: whether a file that stands at the path, now or at the end, may be replaced.
    ///   - inputs: the access to the files that its content comes from. The output is open to no one else.
    ///   - resume: how it begins, if another run may go on with it.
    /// - Throws: ``FileError`` when the target's directory cannot be written to, or there is a file that may not be replaced.
    package convenience init(path: String, replaces: Bool, from inputs: [FileAccess] = []) throws(FileError) {
        try self.init(path: path, replaces: replaces, from: inputs, resume: nil)
    }

    init(path: String, replaces: Bool, from inputs: [FileAccess], resume: Resume?) throws(FileError) {
        name = path
        self.replaces = replaces
        hash = resume.map { RangeHash(key: $0.hashKey) }
        if path.isEmpty { throw FileError("create", path: path, code: ENOENT) }
        let target = OutputTarget(path)
        // The temporary name is shorter: without this it would be known only when the file is to get its own.
        if target.code == ENAMETOOLONG { throw FileError("create", path: path, code: target.code) }
        // The rename would put a plain file in its place.
        if target.kind == .brokenLink { throw FileError("follow the link", path: path, code: target.code) }
        if target.isDirectory { throw FileError("write", path: path, code: EISDIR) }
        // A link stays a link: what it leads to is replaced.
        guard let place = target.place else { throw FileError("follow the link", path: path, code: EILSEQ) }
        targetPath = place
        if let resume, let stamp = resume.stamp, target.isStill(stamp) {
            sink = DescriptorSink(descriptor: try Self.openPublished(place, resume, stamp), name: path)
            (temporaryPath, finalMode, isPublished) = (nil, 0, true)
            return
        }
        isPublished = false
        if target.kind == .other {
            if target.isPipeOfStranger(at: place) {
                var error = FileError("write", path: path, code: EACCES)
                error.advice = "it is a pipe of another user, in a directory where everybody may put one"
                throw error
            }
            sink = DescriptorSink(descriptor: try Self.openAsItIs(path, at: place), name: path)
            temporaryPath = nil
            finalMode = 0
            return
        }
        let exists = target.kind == .regularFile
        if exists && !replaces { throw FileError("create", path: path, code: EEXIST) }
        let (directory, base) = splitPath(targetPath)
        // A name may have 255 bytes; the temporary one must fit, too.
        let stem = directory + "." + String(decoding: base.utf8.prefix(180), as: UTF8.self) + ".assay-\(getpid())-"
        var made = Self.create(stem: stem, findsUsualMode: !exists)
        if let resume, made.descriptor >= 0 { made = try Self.resumable(made, resume, at: place) }
        temporaryPath = made.path
        sink = DescriptorSink(descriptor: made.descriptor, name: path)
        // One that replaces another keeps the mode of that, where the inputs allow it.
        let mode = target.status.map { $0.st_mode & 0o777 } ?? made.usualMode
        finalMode = made.descriptor < 0 ? 0 : inputs.reduce(mode) { $1.limit($0, ofFile: made.descriptor) }
        guard made.descriptor >= 0 else { throw FileError("create", path: path, code: made.code) }
    }

    /// Opens what is written to as it is: a pipe, a device, or what is open already, which goes on where it is.
    private static func openAsItIs(_ path: String, at place: String) throws(FileError) -> Int32 {
        let descriptor: Int32
        if let number = openDescriptor(namedBy: place) {
            // One that cannot be written to is no output, whatever the rights of the file.
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

    /// Makes a file with a name that nobody has: one of a process that was killed may have been left, also by our own number.
    private static func create(stem: String, findsUsualMode: Bool) -> Made {
        // Under the lock, so that a signal finds either no file or a registered one.
        registry.withLock { registry in
            var made = Made(path: stem)
            var findsUsualMode = findsUsualMode
            for _ in 0..<100 where !registry.isClosed {
                // Nobody can know it beforehand, and prepare something there.
                made.path = stem + hexadecimal(.random(in: .min ... .max), digits: Leftovers.digits)
                // Reading the umask would mean to set it, for all threads. An empty file shows it as well; whoever opens
                // that in time has the wrong file.
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

    /// Gives a new file the name that the next run looks for, or takes what another one has left there instead.
    private static func resumable(_ new: Made, _ resume: Resume, at place: String) throws(FileError) -> Made {
        let path = Resumption.path(of: place, first: resume.first)
        // Under the lock, as above.
        let result: Result<Made, FileError> = registry.withLock { registry in
            var made = new
            made.path = path
            do throws(FileError) {
                if resume.goesOn {
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

    /// Gives a checkpoint its name, and leaves its files where they are, also if the run fails or is ended: another one goes on with
    /// them. All of it before a signal can end the process.
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

    /// Makes the file of a checkpoint, which is removed if the process is ended before it has its name.
    ///
    /// - Returns: its descriptor.
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

    /// Removes that file.
    static func discardKept(_ path: String) {
        registry.withLock { if $0.paths.remove(path) != nil { unlink(path) } }
    }

    /// Makes a file and locks it, so that others can tell it from one whose process is dead (see ``Leftovers``).
    ///
    /// - Returns: its descriptor, or −1 with `errno` set; `EEXIST` also when a sweeper was faster, which removes it.
    private static func openNew(_ path: String, mode: mode_t) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        if descriptor < 0 { return -1 }
        var status = stat()
        // A file system without locks has no sweepers either.
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

    /// Whether it is a file that nobody else writes to, rather than what was open already, a pipe or a device.
    var isNewFile: Bool { temporaryPath != nil || isPublished }

    /// Where the file is, once it is published.
    var directory: String { splitPath(targetPath).directory }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        if isNewFile { note(bytes, at: try count) }
        try sink.write(bytes)
    }

    private func note(_ bytes: UnsafeRawBufferPointer, at place: Int) {
        hash?.add(bytes, at: place)
        _ = end.max(place + bytes.count, ordering: .relaxed)
    }

    /// Writes at a place of its own. Any thread may call it.
    ///
    /// - Precondition: it is a new file.
    func write(_ bytes: UnsafeRawBufferPointer, at place: Int) throws(FileError) {
        precondition(isNewFile, "what is no file has no places")
        note(bytes, at: place)
        let code = sink.file.write(bytes, at: place)
        if code != 0 { throw FileError("write", path: name, code: code) }
    }

    /// How many bytes have been written one after the other.
    var count: Int {
        get throws(FileError) {
            let place = lseek(descriptor, 0, SEEK_CUR)
            if place < 0 { throw FileError("write", path: name, code: errno) }
            return Int(place)
        }
    }

    /// Makes sure that the bytes are on the disk. After an error here nothing may be published: a second try may succeed
    /// with the data lost.
    package func synchronize() throws(FileError) {
        if isNewFile, fsync(descriptor) != 0 { throw FileError("write", path: name, code: errno) }
    }

    /// Gives the files their names, in order, and all of them before a signal can end the process.
    ///
    /// What somebody else has made meanwhile where one of them belongs stays, unless it may be replaced.
    ///
    /// - Throws: ``PublishError`` when one could not be renamed; those before it have their names.
    package static func publish(_ files: [StagedFile]) throws(PublishError) {
        registry.withLock { $0.willPublish }()
        let failure: PublishError? = registry.withLock { registry in
            // A signal came first: the process is about to end, and nothing more may be said of success.
            while registry.isClosed { pause() }
            var published: [String] = []
            // A name that is taken is best known before any of the others is given.
            if let file = files.first(where: \.isBarred) {
                return PublishError(failure: FileError(renaming, path: file.name, code: EEXIST), published: [])
            }
            for file in files {
                if let temporaryPath = file.temporaryPath {
                    // Whoever may write to the directory may have put another file there, also while the name is given.
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

    /// The error for a name that is not that of the file which was written, or for a file that another program has made longer or
    /// shorter.
    private func difference(from path: String) -> FileError? {
        var (named, written) = (stat(), stat())
        guard lstat(path, &named) == 0, fstat(descriptor, &written) == 0, named.st_dev == written.st_dev,
            named.st_ino == written.st_ino
        else { return .replaced(name) }
        let end = end.load(ordering: .relaxed)
        return named.st_size == end ? nil : .resized(name, to: Int(named.st_size), from: end)
    }

    /// Whether something stands at the target that may not be replaced.
    private var isBarred: Bool {
        var status = stat()
        return temporaryPath != nil && !replaces && lstat(targetPath, &status) == 0
    }

    /// Opens the file to those who may read it. A file system that keeps no modes decides by itself.
    private func setFinalMode() -> FileError? {
        if fchmod(descriptor, finalMode) == 0 || [EPERM, ENOSYS, ENOTSUP, EOPNOTSUPP].contains(errno) { return nil }
        return FileError("set the mode of", path: name, code: errno)
    }

    /// - Returns: 0, or the system's error number.
    private func rename(_ temporaryPath: String) -> Int32 {
        if !replaces { return renameToNew(temporaryPath, targetPath) }
        return Self.replace(temporaryPath, targetPath) == 0 ? 0 : errno
    }

    /// The system's `rename`, of which there is one with this name here.
    private static func replace(_ from: String, _ to: String) -> Int32 {
        #if canImport(Darwin)
            Darwin.rename(from, to)
        #elseif canImport(Musl)
            Musl.rename(from, to)
        #else
            Glibc.rename(from, to)
        #endif
    }

    private static let registry = Lock(Registry())

    /// The temporary files there are, and whether there may be more.
    private struct Registry {
        var paths: Set<String> = []
        var isClosed = false
        var willPublish: @Sendable () -> Void = {}
    }

    /// Sets a function that each `publish` calls first, without the lock. The command ends the process there if a signal has
    /// arrived and the thread that awaits signals has not run yet.
    package static func beforePublishing(_ body: @escaping @Sendable () -> Void) {
        registry.withLock { $0.willPublish = body }
    }

    /// Removes all temporary files of the process, and lets none be made or published from now on: for the thread that ends
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
/// A directory that the process may not read is left, and so is one that the file system cannot synchronize, as some network file
/// systems: `EINVAL`, `ENOTSUP`.
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
