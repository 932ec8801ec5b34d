internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Where bytes come from: a file, a pipe, a decompressor, the body of a request.
///
/// Used by one thread at a time.
public protocol Source: Sendable {
    /// What to call it in messages.
    var name: String { get }

    /// How many bytes there are in all, where that is known: for progress.
    var byteCount: Int? { get }

    /// Puts bytes into the front of the buffer, which is not empty, and returns how many; 0 at the end. May block.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int
}

extension Source {
    /// Appends bytes until there are `target` of them. Returns whether the source has ended.
    func read(onto bytes: inout [UInt8], upTo target: Int) throws(FileError) -> Bool {
        bytes.reserveCapacity(target)
        while bytes.count < target {
            if try readPiece(onto: &bytes, upTo: target) { return true }
        }
        return false
    }

    /// Reads a number of bytes, piece by piece, and passes them to `see`.
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

    /// Appends what one read gives, until there are at most `target` bytes: of a pipe, what has come. Returns whether the
    /// source has ended.
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

/// A file, or anything else that has a file descriptor.
///
/// It is read, never mapped: a mapped file that somebody truncates kills the process.
public final class FileSource: Source {
    public let name: String
    public let byteCount: Int?

    /// What a file is, wherever its name stands: device and inode.
    package let identity: FileIdentity
    /// Who may read it; `nil` for what is no regular file.
    package let access: FileAccess?
    private let descriptor: Int32
    private let ownsDescriptor: Bool
    let atOpen: FileStamp
    /// Whether it is a regular file that was opened by a name of its own, and not as an open descriptor.
    let isNamedFile: Bool
    /// Where in the file reading begins: standard input may have been read from before.
    private let start: Int
    /// How many bytes have been read since. Changed by the one thread that reads.
    private let taken = Atomic(0)

    /// Opens a file.
    public convenience init(path: String) throws(FileError) {
        // A descriptor that can only be written to is no input, whatever it leads to.
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

    /// A regular file that is open, and is closed when the source goes.
    convenience init(descriptor: Int32, path: String) throws(FileError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let error = FileError("open", path: path, code: errno)
            close(descriptor)
            throw error
        }
        self.init(descriptor, status, name: path, isOwner: true, isNamed: true)
    }

    /// Reads standard input, which stays open.
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
                #if canImport(Darwin)
                    Darwin.read(descriptor, buffer.baseAddress, buffer.count)
                #elseif canImport(Musl)
                    Musl.read(descriptor, buffer.baseAddress, buffer.count)
                #else
                    Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                #endif
            }
            if count > 0 {
                taken.wrappingAdd(count, ordering: .relaxed)
                return count
            }
            if count == 0 {
                try expectWhole()
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

    /// Where the next read begins: as many bytes have been read, and skipped, from the start of the file or the pipe.
    private var offset: Int { start + taken.load(ordering: .relaxed) }

    /// Refuses an end that comes earlier than it was when the file was opened. What stood behind it would be missing without
    /// anybody being told. (Some files of the system say that they are longer than they are, and go on saying so.)
    private func expectWhole() throws(FileError) {
        var status = stat()
        guard let byteCount, offset < byteCount, fstat(descriptor, &status) == 0, status.st_size < byteCount else {
            return
        }
        throw .shortened(name, at: offset, from: byteCount)
    }

    /// Where the next read begins, in a regular file that nobody else reads from; else `nil`.
    package var position: Int? {
        guard ownsDescriptor, byteCount != nil else { return nil }
        let position = lseek(descriptor, 0, SEEK_CUR)
        return position >= 0 ? Int(position) : nil
    }

    /// Reads somewhere, whatever the position. Returns how many bytes; 0 at the end. Any thread may call it.
    func readWhole(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        let count = uninterrupted { pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
        if count < 0 { throw FileError("read", path: name, code: errno, offset: offset) }
        return count
    }

    /// Fills a buffer with what stands somewhere in a regular file. Any thread may call it.
    ///
    /// - Throws: ``FileError``, also when the file has become shorter than it was when it was opened.
    func readAll(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = try readWhole(at: offset + done, into: rest)
            if count == 0 {
                var status = stat()
                let size = fstat(descriptor, &status) == 0 ? Int(status.st_size) : offset + done
                throw .shortened(name, at: min(size, offset + done), from: byteCount ?? offset + buffer.count)
            }
            done += count
        }
    }

    /// Whether standard output is this very file, so that what is written there would be read.
    package var isStandardOutput: Bool {
        var status = stat()
        return byteCount != nil && fstat(STDOUT_FILENO, &status) == 0 && FileIdentity(status) == identity
    }

    /// Whether a regular file is no longer what it was when it was opened: somebody wrote to it meanwhile.
    package var hasChanged: Bool {
        var status = stat()
        guard byteCount != nil, fstat(descriptor, &status) == 0 else { return false }
        return FileStamp(status) != atOpen
    }
}

/// What a file is, wherever its name stands.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    /// The number of the file on its file system.
    var inodeNumber: Int { Int(truncatingIfNeeded: inode) }

    /// Of a directory, as ``splitPath(_:)`` has it: empty is the one where the process works. `nil`: there is none.
    init?(at directory: String) {
        var status = stat()
        guard stat(directory.isEmpty ? "." : directory, &status) == 0 else { return nil }
        self.init(status)
    }

    init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
    }
}

/// Which file it is, and in which state: another one after somebody wrote to it.
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
