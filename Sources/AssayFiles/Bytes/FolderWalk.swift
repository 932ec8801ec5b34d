internal import Assay
internal import CAssaySystem

/// The way to a file inside a folder, one part of its path after the other, without leaving the folder.
///
///     data/../users.csv       folder ─► data ─► folder ─► users.csv       opened
///     data/../../users.csv    folder ─► data ─► folder ─► ✗               outside; the system is not asked
///     link.csv → ../secret    folder ─► ✗                                 outside
///
/// Each folder on the way is held open, and each part is opened in the one before without following links (`openat`,
/// `O_NOFOLLOW`), so that another program cannot put a link in the way. Links are read, and followed part by part.
struct FolderWalk: ~Copyable {
    /// Why a file is not opened.
    enum Stop: Error {
        /// The path or a link on it leads out of the folder.
        case outside(byLink: Bool)
        /// It is a pipe, a device, or a file of `/proc` or `/sys`.
        case noRegularFile
        /// The system's error number.
        case code(Int32)
    }

    /// The open folders, from the first one down to the current one.
    private var folders: [Int32]
    /// The first one by its name without links, which ends in a slash.
    private let root: [UInt8]
    /// The parts of the path that are left, the next one last.
    private var rest: [[UInt8]]
    private var links = 0

    private static let maxLinks = 40

    private init(_ first: Int32, root: [UInt8], parts: [[UInt8]]) {
        (folders, self.root, rest) = ([first], root, parts)
    }

    deinit { for folder in folders { close(folder) } }

    /// Opens a regular file for reading.
    ///
    /// - Parameters:
    ///   - folder: as the beginning of paths: empty, or with a slash at the end.
    ///   - path: a path that begins with the folder, or is absolute; if the folder is empty, a relative path.
    /// - Returns: its descriptor, which the caller owns.
    static func open(_ folder: String, _ path: String) throws(Stop) -> Int32 {
        let (start, bytes) = (Array(folder.utf8), Array(path.utf8))
        if bytes.contains(0) { throw .code(ENOENT) }
        let root = Array(canonicalPath(folder).utf8)
        let isRelativeToProcess = start.isEmpty && bytes.first != slash
        let own = isRelativeToProcess ? bytes[...] : start.isEmpty ? nil : below(start, bytes)
        guard let way = own ?? below(root, bytes) ?? below(root, resolved(bytes)) else {
            throw .outside(byLink: false)
        }
        let first = openFolder(AT_FDCWD, folder.isEmpty ? "." : folder, 0)
        if first < 0 { throw .code(errno) }
        var walk = FolderWalk(first, root: root, parts: parts(way))
        return try walk.file()
    }

    private mutating func file() throws(Stop) -> Int32 {
        while let part = rest.popLast() {
            if part.isEmpty || part == [Self.dot] { continue }
            if part == [Self.dot, Self.dot] {
                if folders.count == 1 { throw .outside(byLink: links > 0) }
                close(folders.removeLast())
                continue
            }
            if let target = try link(part) {
                try follow(target)
            } else if rest.isEmpty {
                return try openFile(part)
            } else {
                let next = Self.withName(part) { Self.openFolder(folders[folders.count - 1], $0, O_NOFOLLOW) }
                if next < 0 { throw .code(errno) }
                folders.append(next)
            }
        }
        throw .code(EISDIR)
    }

    /// Returns the target of a link, or `nil` if the part is not a link.
    private func link(_ part: [UInt8]) throws(Stop) -> [UInt8]? {
        let folder = folders[folders.count - 1]
        var code: Int32 = 0
        let target = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
            let length = Self.withName(part) { readlinkat(folder, $0, buffer.baseAddress!, buffer.count) }
            if length < 0 { code = errno }
            count = max(0, length)
        }
        if code == EINVAL { return nil }
        if code != 0 { throw .code(code) }
        return target
    }

    private mutating func follow(_ target: [UInt8]) throws(Stop) {
        links += 1
        if links > Self.maxLinks { throw .code(ELOOP) }
        var parts = target[...]
        if target.first == Self.slash {
            guard let below = Self.below(root, target) ?? Self.below(root, Self.resolved(target)) else {
                throw .outside(byLink: true)
            }
            parts = below
            while folders.count > 1 { close(folders.removeLast()) }
        }
        rest += Self.parts(parts)
    }

    private func openFile(_ part: [UInt8]) throws(Stop) -> Int32 {
        let folder = folders[folders.count - 1]
        // To open a pipe or a device may already have an effect.
        var status = stat()
        if Self.withName(part, { fstatat(folder, $0, &status, AT_SYMLINK_NOFOLLOW) }) != 0 { throw .code(errno) }
        if status.st_mode & S_IFMT == S_IFDIR { throw .code(EISDIR) }
        if status.st_mode & S_IFMT != S_IFREG { throw .noRegularFile }
        let descriptor = Self.withName(part) {
            openat(folder, $0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        }
        if descriptor < 0 { throw .code(errno) }
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, !Self.isOfKernel(status) else {
            close(descriptor)
            throw .noRegularFile
        }
        return descriptor
    }

    /// Whether a file is one of the kernel, which has the environment and the memory of processes.
    private static func isOfKernel(_ file: stat) -> Bool {
        var root = stat()
        guard stat("/", &root) == 0 else { return false }
        return ["/proc", "/sys"].contains { place in
            var status = stat()
            // On the file system of `/` it is an ordinary folder.
            return stat(place, &status) == 0 && status.st_dev != root.st_dev && status.st_dev == file.st_dev
        }
    }

    /// Opens a directory only as a place to start from: that takes no right to list it.
    private static func openFolder(_ folder: Int32, _ name: UnsafePointer<CChar>, _ flags: Int32) -> Int32 {
        #if os(Linux)
            // O_PATH (open(2)).
            openat(folder, name, 0o10_000_000 | O_DIRECTORY | O_CLOEXEC | flags)
        #else
            openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags)
        #endif
    }

    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")

    /// Returns the rest of a path below a folder that ends in a slash, or `nil` if the path is not below it.
    private static func below(_ folder: [UInt8], _ path: [UInt8]) -> ArraySlice<UInt8>? {
        path.starts(with: folder) ? path.dropFirst(folder.count) : nil
    }

    /// An absolute path with the real name of its directory, which can have several names. This may be the wrong path
    /// if another program renames directories meanwhile; the walk below the folder then ends elsewhere in it, or fails.
    private static func resolved(_ path: [UInt8]) -> [UInt8] {
        guard path.first == slash, let end = path.lastIndex(of: slash) else { return path }
        let directory = String(decoding: path[...end], as: UTF8.self)
        return Array(canonicalPath(directory).utf8) + path[(end + 1)...]
    }

    /// The parts of a path, the first one last.
    private static func parts(_ path: ArraySlice<UInt8>) -> [[UInt8]] {
        path.split(separator: slash, omittingEmptySubsequences: false).reversed().map(Array.init)
    }

    private static func withName<Result>(_ name: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (name + [0]).withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { body($0.baseAddress!) }
        }
    }
}
