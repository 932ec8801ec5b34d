internal import CAssaySystem
internal import Synchronization

extension StagedFile {
    /// The initial state of an output that another run may resume.
    struct Resume {
        /// The path of the first output of the run.
        var first: String
        /// Whether it starts with the bytes of an earlier run instead of empty.
        var continues: Bool
        /// The stamp of the file before it got its name; `nil` if it is not complete yet.
        var stamp: [Int]?
        /// The key of the hash of its bytes.
        var hashKey: UInt64
    }

    /// Gives a new file the name that the next run looks for.
    static func beginResumable(_ new: String, as path: String) throws(FileError) {
        var code = renameToNew(new, path)
        // A run that was killed before its first checkpoint left this file.
        if code == EEXIST, Leftovers.removeDead(path) { code = renameToNew(new, path) }
        if code == EEXIST { throw inUse(path) }
        if code != 0 { throw FileError("create", path: path, code: code) }
    }

    /// Opens the file of an earlier run, and locks it.
    ///
    /// - Parameters:
    ///   - stamp: The required stamp, if the file is complete.
    ///   - isPublished: Whether the file already has its name, so that its owner may have changed.
    static func openResumable(_ path: String, _ stamp: [Int]?, isPublished: Bool = false) throws(FileError) -> Int32 {
        let flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        // Over NFS, a lock requires write permission, which a file before publishing may lack.
        var descriptor = open(path, O_RDWR | flags)
        if descriptor < 0 && errno == EACCES && stamp != nil { descriptor = open(path, O_RDONLY | flags) }
        guard descriptor >= 0 else {
            var error = FileError("resume", path: path, code: errno)
            if errno == ENOENT {
                // A run may have been killed while its outputs got their names.
                error = FileError("resume", path: path, code: 0)
                error.advice = "\(String(cString: strerror(ENOENT))); remove the checkpoint to start over"
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

    /// Opens an output that an earlier run has already renamed, and locks it.
    static func openPublished(_ place: String, _ resume: Resume, _ stamp: [Int]) throws(FileError) -> Int32 {
        let descriptor = try openResumable(place, stamp, isPublished: true)
        // If renaming takes two steps, a run that was interrupted between them leaves both names.
        let before = Resumption.path(of: place, first: resume.first)
        if let identity = FileIdentity(at: before), identity == FileIdentity(at: place) { unlink(before) }
        return descriptor
    }

    private static func inUse(_ path: String) -> FileError {
        var error = FileError("resume", path: path, code: 0)
        error.advice = "another run is writing it, or it is another user's"
        return error
    }

    /// The current stamp.
    var stamp: FileStamp {
        get throws(FileError) {
            var status = stat()
            if fstat(descriptor, &status) != 0 { throw FileError("write", path: name, code: errno) }
            return FileStamp(status)
        }
    }

    /// Throws if the first bytes of the file differ from those that the run wrote.
    ///
    /// - Parameter expected: The hash of the bytes.
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
        var error = FileError("resume", path: path, code: 0)
        error.advice = "it has been changed; remove the checkpoint to start over"
        return error
    }

    private func expectSize(_ count: Int) throws(FileError) {
        var status = stat()
        if fstat(descriptor, &status) != 0 { throw FileError("resume", path: name, code: errno) }
        if status.st_size < count {
            var error = FileError("resume", path: name, code: 0)
            error.advice = "it has \(status.st_size) bytes, and \(count) were written"
            throw error
        }
    }

    /// Truncates the file and continues at its new end.
    func cut(to count: Int) throws(FileError) {
        if ftruncate(descriptor, off_t(count)) != 0 || lseek(descriptor, off_t(count), SEEK_SET) < 0 {
            throw FileError("resume", path: name, code: errno)
        }
    }
}
