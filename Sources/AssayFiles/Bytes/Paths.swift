#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// `a/b/c.csv` is `a/b/` and `c.csv`.
package func splitPath(_ path: String) -> (directory: String, base: String) {
    guard let slash = path.lastIndex(of: "/") else { return ("", path) }
    return (String(path[...slash]), String(path[path.index(after: slash)...]))
}

/// `users.csv` is `users` and `.csv`; a point at the beginning begins no ending.
func splitEnding(_ base: String) -> (stem: String, ending: String) {
    guard let dot = base.lastIndex(of: "."), dot > base.startIndex else { return (base, "") }
    return (String(base[..<dot]), String(base[dot...]))
}

/// A path at which there is nothing yet: `users.csv`, or else `users-2.csv` and so on.
package func unusedPath(_ stem: String, ending: String) -> String {
    var status = stat()
    var path = stem + ending
    var number = 2
    while lstat(path, &status) == 0 {
        path = "\(stem)-\(number)\(ending)"
        number += 1
    }
    return path
}

/// A path by which two spellings of the same place can be told to be equal, whether or not the file exists.
func resolvedPath(_ path: String) -> String {
    let (directory, base) = splitPath(path)
    return realPath(directory.isEmpty ? "." : directory).map { $0 + "/" + base } ?? path
}

/// The path with all links followed; `nil` when there is nothing.
func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
}

/// Whether a path is another name of an open descriptor, such as `/dev/stdout`. Not what merely stands below `/dev`:
/// files in `/dev/shm` are files.
func namesOpenDescriptor(_ path: String) -> Bool {
    ["/dev/stdout", "/dev/stderr"].contains(path) || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/")
}
