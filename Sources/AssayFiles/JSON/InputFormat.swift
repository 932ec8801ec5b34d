internal import Assay
internal import AssayRules

/// How records stand in a file.
public enum InputFormat: String, Hashable, Sendable, CaseIterable {
    /// Fields between delimiters.
    case csv
    /// An object of JSON on each line.
    case jsonLines = "jsonl"

    /// What a name promises; `nil`: nothing.
    package init?(path: String) {
        let base = splitPath(Compression.unpackedName(path)).base
        switch splitEnding(base).ending.lowercased() {
        case ".jsonl", ".ndjson", ".json": self = .jsonLines
        case ".csv", ".tsv": self = .csv
        default: return nil
        }
    }

    /// The option that overrides a guess of the format.
    static let advice = "to read it as a table all the same, name the format: --format csv or --format jsonl"

    /// What the first bytes show: an object of JSON is taken for the first of many. A column of CSV may be called `{a}`.
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
    /// Those for lines that are one field each: only the whole line has a limit.
    var forLines: Limits {
        var limits = self
        limits.fieldBytes = recordBytes
        return limits
    }
}
