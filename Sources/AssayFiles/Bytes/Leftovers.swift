internal import Assay
internal import CAssaySystem

/// Temporary files of killed runs.
///
///     .users.clean.csv.assay-4711-708b1f2e55d09c31    locked: its run is alive, here or over NFS
///     .users.clean.csv.assay-4660-0c45a3de71b8f216    not locked: its run is dead
///
/// A process id does not identify the run: it may have been reused, or belong to another container. The system releases
/// a lock when the process ends for any reason (flock(2)).
enum Leftovers {
    /// The number of hexadecimal digits in a temporary name.
    static let digits = 16

    /// Removes such files of this user in a directory. On a file system without locks, it removes no files.
    ///
    /// - Parameter needed: Files to keep in any case.
    /// - Returns: The paths of the removed files.
    static func remove(in directory: String, except needed: Set<FileIdentity>) -> [String] {
        guard let stream = opendir(directory.isEmpty ? "." : directory) else { return [] }
        defer { closedir(stream) }
        var removed: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                bytes.prefix { $0 != 0 }.first == UInt8(ascii: ".")
                    ? String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self) : nil
            }
            guard let name, isTemporary(name), removeDead(directory + name, except: needed) else { continue }
            removed.append(directory + name)
        }
        return removed.sorted()
    }

    /// Whether a name has the form that ``StagedFile`` uses: `.NAME.assay-PROCESS-NUMBER`.
    private static func isTemporary(_ name: String) -> Bool {
        let parts = name.pieces(at: ".")
        guard parts.count >= 3, parts[0].isEmpty, let end = parts.last.map(String.init),
            end.begins(withBytesOf: "assay-")
        else {
            return false
        }
        let numbers = String(end.dropFirst("assay-".count)).pieces(at: "-")
        guard numbers.count == 2, numbers[1].utf8.count == digits else { return false }
        return (1...10 ~= numbers[0].utf8.count) && numbers[0].utf8.allSatisfy { 48...57 ~= $0 }
            && numbers[1].utf8.allSatisfy { 48...57 ~= $0 || 97...102 ~= $0 }
    }

    /// Removes a file unless its process is alive. Only the holder of the lock removes it, so that the name cannot
    /// belong to another file by then.
    static func removeDead(_ path: String, except needed: Set<FileIdentity> = []) -> Bool {
        let flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        // Over NFS, a lock requires write permission, which a file before publishing may lack.
        var descriptor = open(path, O_RDWR | flags)
        if descriptor < 0 && errno == EACCES { descriptor = open(path, O_RDONLY | flags) }
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var (status, named) = (stat(), stat())
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            !needed.contains(FileIdentity(status)), flock(descriptor, LOCK_EX | LOCK_NB) == 0,
            lstat(path, &named) == 0, FileIdentity(named) == FileIdentity(status)
        else { return false }
        return unlink(path) == 0
    }
}
