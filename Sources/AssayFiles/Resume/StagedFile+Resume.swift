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
    static func openResumable(_ path: String) throws(FileError) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
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
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return descriptor }
        }
        close(descriptor)
        throw inUse(path)
    }

    static func inUse(_ path: String) -> FileError {
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

    /// Cuts off what was written behind a place, and goes on there.
    func cut(to count: Int) throws(FileError) {
        var status = stat()
        if fstat(descriptor, &status) != 0 { throw FileError("go on with", path: name, code: errno) }
        if status.st_size < count {
            var error = FileError("go on with", path: name, code: 0)
            error.advice = "it has \(status.st_size) bytes, and \(count) were written"
            throw error
        }
        if ftruncate(descriptor, off_t(count)) != 0 || lseek(descriptor, off_t(count), SEEK_SET) < 0 {
            throw FileError("go on with", path: name, code: errno)
        }
    }
}
