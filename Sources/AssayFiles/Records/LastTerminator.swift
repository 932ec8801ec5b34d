internal import Assay
internal import CAssay
internal import CAssaySystem

/// The terminator that is added to the last record of a file if another file follows and the record has no terminator.
struct LastTerminator: Sendable {
    /// The added byte; 0 if no byte is added.
    let byte: UInt8
    let dialect: assay_dialect
    /// The name of the file.
    let name: String

    /// Whether the byte must be added after these bytes, the last ones of the file.
    ///
    /// - Throws: ``FileError`` if the last byte is an escape, because it would escape the first byte of the next file.
    func isMissing(behind bytes: some RandomAccessCollection<UInt8>) throws(FileError) -> Bool {
        guard byte != 0, let last = bytes.last else { return false }
        try expectNoOpenEscape(bytes)
        return last != 10 && !(last == 13 && dialect.cr_ends) || isEscaped(bytes)
    }

    /// Rejects a file if its last byte is an escape.
    func expectNoOpenEscape(_ bytes: some RandomAccessCollection<UInt8>) throws(FileError) {
        guard byte != 0, dialect.escape != 0, bytes.last == dialect.escape, !isEscaped(bytes) else { return }
        var error = FileError("read", path: name, code: EILSEQ)
        error.advice = "it ends in an escape, so that no other file can follow it in one table"
        throw error
    }

    /// Whether the last byte follows an escape and is therefore data.
    private func isEscaped(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        dialect.escape != 0 && bytes.dropLast().reversed().prefix { $0 == dialect.escape }.count % 2 == 1
    }
}
