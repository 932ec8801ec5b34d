internal import Synchronization

/// A file that is read twice, from the beginning. What can be read only once, such as a pipe, is copied to a file without a name
/// first.
package struct RereadFile: Sendable {
    private let path: String
    private let copy: ScratchFile?
    private let name: String
    /// The file, as it was when it was opened.
    private let opened: FileSource

    /// - Parameters:
    ///   - path: `-` for standard input.
    ///   - directory: where a copy is made; `nil`: in the usual place.
    /// - Throws: ``FileError``.
    package init(_ path: String, copiesTo directory: String?) throws(FileError) {
        self.path = path
        let isFile = FileSource.isFile(at: path)
        opened = path == CleanJob.standard ? try .standardInput() : try FileSource(path: path)
        name = opened.name
        if isFile {
            copy = nil
            return
        }
        let copy = try ScratchFile(in: directory)
        var bytes: [UInt8] = []
        while true {
            bytes.removeAll(keepingCapacity: true)
            let isAtEnd = try opened.read(onto: &bytes, upTo: Self.piece)
            var problem: FileError?
            bytes.withUnsafeBytes { bytes in
                do throws(FileError) { try copy.append(bytes) } catch { problem = error }
            }
            if let problem { throw problem }
            if isAtEnd { break }
        }
        self.copy = copy
    }

    private static let piece = 1 << 20

    /// Opens it once more.
    package func open() throws(FileError) -> any Source {
        if let copy { return CopySource(copy, name: name) }
        let source = try FileSource(path: path)
        guard source.identity == opened.identity else { throw .changed(path) }
        return source
    }

    /// Makes sure that it has not become another one, or been written to, since it was opened.
    package func expectUnchanged() throws(FileError) {
        if copy == nil && opened.hasChanged { throw .changed(path) }
    }
}

/// Reads what was copied.
private final class CopySource: Source {
    let name: String
    private let file: ScratchFile
    private let place = Atomic(0)

    init(_ file: ScratchFile, name: String) { (self.file, self.name) = (file, name) }

    var byteCount: Int? { file.count }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        let count = try file.read(upTo: buffer, at: place.load(ordering: .relaxed))
        place.wrappingAdd(count, ordering: .relaxed)
        return count
    }
}
