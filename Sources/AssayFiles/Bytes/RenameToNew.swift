#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Gives a file a name that nothing else has: unlike `rename`, it never replaces what has come to stand there meanwhile.
///
/// - Returns: 0, or the system's error number: `EEXIST` when the name is taken, also by a link that leads nowhere.
package func renameToNew(_ from: String, _ to: String) -> Int32 {
    switch renameInOneStep(from, to) {
    case 0: return 0
    // The system or the file system cannot do it in one step, or a sandbox does not know the call.
    case ENOSYS, EINVAL, ENOTSUP, EOPNOTSUPP, EPERM: return linkToNew(from, to)
    case let code: return code
    }
}

/// By a second name, which is made only where there is none, and the end of the first. Between the two a crash leaves both.
package func linkToNew(_ from: String, _ to: String) -> Int32 {
    if link(from, to) == 0 {
        unlink(from)
        return 0
    }
    let code = errno
    guard [EPERM, ENOSYS, ENOTSUP, EOPNOTSUPP, EMLINK].contains(code) else { return code }
    // No second names here (some network file systems of clouds): what is left is to look, and be quick.
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
        // The headers show it only to those who ask for GNU's extensions, which Swift's module does not.
        typealias RenameAt2 = @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
        guard let symbol = dlsym(nil, "renameat2") else { return ENOSYS }
        // SAFETY: this is the signature that renameat(2) documents, and has been since glibc 2.28.
        let renameat2 = unsafeBitCast(symbol, to: RenameAt2.self)
        let noReplace: UInt32 = 1
        return renameat2(AT_FDCWD, from, AT_FDCWD, to, noReplace) == 0 ? 0 : errno
    }
#endif
