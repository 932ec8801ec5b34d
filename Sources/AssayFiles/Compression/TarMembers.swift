internal import Assay
internal import CAssaySystem

/// The names of the files in a tar archive, which may be packed with gzip or Zstandard (POSIX pax format and GNU tar).
///
///     header, 512 bytes   name · size · type          the next header follows the content
///     content             padded to 512 bytes         two headers of zeros end the archive
package struct TarMembers {
    /// The names of regular files, each once, without those that macOS adds (`._users.csv`) and other hidden ones.
    package let tables: [String]

    /// The limit on bytes of the decompressed archive, because reading its names requires reading the whole archive.
    private static let maxBytes = 256 << 20
    /// The limit on names: more do not fit a message.
    private static let maxNames = 10_000
    /// The limit on bytes of a name: more do not fit a message.
    private static let maxNameBytes = 1 << 16

    /// Returns `nil` if the archive is not a regular file, is over the limit, or is not well-formed.
    package init?(path: String) {
        // A named pipe must not block: its writer may have ended.
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        do {
            let peeked = try PeekedSource.peek(try FileSource(path: path)) { Compression.mayBegin($0) }
            var source = peeked.source
            if let compression = Compression(firstBytes: peeked.bytes) {
                source = try Decompressed(source, from: compression, threads: 0)
            }
            guard let names = try Self.names(in: source) else { return nil }
            tables = names.filter(Self.isVisible)
        } catch {
            return nil
        }
    }

    /// Whether a path in an archive is a file that a user has put there: not a folder, hidden, or added by macOS.
    static func isVisible(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return parts.last.map { !$0.isEmpty && !$0.hasPrefix(".") } ?? false && parts.first != "__MACOSX"
    }

    private static func names(in source: any Source) throws(FileError) -> [String]? {
        var names: [String] = []
        var known: Set<[UInt8]> = []
        var longName: [UInt8]?
        var readBytes = 0
        while true {
            var header: [UInt8] = []
            if try source.read(onto: &header, upTo: 512) { return header.isEmpty ? names : nil }
            if header.allSatisfy({ $0 == 0 }) { return names }
            guard let size = number(header[124..<136]) else { return nil }
            let padded = (size + 511) / 512 * 512
            readBytes += 512 + padded
            guard readBytes <= maxBytes else { return nil }
            let type = header[156]
            var content: [UInt8] = []
            // L: the name of the next file by GNU tar; x: members of its header by POSIX.
            if [UInt8(ascii: "L"), UInt8(ascii: "x")].contains(type) {
                guard size <= maxNameBytes, try !source.read(onto: &content, upTo: padded) else { return nil }
                content.removeLast(padded - size)
                longName = type == UInt8(ascii: "L") ? Array(content.prefix { $0 != 0 }) : paxPath(content) ?? longName
                continue
            }
            try source.skip(padded)
            // 0 and NUL: a regular file; 7: one that is contiguous; g and K: headers of their own.
            if [UInt8(ascii: "g"), UInt8(ascii: "K")].contains(type) { continue }
            let bytes = longName ?? shortName(header)
            longName = nil
            guard [0, UInt8(ascii: "0"), UInt8(ascii: "7")].contains(type), bytes.last != UInt8(ascii: "/") else {
                continue
            }
            guard let name = String(validating: bytes, as: UTF8.self) else { return nil }
            if known.insert(bytes).inserted { names.append(name) }
            if names.count > maxNames { return nil }
        }
    }

    /// Reads octal digits, or a binary number after the byte 80. Returns `nil` for other bytes and for sizes over the
    /// limit.
    private static func number(_ field: ArraySlice<UInt8>) -> Int? {
        if let first = field.first, first == 0x80 {
            guard field.dropFirst().prefix(4).allSatisfy({ $0 == 0 }) else { return nil }
            let value = field.suffix(7).reduce(0) { $0 << 8 | Int($1) }
            return value <= maxBytes ? value : nil
        }
        let digits = field.drop { $0 == UInt8(ascii: " ") }.prefix { $0 != 0 && $0 != UInt8(ascii: " ") }
        guard let value = Int(String(decoding: digits, as: UTF8.self), radix: 8), value >= 0 else { return nil }
        return value <= maxBytes ? value : nil
    }

    /// The prefix of the POSIX format, a slash, and the name.
    private static func shortName(_ header: [UInt8]) -> [UInt8] {
        let name = header[0..<100].prefix { $0 != 0 }
        let prefix = header[345..<500].prefix { $0 != 0 }
        // GNU tar has "ustar  ", and times in place of the prefix.
        guard header[257..<263].elementsEqual("ustar\0".utf8), !prefix.isEmpty else { return Array(name) }
        return prefix + [UInt8(ascii: "/")] + name
    }

    /// The path in a list of "LENGTH KEY=VALUE\n".
    private static func paxPath(_ records: [UInt8]) -> [UInt8]? {
        var rest = records[...]
        var path: [UInt8]?
        while let space = rest.firstIndex(of: UInt8(ascii: " ")),
            let length = Int(String(decoding: rest[..<space], as: UTF8.self)), length > space - rest.startIndex,
            length <= rest.count
        {
            let record = rest[(space + 1)..<(rest.startIndex + length)]
            if record.starts(with: "path=".utf8) { path = Array(record.dropFirst(5).dropLast()) }
            rest = rest.dropFirst(length)
        }
        return path
    }
}
