internal import Assay
internal import CAssay

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// The terminator that the last record of a file is given if it has none, since another file follows.
struct LastTerminator: Sendable {
    /// 0: none is given.
    let byte: UInt8
    let dialect: assay_dialect
    /// The name of the file.
    let name: String

    /// Whether one belongs behind these bytes, the last ones of the file.
    ///
    /// - Throws: ``FileError`` for a file whose last byte is an escape: the next file could not follow it.
    func isMissing(behind bytes: some RandomAccessCollection<UInt8>) throws(FileError) -> Bool {
        guard byte != 0, let last = bytes.last else { return false }
        try expectNoOpenEscape(bytes)
        return last != 10 && !(last == 13 && dialect.cr_ends) || isEscaped(bytes)
    }

    /// Refuses a file whose last byte is an escape.
    func expectNoOpenEscape(_ bytes: some RandomAccessCollection<UInt8>) throws(FileError) {
        guard byte != 0, dialect.escape != 0, bytes.last == dialect.escape, !isEscaped(bytes) else { return }
        var error = FileError("read", path: name, code: EILSEQ)
        error.advice = "it ends in an escape, so that no other file can follow it in one table"
        throw error
    }

    /// Whether the last byte, or the terminator that it is, stands behind an escape, which would take what follows for data.
    private func isEscaped(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        dialect.escape != 0 && bytes.dropLast().reversed().prefix { $0 == dialect.escape }.count % 2 == 1
    }
}
