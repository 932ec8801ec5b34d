import Assay
import CAssaySystem

/// A path of no existing file: `users.csv`, otherwise `users-2.csv` and so on.
func unusedPath(_ stem: String, ending: String) -> String {
    var paths = UnusedPaths()
    return paths.next(stem, ending: ending)
}

/// Paths of files that do not exist, each returned once.
struct UnusedPaths {
    private var given: Set<ByteEqualString> = []

    mutating func next(_ stem: String, ending: String) -> String {
        var status = stat()
        var path = stem + ending
        var number = 2
        while lstat(path, &status) == 0 || given.contains(ByteEqualString(path)) {
            path = "\(stem)-\(number)\(ending)"
            number += 1
        }
        given.insert(ByteEqualString(path))
        return path
    }
}
