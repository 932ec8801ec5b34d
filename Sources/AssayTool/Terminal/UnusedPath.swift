#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A path at which there is nothing yet: `users.csv`, or else `users-2.csv` and so on.
func unusedPath(_ stem: String, ending: String) -> String {
    var status = stat()
    var path = stem + ending
    var number = 2
    while lstat(path, &status) == 0 {
        path = "\(stem)-\(number)\(ending)"
        number += 1
    }
    return path
}
