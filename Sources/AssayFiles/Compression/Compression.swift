/// A compression format.
public enum Compression: String, Hashable, Sendable, CaseIterable {
    /// gzip (RFC 1952), with any number of members.
    case gzip
    /// Zstandard (RFC 8878), with any number of frames.
    case zstd

    /// The name for messages.
    public var name: String {
        switch self {
        case .gzip: "gzip"
        case .zstd: "Zstandard"
        }
    }

    /// The usual extension, with its dot.
    public var ending: String {
        switch self {
        case .gzip: ".gz"
        case .zstd: ".zst"
        }
    }

    /// The format for the extension of a path, in any case; `nil` for other extensions.
    public init?(path: String) {
        switch splitEnding(splitPath(path).base).ending.lowercased() {
        case ".gz", ".gzip", ".bgz": self = .gzip
        case ".zst", ".zstd": self = .zstd
        default: return nil
        }
    }

    /// The format for the first bytes of a file; `nil` if the file is not compressed.
    init?(firstBytes bytes: some Collection<UInt8>) {
        if bytes.starts(with: [0x1F, 0x8B, 8]) {
            self = .gzip
        } else if bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) || Self.isSkippableFrame(bytes) {
            self = .zstd
        } else {
            return nil
        }
    }

    /// The number of bytes that identify a format.
    static let magicBytes = 4

    /// Whether the bytes may be the start of a compressed file but are too few to decide.
    static func mayBegin(_ bytes: some Collection<UInt8>) -> Bool {
        guard let first = bytes.first, bytes.count < magicBytes else { return bytes.isEmpty }
        let isSkippable = first & 0xF0 == 0x50 && [0x2A, 0x4D].starts(with: bytes.dropFirst())
        return [0x1F, 0x8B, 8].starts(with: bytes) || [0x28, 0xB5, 0x2F, 0xFD].starts(with: bytes) || isSkippable
    }

    /// The number of bytes that tell Zstandard from text with the same first four bytes, `(µ/ý` in windows-1252. Of so
    /// many bytes of a frame, one is nearly always a control character.
    private static let textBytes = 64

    /// Whether bytes with the mark of Zstandard may also be the start of text.
    static func isText(firstBytes bytes: some Collection<UInt8>) -> Bool {
        bytes.count > magicBytes
            && bytes.prefix(textBytes).allSatisfy { $0 >= 0x20 && $0 != 0x7F || [9, 10, 13].contains($0) }
    }

    /// Whether the bytes begin with the mark of Zstandard, may be text, and are too few to decide.
    static func mayBeginText(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.count < textBytes && Compression(firstBytes: bytes) == .zstd
            && (bytes.count == magicBytes || isText(firstBytes: bytes))
    }

    private static func isSkippableFrame(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.first.map { $0 & 0xF0 == 0x50 } ?? false && bytes.dropFirst().starts(with: [0x2A, 0x4D, 0x18])
    }

    /// The name without the extension of a compression format: `users.csv` for `users.csv.gz`.
    package static func unpackedName(_ path: String) -> String {
        guard Compression(path: path) != nil else { return path }
        let (directory, base) = splitPath(path)
        return directory + splitEnding(base).stem
    }
}
