internal import CAssaySystem

/// The state of an output's path before the run writes to it.
struct OutputTarget {
    enum Kind {
        case nothing, regularFile, brokenLink
        /// A pipe, a device, a directory.
        case other
    }

    let name: String
    let kind: Kind
    /// The file status after following all links. `nil` if the file does not exist.
    let status: stat?
    /// The `errno` of the failed `stat`; 0 if the file exists.
    let code: Int32
    /// The path after following all links. `nil` if the target of a link is not valid text.
    let place: String?

    /// - Parameter path: a path, or `-` for standard output.
    init(_ path: String) {
        var status = stat()
        let isStandard = path == CleanJob.standard
        name = isStandard ? "standard output" : printable(path)
        if isStandard ? fstat(STDOUT_FILENO, &status) == 0 : stat(path, &status) == 0 {
            (self.status, code) = (status, 0)
            place = followLinks(path)
            let isFile = status.st_mode & S_IFMT == S_IFREG
            // Write directly to a path that names an open descriptor, even if the descriptor is a regular file.
            kind = isFile && !(place.map(namesOpenDescriptor) ?? false) ? .regularFile : .other
        } else {
            (self.status, code) = (nil, errno)
            place = path
            kind = !isStandard && lstat(path, &status) == 0 ? .brokenLink : .nothing
        }
    }

    /// Whether the path leads to a regular file, possibly through an open descriptor.
    var isFile: Bool { type == S_IFREG }
    var isDevice: Bool { type == S_IFCHR }
    var isDirectory: Bool { type == S_IFDIR }
    var identity: FileIdentity? { status.map { FileIdentity($0) } }

    /// Whether the target is a regular file with this stamp (``FileStamp/kept``).
    func isStill(_ stamp: [Int]) -> Bool {
        kind == .regularFile && status.map { FileStamp($0).kept } == stamp
    }

    /// Whether the target is a pipe that another user created in a shared directory such as `/tmp`, possibly to
    /// intercept the output. Linux refuses to open such pipes with `O_CREAT` (`fs.protected_fifos`).
    func isPipeOfStranger(at place: String) -> Bool {
        guard let status, type == S_IFIFO, ![0, geteuid()].contains(status.st_uid) else { return false }
        let directory = splitPath(place).directory
        var around = stat()
        let isKnown = stat(directory.isEmpty ? "." : directory, &around) == 0
        return isKnown && around.st_mode & S_ISVTX != 0 && around.st_mode & 0o022 != 0 && around.st_uid != status.st_uid
    }

    private var type: mode_t? { status.map { $0.st_mode & S_IFMT } }
}
