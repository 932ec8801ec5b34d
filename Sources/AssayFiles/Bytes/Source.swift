internal import CAssaySystem
internal import Synchronization

/// A source of bytes: a file, a pipe, a decompressor, the body of a request.
///
/// Used by one thread at a time.
public protocol Source: Sendable {
    /// The name in messages.
    var name: String { get }

    /// The total number of bytes, if known; used to report progress.
    var byteCount: Int? { get }

    /// Reads bytes into the front of the buffer, which must not be empty. Returns their number, or 0 at the end. May
    /// block.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int
}

extension Source {
    /// Appends bytes until the array has `target` bytes. Returns whether the source has ended.
    func read(onto bytes: inout [UInt8], upTo target: Int) throws(FileError) -> Bool {
        bytes.reserveCapacity(target)
        while bytes.count < target {
            if try readPiece(onto: &bytes, upTo: target) { return true }
        }
        return false
    }

    /// Reads `count` bytes in pieces and passes them to `see`.
    func skip(_ count: Int, _ see: (UnsafeRawBufferPointer) -> Void = { _ in }) throws(FileError) {
        var (left, problem) = (count, FileError?.none)
        withUnsafeTemporaryAllocation(byteCount: min(count, 1 << 16), alignment: 1) { buffer in
            while left > 0 && problem == nil {
                do throws(FileError) {
                    let count = try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(left)))
                    if count == 0 { throw FileError("read", path: name, code: EIO) }
                    see(UnsafeRawBufferPointer(rebasing: buffer.prefix(count)))
                    left -= count
                } catch { problem = error }
            }
        }
        if let problem { throw problem }
    }

    /// Appends the bytes of one read, up to a total of `target`. A pipe returns the bytes that are available. Returns
    /// whether the source has ended.
    func readPiece(onto bytes: inout [UInt8], upTo target: Int) throws(FileError) -> Bool {
        var problem: FileError?
        let part = [UInt8](unsafeUninitializedCapacity: target - bytes.count) { buffer, initialized in
            do throws(FileError) {
                initialized = try read(into: UnsafeMutableRawBufferPointer(buffer))
            } catch { problem = error }
        }
        if let problem { throw problem }
        bytes += part
        return part.isEmpty
    }
}

/// A file, or another object with a file descriptor.
///
/// The file is read, not mapped, because access to a mapped file that another process truncates raises SIGBUS.
public final class FileSource: Source {
    public let name: String
    public let byteCount: Int?

    /// Identifies the file independently of its path: device and inode.
    package let identity: FileIdentity
    /// The permissions of the file. `nil` if it is not a regular file.
    package let access: FileAccess?
    private let descriptor: Int32
    private let ownsDescriptor: Bool
    let atOpen: FileStamp
    /// Whether it is a regular file that was opened by its own path, not through an open descriptor.
    let isNamedFile: Bool
    /// The offset at which reading begins. Standard input may have been read before.
    private let start: Int
    /// The number of bytes read since then. Changed only by the thread that reads.
    private let taken = Atomic(0)

    /// Opens a file.
    public convenience init(path: String) throws(FileError) {
        // Refuse a descriptor that is open only for writing, even if its file is readable.
        let place = followLinks(path)
        let number = place.flatMap(openDescriptor)
        let isNamed = place.map { !namesOpenDescriptor($0) } ?? false
        if let number, fcntl(number, F_GETFL) & O_ACCMODE == O_WRONLY {
            throw FileError("read", path: path, code: EBADF)
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError("open", path: path, code: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError("open", path: path, code: errno) }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            close(descriptor)
            throw .directory(path)
        }
        self.init(descriptor, status, name: path, isOwner: true, isNamed: isNamed)
    }

