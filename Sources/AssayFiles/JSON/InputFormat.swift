internal import Assay
internal import AssayRules

/// The format of the records in a file.
public enum InputFormat: String, Hashable, Sendable, CaseIterable {
    /// Fields between delimiters.
    case csv
    /// An object of JSON on each line.
    case jsonLines = "jsonl"

    /// The format that a file name indicates. `nil` if its ending is not known.
    package init?(path: String) {
        let base = splitPath(Compression.unpackedName(path)).base
        switch splitEnding(base).ending.lowercased() {
        case ".jsonl", ".ndjson", ".json": self = .jsonLines
        case ".csv", ".tsv": self = .csv
        default: return nil
        }
    }

    /// The format that the first bytes indicate. JSON requires the start of an object with a member, because a CSV
    /// column may be named `{a}`.
    init(firstBytes bytes: some Collection<UInt8>) {
        let blanks: Set<UInt8> = [9, 10, 13, 32]
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let content = (bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes[...]).drop { blanks.contains($0) }
        let inside = content.dropFirst().drop { blanks.contains($0) }
        let isObject =
            content.first == UInt8(ascii: "{")
            && (inside.isEmpty || [UInt8(ascii: "\""), UInt8(ascii: "}")].contains(inside.first))
        self = isObject ? .jsonLines : .csv
    }
}

extension Limits {
    /// Limits for lines that are one field each. Only the whole line has a limit.
    var forLines: Limits {
        var limits = self
        limits.fieldBytes = recordBytes
        return limits
    }
}
