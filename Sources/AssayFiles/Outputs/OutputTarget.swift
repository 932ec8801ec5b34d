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
    /// Whether there is a file at the end of it, also by way of a descriptor that is open.
    let isFile: Bool
    let isDevice: Bool
    let identity: FileIdentity?

    /// - Parameter path: a path, or `-` for standard output.
    init(_ path: String) {
        var status = stat()
        let isStandard = path == CleanJob.standard
        name = isStandard ? "standard output" : printable(path)
        if isStandard ? fstat(STDOUT_FILENO, &status) == 0 : stat(path, &status) == 0 {
            isFile = status.st_mode & S_IFMT == S_IFREG
            let isDescriptor = followLinks(path).map(namesOpenDescriptor) ?? false
            kind = isFile && !isDescriptor ? .regularFile : .other
            isDevice = status.st_mode & S_IFMT == S_IFCHR
            identity = FileIdentity(status)
        } else {
            kind = !isStandard && lstat(path, &status) == 0 ? .brokenLink : .nothing
            isFile = false
            isDevice = false
            identity = nil
        }
    }
}
