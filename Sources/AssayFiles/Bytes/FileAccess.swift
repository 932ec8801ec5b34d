internal import CAssaySystem

/// The read and write permissions of a file, which limit those of files derived from it.
///
///     input    rw-r----- anna staff
///     output   rw-r----- bert staff      the same group
///              rw------- bert users      another group, with members who may have no access to the input
///
package struct FileAccess: Hashable, Sendable {
    /// The read and write bits of the owner, the group and the others.
    private let mode: mode_t
    private let group: gid_t
    /// Whether an access control list names additional users. The bits of the group are then the maximum for these
    /// users.
    private let hasList: Bool

    /// - Returns: `nil` if it is not a regular file. The mode of a pipe or a device does not describe the access to its
    ///   bytes.
    init?(_ descriptor: Int32, _ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        mode = status.st_mode & 0o666
        group = status.st_gid
        hasList = hasAccessList(descriptor)
    }

    /// Returns the mode without the bits that would let more users read or write an output than the input.
    ///
    /// The owner of the output is the user who has read the input, and can always read it.
    ///
    /// - Parameter descriptor: The output. Its group is compared with the input's group.
    func limit(_ mode: mode_t, ofFile descriptor: Int32) -> mode_t {
        var status = stat()
        let isSameGroup =
            fstat(descriptor, &status) == 0 && status.st_gid == group && !hasList && !hasAccessList(descriptor)
        var limit = self.mode
        if !isSameGroup {
            // Members of the output's group are others for the input, and members of the input's group are others for
            // the output.
            let both = (limit >> 3) & limit & 0o006
            limit = limit & 0o600 | both << 3 | both
        }
        // The execute bit does not allow reading.
        return mode & (limit | 0o400 | 0o111)
    }
}

/// Whether a file has an access control list beyond its mode (POSIX.1e, in the form of Linux).
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
