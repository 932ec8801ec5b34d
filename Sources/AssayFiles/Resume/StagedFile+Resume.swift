internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

extension StagedFile {
    /// How an output begins that another run may go on with.
    struct Resume {
        /// Where the first output of the run belongs.
        var first: String
        /// Whether it begins as another run has left it, and not as an empty file.
        var goesOn: Bool
        /// What it was when it was about to get its name; `nil`: it is not whole yet.
        var stamp: [Int]?
        /// The key of the hash of its bytes.
        var hashKey: UInt64
    }

    /// Gives a new file the name that the next run looks for.
    static func beginResumable(_ new: String, as path: String) throws(FileError) {
        var code = renameToNew(new, path)
        // A run that was killed before its first checkpoint has left it.
        if code == EEXIST, Leftovers.removeDead(path) { code = renameToNew(new, path) }
        if code == EEXIST { throw inUse(path) }
        if code != 0 { throw FileError("create", path: path, code: code) }
    }

    /// Opens what another run has left, and locks it.
    ///
    /// - Parameters:
    ///   - stamp: what it must be, if it is whole.
    ///   - isPublished: whether it has its name already, so that it may have got another owner since.
    static func openResumable(_ path: String, _ stamp: [Int]?, isPublished: Bool = false) throws(FileError) -> Int32 {
        let flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        // Over NFS a lock needs the right to write. A file that was about to be published may not have it.
        var descriptor = open(path, O_RDWR | flags)
        if descriptor < 0 && errno == EACCES && stamp != nil { descriptor = open(path, O_RDONLY | flags) }
        guard descriptor >= 0 else {
            var error = FileError("go on with", path: path, code: errno)
            if errno == ENOENT {
                // A run may have been killed while its outputs got their names.
                error = FileError("go on with", path: path, code: 0)
                error.advice = "\(String(cString: strerror(ENOENT))); remove the checkpoint to begin anew"
            }
            throw error
        }
        var status = stat()
        let isFree = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
        if isFree, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            isPublished || status.st_uid == geteuid()
        {
            if stamp == nil || FileStamp(status).kept == stamp { return descriptor }
            close(descriptor)
            throw changed(path)
        }
        close(descriptor)
        throw inUse(path)
    }

    /// Opens an output that another run has given its name, and locks it.
    static func openPublished(_ place: String, _ resume: Resume, _ stamp: [Int]) throws(FileError) -> Int32 {
        let descriptor = try openResumable(place, stamp, isPublished: true)
        // Where a rename takes two steps, the run was ended between them, and the file has both names.
        let before = Resumption.path(of: place, first: resume.first)
        if let identity = FileIdentity(at: before), identity == FileIdentity(at: place) { unlink(before) }
        return descriptor
    }

    private static func inUse(_ path: String) -> FileError {
        var error = FileError("go on with", path: path, code: 0)
        error.advice = "another run is writing it, or it is another user's"
        return error
    }

    /// What it is now.
    var stamp: FileStamp {
        get throws(FileError) {
            var status = stat()
            if fstat(descriptor, &status) != 0 { throw FileError("write", path: name, code: errno) }
            return FileStamp(status)
        }
    }

    /// Refuses a file with other first bytes than the run has written.
    ///
    /// - Parameter expected: their hash.
    func expect(_ count: Int, _ expected: UInt64) throws(FileError) {
        try expectSize(count)
        guard let hash else { return }
        let found = RangeHash(key: hash.key)
        try found.add(0..<count) { buffer, place throws(FileError) in
            var done = 0
            while done < buffer.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
                let count = uninterrupted { pread(descriptor, rest.baseAddress, rest.count, off_t(place + done)) }
                if count < 0 { throw FileError("read", path: name, code: errno) }
                if count == 0 { throw Self.changed(name) }
                done += count
            }
        }
        if found.value != expected { throw Self.changed(name) }
        hash.value = expected
        end.store(count, ordering: .relaxed)
    }

    private static func changed(_ path: String) -> FileError {
        var error = FileError("go on with", path: path, code: 0)
        error.advice = "it has been changed; remove the checkpoint to begin anew"
        return error
    }

    private func expectSize(_ count: Int) throws(FileError) {
        var status = stat()
        if fstat(descriptor, &status) != 0 { throw FileError("go on with", path: name, code: errno) }
        if status.st_size < count {
            var error = FileError("go on with", path: name, code: 0)
            error.advice = "it has \(status.st_size) bytes, and \(count) were written"
            throw error
        }
    }

    /// Cuts off what was written behind a place, and goes on there.
    func cut(to count: Int) throws(FileError) {
        if ftruncate(descriptor, off_t(count)) != 0 || lseek(descriptor, off_t(count), SEEK_SET) < 0 {
            throw FileError("go on with", path: name, code: errno)
        }
    }
}
