internal import Assay

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// `a/b/c.csv` is `a/b/` and `c.csv`.
package func splitPath(_ path: String) -> (directory: String, base: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
    let base = path.utf8.index(after: slash)
    return (String(path[..<base]), String(path[base...]))
}

/// `users.csv` is `users` and `.csv`; a point at the beginning begins no ending.
package func splitEnding(_ base: String) -> (stem: String, ending: String) {
    guard let dot = base.utf8.lastIndex(of: UInt8(ascii: ".")), dot > base.startIndex else { return (base, "") }
    return (String(base[..<dot]), String(base[dot...]))
}

/// Whether there is a directory, at the end of all links.
package func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// The place of a name, whether or not there is a file: two spellings of it are equal.
struct Place: Hashable {
    private let directory: FileIdentity?
    private let name: ByteEqualString

    init(_ path: String) {
        let (directory, base) = splitPath(path)
        self.directory = path == CleanJob.standard ? nil : FileIdentity(at: directory)
        name = ByteEqualString(self.directory == nil ? path : base)
    }
}

/// A directory, as ``splitPath(_:)`` has it, by the one name that it has without links.
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

/// Whether a path leads to a regular file.
package func isRegularFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
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

/// What a path leads to when its last part is a link: the file that would be replaced, whether or not it is there. Another
/// name of an open descriptor is followed no further. `nil`: a link on the way is no text, or they go round in circles.
///
/// Unlike `realpath` it works where the directories above cannot be searched, or have names that are no text.
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

/// Whether a path is another name of an open descriptor, such as `/dev/stdout`. Not what merely stands below `/dev`:
/// files in `/dev/shm` are files.
func namesOpenDescriptor(_ path: String) -> Bool {
    if openDescriptor(namedBy: path) != nil { return true }
    // Of another process.
    let parts = path.pieces(at: "/")
    return parts.count == 5 && parts[0].isEmpty && parts[1] == "proc" && parts[3] == "fd"
}

/// The descriptor of this process that a path is another name of, if it is.
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
