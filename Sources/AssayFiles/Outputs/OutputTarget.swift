#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// What stands at the place of an output before it is written.
struct OutputTarget {
    enum Kind {
        case nothing, regularFile, brokenLink
        /// A pipe, a device, a directory.
        case other
    }

    let name: String
    let kind: Kind
    /// What the system says of it, at the end of all links; `nil`: there is nothing.
    let status: stat?
    /// Why there is nothing: the system's error number.
    let code: Int32
    /// Where it is, at the end of all links. `nil`: a link on the way is no text.
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
            // A way to something that is open already is written to as it is, also where that is a file.
            kind = isFile && !(place.map(namesOpenDescriptor) ?? false) ? .regularFile : .other
        } else {
            (self.status, code) = (nil, errno)
            place = path
            kind = !isStandard && lstat(path, &status) == 0 ? .brokenLink : .nothing
        }
    }

    /// Whether there is a file at the end of it, also by way of a descriptor that is open.
    var isFile: Bool { type == S_IFREG }
    var isDevice: Bool { type == S_IFCHR }
    var isDirectory: Bool { type == S_IFDIR }
    var identity: FileIdentity? { status.map { FileIdentity($0) } }

    /// Whether it is a file that is what it was (``FileStamp/kept``).
    func isStill(_ stamp: [Int]) -> Bool {
        kind == .regularFile && status.map { FileStamp($0).kept } == stamp
    }

    /// Whether it is a pipe that another user has put where many may, as in `/tmp`, perhaps to get what is written. Linux refuses these to
    /// whoever would make a file (`fs.protected_fifos`).
    func isPipeOfStranger(at place: String) -> Bool {
        guard let status, type == S_IFIFO, ![0, geteuid()].contains(status.st_uid) else { return false }
        let directory = splitPath(place).directory
        var around = stat()
        let isKnown = stat(directory.isEmpty ? "." : directory, &around) == 0
        return isKnown && around.st_mode & S_ISVTX != 0 && around.st_mode & 0o022 != 0 && around.st_uid != status.st_uid
    }

    private var type: mode_t? { status.map { $0.st_mode & S_IFMT } }
}
