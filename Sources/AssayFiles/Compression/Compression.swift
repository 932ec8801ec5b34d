/// How a file is packed.
public enum Compression: String, Hashable, Sendable, CaseIterable {
    /// gzip: RFC 1952, any number of members.
    case gzip
    /// Zstandard: RFC 8878, any number of frames.
    case zstd

    /// The name for messages.
    public var name: String {
        switch self {
        case .gzip: "gzip"
        case .zstd: "Zstandard"
        }
    }

    /// What the names of such files end in.
    public var ending: String {
        switch self {
        case .gzip: ".gz"
        case .zstd: ".zst"
        }
    }

    /// What a name promises, by its ending in any case; `nil`: nothing.
    public init?(path: String) {
        switch splitEnding(splitPath(path).base).ending.lowercased() {
        case ".gz", ".gzip", ".bgz": self = .gzip
        case ".zst", ".zstd": self = .zstd
        default: return nil
        }
    }

    /// What a file is packed as, by its first bytes; `nil`: it is not.
    init?(firstBytes bytes: some Collection<UInt8>) {
        if bytes.starts(with: [0x1F, 0x8B, 8]) {
            self = .gzip
        } else if bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) || Self.isSkippableFrame(bytes) {
            self = .zstd
        } else {
            return nil
        }
    }

    /// How many bytes tell.
    static let magicBytes = 4

    /// Whether more bytes could make of these the beginning of a packed file.
    static func mayBegin(_ bytes: some Collection<UInt8>) -> Bool {
        guard let first = bytes.first, bytes.count < magicBytes else { return bytes.isEmpty }
        let isSkippable = first & 0xF0 == 0x50 && [0x2A, 0x4D].starts(with: bytes.dropFirst())
        return [0x1F, 0x8B, 8].starts(with: bytes) || [0x28, 0xB5, 0x2F, 0xFD].starts(with: bytes) || isSkippable
    }

    private static func isSkippableFrame(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.first.map { $0 & 0xF0 == 0x50 } ?? false && bytes.dropFirst().starts(with: [0x2A, 0x4D, 0x18])
    }

    /// A name without the ending of packed files: `users.csv` for `users.csv.gz`.
    package static func unpackedName(_ path: String) -> String {
        guard Compression(path: path) != nil else { return path }
        let (directory, base) = splitPath(path)
        return directory + splitEnding(base).stem
    }
}
