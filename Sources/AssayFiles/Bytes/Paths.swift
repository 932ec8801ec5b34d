internal import Assay
internal import CAssaySystem

/// `a/b/c.csv` is `a/b/` and `c.csv`.
package func splitPath(_ path: String) -> (directory: String, base: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
    let base = path.utf8.index(after: slash)
    return (String(path[..<base]), String(path[base...]))
}

/// `users.csv` is `users` and `.csv`. A leading point does not begin an ending.
package func splitEnding(_ base: String) -> (stem: String, ending: String) {
    guard let dot = base.utf8.lastIndex(of: UInt8(ascii: ".")), dot > base.startIndex else { return (base, "") }
    return (String(base[..<dot]), String(base[dot...]))
}

/// Whether the path leads to a directory after following all links.
package func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// The place of a file name, whether or not the file exists. Different spellings of a path are equal.
struct Place: Hashable {
    private let directory: FileIdentity?
    private let name: ByteEqualString

    init(_ path: String) {
        let (directory, base) = splitPath(path)
        self.directory = path == CleanJob.standard ? nil : FileIdentity(at: directory)
        name = ByteEqualString(self.directory == nil ? path : base)
    }
}

/// Returns a directory, in the form of ``splitPath(_:)``, as its canonical path without links.
func canonicalPath(_ directory: String) -> String {
    guard let path = realpath(directory.isEmpty ? "." : directory, nil) else { return directory }
    defer { free(path) }
    let name = String(cString: path)
    return name.ends(withBytesOf: "/") ? name : name + "/"
}

/// A directory from the root on, with a slash at the end; the path as it is if the current directory has no name.
///
/// - Parameter directory: empty for the current one.
package func absolutePath(_ directory: String) -> String {
    let ending = directory.isEmpty || directory.ends(withBytesOf: "/") ? directory : directory + "/"
    if ending.utf8.first == UInt8(ascii: "/") { return ending }
    guard let current = getcwd(nil, 0) else { return directory }
    defer { free(current) }
    let name = String(cString: current)
    return (name.ends(withBytesOf: "/") ? name : name + "/") + ending
}

/// Whether a path leads to an existing file that is not a regular one, such as a pipe.
package func isSpecialFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
}

/// Whether the last part of a path is a link.
func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
}

/// A number with so many digits.
func hexadecimal(_ number: UInt64, digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: digits - text.utf8.count) + text
}

/// Returns the target of a path after following links at its last part: the file that would be replaced, whether or not
/// it exists. Stops at the name of an open descriptor. Returns `nil` if a link is not valid text or the links form a
/// cycle.
///
/// Unlike `realpath`, it works if parent directories cannot be searched or have names that are not valid text.
func followLinks(_ path: String) -> String? {
    var path = path
    for _ in 0..<40 where !namesOpenDescriptor(path) {
        let target = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
            count = max(0, readlink(path, buffer.baseAddress!, buffer.count))
        }
        if target.isEmpty { return path }
        guard let text = String(validating: target, as: UTF8.self) else { return nil }
        path = text.begins(withBytesOf: "/") ? text : splitPath(path).directory + text
    }
    return namesOpenDescriptor(path) ? path : nil
}

/// Whether a path names an open descriptor, such as `/dev/stdout`. Other paths below `/dev`, such as files in
/// `/dev/shm`, are not included.
func namesOpenDescriptor(_ path: String) -> Bool {
    if openDescriptor(namedBy: path) != nil { return true }
    // A descriptor of another process.
    let parts = path.pieces(at: "/")
    return parts.count == 5 && parts[0].isEmpty && parts[1] == "proc" && parts[3] == "fd"
}

/// Returns the descriptor of this process that a path names, if there is one.
func openDescriptor(namedBy path: String) -> Int32? {
    switch path {
    case "/dev/stdin": return STDIN_FILENO
    case "/dev/stdout": return STDOUT_FILENO
    case "/dev/stderr": return STDERR_FILENO
    default:
        let (directory, base) = splitPath(path)
        guard let number = Int32(base), let here = FileIdentity(at: directory) else { return nil }
        let places = ["/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"]
        return places.contains { FileIdentity(at: $0) == here } ? number : nil
    }
}
