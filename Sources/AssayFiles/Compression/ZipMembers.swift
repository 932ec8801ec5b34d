internal import Assay
internal import CAssaySystem

/// The names of the files in a zip archive, from its central directory (APPNOTE.TXT, section 4.3).
package struct ZipMembers {
    /// The names of files, without those that macOS adds (`__MACOSX/…`) and hidden ones.
    package let tables: [String]

    /// The limit on bytes of a central directory: more names do not fit a message.
    private static let maxBytes = 1 << 20

    /// Returns `nil` if the archive cannot be read, has more than one part or 4 GiB, or is not well-formed.
    package init?(path: String) {
        // A named pipe must not block: its writer may have ended.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let size = Int(lseek(descriptor, 0, SEEK_END))
        func read(_ count: Int, at offset: Int) -> [UInt8]? {
            guard count >= 0, offset >= 0, offset + count <= size else { return nil }
            var bytes = [UInt8](repeating: 0, count: count)
            return pread(descriptor, &bytes, count, off_t(offset)) == count ? bytes : nil
        }
        // The end record has 22 bytes and a comment of up to 64 KiB.
        let tailSize = min(size, 22 + 0xFFFF)
        guard let tail = read(tailSize, at: size - tailSize),
            let end = tail.indices.dropLast(21).last(where: { tail[$0...].starts(with: [0x50, 0x4B, 5, 6]) })
        else { return nil }
        func number(_ bytes: [UInt8], _ offset: Int, _ width: Int) -> Int {
            (0..<width).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
        }
        let (entries, bytes, start) = (number(tail, end + 10, 2), number(tail, end + 12, 4), number(tail, end + 16, 4))
        guard bytes <= Self.maxBytes, let directory = read(bytes, at: start) else { return nil }
        var names: [String] = []
        var offset = 0
        for _ in 0..<entries {
            guard offset + 46 <= bytes, directory[offset...].starts(with: [0x50, 0x4B, 1, 2]) else { return nil }
            let length = number(directory, offset + 28, 2)
            let next = offset + 46 + length + number(directory, offset + 30, 2) + number(directory, offset + 32, 2)
            guard next <= bytes,
                let name = String(validating: directory[(offset + 46)..<(offset + 46 + length)], as: UTF8.self)
            else { return nil }
            names.append(name)
            offset = next
        }
        tables = names.filter(TarMembers.isVisible)
    }
}
