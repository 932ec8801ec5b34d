#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Who may read and write a file: the limit for files that are made from it.
///
///     input    rw-r----- anna staff
///     output   rw-r----- bert staff      the same group
///              rw------- bert users      another group, whose members may have no right to the input
///
package struct FileAccess: Hashable, Sendable {
    /// The bits for reading and writing, of the owner, the group and the others.
    private let mode: mode_t
    private let group: gid_t
    /// Whether an access control list names further users. Then the bits of the group are the most that any of them has.
    private let hasList: Bool

    /// - Returns: `nil` for what is no regular file: a pipe or a device has a mode of its own, which says nothing of the bytes
    ///   that come out of it.
    init?(_ descriptor: Int32, _ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        mode = status.st_mode & 0o666
        group = status.st_gid
        hasList = hasAccessList(descriptor)
    }

    /// A mode without the bits that would let more people read or write an output than the input.
    ///
    /// The owner of the output is the user who has read the input, and can always read it.
    ///
    /// - Parameter descriptor: the output, whose group counts.
    func limit(_ mode: mode_t, ofFile descriptor: Int32) -> mode_t {
        var status = stat()
        let isSameGroup =
            fstat(descriptor, &status) == 0 && status.st_gid == group && !hasList && !hasAccessList(descriptor)
        var limit = self.mode
        if !isSameGroup {
            // The members of the output's group are others to the input, and those of the input's group to the output.
            let both = (limit >> 3) & limit & 0o006
            limit = limit & 0o600 | both << 3 | both
        }
        // To execute is no way to read.
        return mode & (limit | 0o400 | 0o111)
    }
}

/// Whether a file has an access control list beyond its mode (POSIX.1e, as Linux keeps it).
private func hasAccessList(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
        return false
    #else
        // Declared in a header that Swift's module does not have.
        typealias GetAttribute =
            @convention(c) (Int32, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int) -> Int
        guard let symbol = dlsym(nil, "fgetxattr") else { return false }
        // SAFETY: this is the signature that fgetxattr(2) documents.
        let getAttribute = unsafeBitCast(symbol, to: GetAttribute.self)
        return getAttribute(descriptor, "system.posix_acl_access", nil, 0) > 0
    #endif
}
