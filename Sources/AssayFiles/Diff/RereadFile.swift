internal import Synchronization

/// A file that is read twice from the beginning. An input that can be read only once, such as a pipe, is first copied
/// to an unnamed file.
package struct RereadFile: Sendable {
    private let path: String
    private let copy: ScratchFile?
    private let name: String
    /// The file at the time of opening.
    private let opened: FileSource

    /// - Parameters:
    ///   - path: `-` for standard input.
    ///   - directory: The directory of a copy. `nil` selects the default.
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

    /// Opens the file again.
    package func open() throws(FileError) -> any Source {
        if let copy { return CopySource(copy, name: name) }
        let source = try FileSource(path: path)
        guard source.identity == opened.identity else { throw .changed(path) }
        return source
    }

    /// Throws if the file was modified since it was opened.
    package func expectUnchanged() throws(FileError) {
        if copy == nil && opened.hasChanged { throw .changed(path) }
    }
}

/// Reads the copy.
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