    /// Creates a source for an open regular file. The source closes the descriptor.
    convenience init(descriptor: Int32, path: String) throws(FileError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let error = FileError("open", path: path, code: errno)
            close(descriptor)
            throw error
        }
        self.init(descriptor, status, name: path, isOwner: true, isNamed: true)
    }

    /// Returns a source for standard input, which remains open.
    public static func standardInput() throws(FileError) -> FileSource {
        let name = "standard input"
        var status = stat()
        guard fstat(STDIN_FILENO, &status) == 0 else { throw FileError("read", path: name, code: errno) }
        return FileSource(STDIN_FILENO, status, name: name, isOwner: false, isNamed: false)
    }

    private init(_ descriptor: Int32, _ status: stat, name: String, isOwner: Bool, isNamed: Bool) {
        #if os(Linux)
            if isOwner { posix_fadvise(descriptor, 0, 0, Int32(POSIX_FADV_SEQUENTIAL)) }
        #endif
        self.name = name
        self.descriptor = descriptor
        ownsDescriptor = isOwner
        byteCount = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
        isNamedFile = isNamed && byteCount != nil
        identity = FileIdentity(status)
        access = FileAccess(descriptor, status)
        atOpen = FileStamp(status)
        start = max(0, Int(lseek(descriptor, 0, SEEK_CUR)))
    }

    deinit { if ownsDescriptor { close(descriptor) } }

    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        while true {
            let count = uninterrupted {
                CAssaySystem.read(descriptor, buffer.baseAddress, buffer.count)
            }
            if count > 0 {
                taken.wrappingAdd(count, ordering: .relaxed)
                return count
            }
            if count == 0 {
                try expectComplete()
                return 0
            }
            if errno == EAGAIN {
                var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                poll(&poller, 1, -1)
                continue
            }
            throw FileError("read", path: name, code: errno, offset: offset)
        }
    }

    /// The offset of the next read from the start of the file or pipe.
    private var offset: Int { start + taken.load(ordering: .relaxed) }

    /// Throws if the file has become shorter than at the time of opening, because its missing end would otherwise
    /// remain unnoticed. (Some system files permanently report a size larger than their content.)
    private func expectComplete() throws(FileError) {
        var status = stat()
        guard let byteCount, offset < byteCount, fstat(descriptor, &status) == 0, status.st_size < byteCount else {
            return
        }
        throw .shortened(name, at: offset, from: byteCount)
    }

    /// The offset of the next read in a regular file that no other reader shares; `nil` otherwise.
    package var position: Int? {
        guard ownsDescriptor, byteCount != nil else { return nil }
        let position = lseek(descriptor, 0, SEEK_CUR)
        return position >= 0 ? Int(position) : nil
    }

    /// Reads at an offset without changing the position. Returns the number of bytes, or 0 at the end. Any thread may
    /// call it.
    func readFully(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        let count = uninterrupted { pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
        if count < 0 { throw FileError("read", path: name, code: errno, offset: offset) }
        return count
    }

    /// Fills a buffer with the bytes at an offset of a regular file. Any thread may call it.
    ///
    /// - Throws: ``FileError``, including if the file has become shorter since it was opened.
    func readAll(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = try readFully(at: offset + done, into: rest)
            if count == 0 {
                var status = stat()
                let size = fstat(descriptor, &status) == 0 ? Int(status.st_size) : offset + done
                throw .shortened(name, at: min(size, offset + done), from: byteCount ?? offset + buffer.count)
            }
            done += count
        }
    }

    /// Whether standard output is the same file, so that a run would read its own output.
    package var isStandardOutput: Bool {
        var status = stat()
        return byteCount != nil && fstat(STDOUT_FILENO, &status) == 0 && FileIdentity(status) == identity
    }

    /// Whether a regular file was modified after it was opened.
    package var hasChanged: Bool {
        var status = stat()
        guard byteCount != nil, fstat(descriptor, &status) == 0 else { return false }
        return FileStamp(status) != atOpen
    }
}

/// Identifies a file independently of its path.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    /// The number of the file on its file system.
    var inodeNumber: Int { Int(truncatingIfNeeded: inode) }

    /// The identity of a directory in the form of ``splitPath(_:)``: an empty path is the working directory. `nil` if
    /// it does not exist.
    package init?(at directory: String) {
        var status = stat()
        guard stat(directory.isEmpty ? "." : directory, &status) == 0 else { return nil }
        self.init(status)
    }

    init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
    }
}

/// Identifies a file and its state. The stamp changes if another process writes to the file.
struct FileStamp: Hashable, Sendable {
    let identity: FileIdentity
    let size: Int
    let seconds: Int
    let nanoseconds: Int

    init(_ status: stat) {
        identity = FileIdentity(status)
        size = Int(status.st_size)
        #if canImport(Darwin)
            seconds = status.st_mtimespec.tv_sec
            nanoseconds = status.st_mtimespec.tv_nsec
        #else
            seconds = status.st_mtim.tv_sec
            nanoseconds = status.st_mtim.tv_nsec
        #endif
    }
}
