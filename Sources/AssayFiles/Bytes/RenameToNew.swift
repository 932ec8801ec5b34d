internal import CAssaySystem

/// Renames a file without replacing an existing one. Unlike `rename`, it also fails if the target was created
/// concurrently.
///
/// - Returns: 0, or an `errno` value: `EEXIST` if the name exists, even as a broken link.
package func renameToNew(_ from: String, _ to: String) -> Int32 {
    switch renameInOneStep(from, to) {
    case 0: return 0
    // The system or the file system does not support the call, or a sandbox does not know it.
    case ENOSYS, EINVAL, ENOTSUP, EOPNOTSUPP, EPERM: return linkToNew(from, to)
    case let code: return code
    }
}

/// Creates a second link, which fails if the name exists, and removes the first. A crash between the two steps leaves
/// both.
package func linkToNew(_ from: String, _ to: String) -> Int32 {
    if link(from, to) == 0 {
        unlink(from)
        return 0
    }
    let code = errno
    guard [EPERM, ENOSYS, ENOTSUP, EOPNOTSUPP, EMLINK].contains(code) else { return code }
    // Some network file systems have no hard links. The check before `rename` leaves a race that cannot be avoided
    // here.
    var status = stat()
    if lstat(to, &status) == 0 { return EEXIST }
    return rename(from, to) == 0 ? 0 : errno
}

#if canImport(Darwin)
    private func renameInOneStep(_ from: String, _ to: String) -> Int32 {
        renamex_np(from, to, UInt32(RENAME_EXCL)) == 0 ? 0 : errno
    }
#else
    private func renameInOneStep(_ from: String, _ to: String) -> Int32 {
        // The headers declare it only with `_GNU_SOURCE`, which Swift's module does not define.
        typealias RenameAt2 = @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
        guard let symbol = dlsym(nil, "renameat2") else { return ENOSYS }
        // SAFETY: this is the signature that renameat(2) documents, and has been since glibc 2.28.
        let renameat2 = unsafeBitCast(symbol, to: RenameAt2.self)
        let noReplace: UInt32 = 1
        return renameat2(AT_FDCWD, from, AT_FDCWD, to, noReplace) == 0 ? 0 : errno
    }
#endif
