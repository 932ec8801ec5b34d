internal import Assay
internal import AssayRules
internal import CAssay

extension TableHead {
    /// The field names of a skeleton of rules: the columns, or for JSON Lines the paths to all values of the first
    /// objects. These are the objects in the first 64 KiB, and at least one.
    package var fieldNames: [String] {
        guard format == .jsonLines else { return header ?? [] }
        let seen = SeenPaths()
        firstObjects.withUnsafeBufferPointer { bytes in
            for line in bytes.split(separator: 10) {
                _ = assay_json_walk(
                    line.baseAddress, line.count,
                    { context, path, count, _ in
                        let path = UnsafeRawBufferPointer(start: path, count: count)
                        let seen = Unmanaged<SeenPaths>.fromOpaque(context!).takeUnretainedValue()
                        seen.add(String(decoding: path, as: UTF8.self))
                    }, Unmanaged.passUnretained(seen).toOpaque())
            }
        }
        return seen.names
    }

    /// The number of examined lines, which are the first ones that are not blank, if no line is a JSON object;
    /// otherwise `nil`. A line in braces is an object even if it is malformed, for example by half of a surrogate pair.
    var objectlessLines: Int? {
        firstObjects.withUnsafeBufferPointer { bytes in
            var lines = bytes.split(separator: 10)[...]
            // The last line may be incomplete.
            if bytes.last != 10 && !(sourceEnded && bytes.count == rest.count) { lines = lines.dropLast() }
            lines = lines.filter { !$0.allSatisfy { [9, 13, 32].contains($0) } }.prefix(Self.fewLines)
            let hasObject = lines.contains { line in
                line.isInBraces || assay_json_walk(line.baseAddress, line.count, { _, _, _, _ in }, nil) == .ASSAY_OK
            }
            return lines.isEmpty || hasObject ? nil : lines.count
        }
    }

    private static let fewLines = 100

    /// The bytes of the first JSON objects. The last one may be incomplete.
    var firstObjects: ArraySlice<UInt8> { rest.prefix(max(Self.firstRead, rest.endOfFirstObject ?? rest.count)) }
}

/// Unique paths in the order of their first appearance.
private final class SeenPaths {
    private(set) var names: [String] = []
    private var known: Set<ByteEqualString> = []

    func add(_ name: String) {
        if known.insert(ByteEqualString(name)).inserted { names.append(name) }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the first and the last character are braces, apart from blanks.
    fileprivate var isInBraces: Bool {
        let isBlank = { (byte: UInt8) in [9, 13, 32].contains(byte) }
        return first(where: { !isBlank($0) }) == UInt8(ascii: "{") && last(where: { !isBlank($0) }) == UInt8(ascii: "}")
    }

    /// Returns the lines without their terminators.
    fileprivate func split(separator: UInt8) -> [UnsafeBufferPointer<UInt8>] {
        (self[0...] as SubSequence).split(separator: separator).map { UnsafeBufferPointer(rebasing: $0) }
    }
}

extension [UInt8] {
    /// Returns the end of the line with the first object, after its line feed. Returns `nil` if it is not within the
    /// bytes.
    ///
    /// - Parameter searched: The number of bytes that are known to contain no such end.
    fileprivate func endOfFirstObject(searched: Int) -> Int? {
        let start = Swift.max(searched, firstIndex(of: UInt8(ascii: "{")) ?? count)
        return self[start...].firstIndex(of: 10).map { $0 + 1 }
    }

    fileprivate var endOfFirstObject: Int? { endOfFirstObject(searched: 0) }
}

extension HeadBytes {
    /// Reads until it is known whether each line contains an object, and until the first object is complete.
    ///
    /// - Parameters:
    ///   - limit: The maximum size of a record in bytes.
    ///   - isGiven: Whether JSON Lines was named as the format. Broken lines are then findings.
    mutating func requireJSONLines(_ name: String, limit: Int, isGiven: Bool) throws {
        while !ended && bytes.count < TableHead.firstRead, JSONDocument(bytes) == nil { try piece() }
        var searched = 0
        while !ended && bytes.count <= limit, bytes.endOfFirstObject(searched: searched) == nil {
            searched = bytes.count
            try piece()
        }
        if !isGiven && JSONDocument(bytes) == .document {
            var error = InputError(
                "\(printable(name)) is JSON over several lines, not an object on each line",
                remedy: .convert(.json, hasHeader: true))
            try readRest()
            error.advise(jqFor: self)
            error.override = .format
            throw error
        }
    }
}

extension Dialect {
    /// A dialect in which each line is one field.
    static var jsonLines: Dialect {
        var dialect = Dialect(delimiter: UInt8(ascii: "\n"), quoteChar: nil, header: false)
        dialect.skip = 0
        return dialect
    }
}

/// Finds the parts of JSON that jq 1.6 may change: duplicate names in an object (jq keeps the last one), and numbers
/// that jq reformats or rounds. It refuses lone surrogates.
enum JSONForJQ {
    static let hint =
        "write each object on a line of its own (JSON Lines) with a program that keeps names that occur twice, and "
        + "numbers as they "
        + "are written, which jq may change"

    private static let maxDigits = 15

    /// Whether names are unique in each object, no string has a `\u` escape, and no number is long, ends in a zero
    /// after the point, or has an exponent.
    static func keeps(_ bytes: ArraySlice<UInt8>) -> Bool {
        // The names of each open object, and `nil` for an array.
        var names: [Set<ArraySlice<UInt8>>?] = []
        var last: ArraySlice<UInt8> = []
        var position = bytes.startIndex
        while position < bytes.endIndex {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                let start = position
                while position < bytes.endIndex, bytes[position] != UInt8(ascii: "\"") {
                    if bytes[position] == UInt8(ascii: "\\") {
                        position += 1
                        if position < bytes.endIndex, bytes[position] == UInt8(ascii: "u") { return false }
                    }
                    position += 1
                }
                position = min(position, bytes.endIndex)
                last = bytes[start..<position]
                position = min(position + 1, bytes.endIndex)
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let rest = bytes[position...].prefix { isInNumber($0) }
                let number = bytes[(position - 1)..<rest.endIndex]
                position = rest.endIndex
                if !keepsNumber(number) { return false }
            case UInt8(ascii: "{"): names.append([])
            case UInt8(ascii: "["): names.append(nil)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = names.popLast()
            case UInt8(ascii: ":"):
                guard let depth = names.indices.last, names[depth] != nil else { continue }
                if names[depth]?.insert(last).inserted == false { return false }
            default: continue
            }
        }
        return true
    }

    private static func isInNumber(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || ".eE+-".utf8.contains(byte)
    }

    private static func keepsNumber(_ number: ArraySlice<UInt8>) -> Bool {
        if number.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) || number.count > maxDigits + 1 { return false }
        guard let point = number.firstIndex(of: UInt8(ascii: ".")) else { return number.count <= maxDigits }
        return point + 1 < number.endIndex && number.last != UInt8(ascii: "0")
    }
}

/// Whether the first JSON object continues on the second line.
private enum JSONDocument {
    case lines, document

    /// Returns `nil` if more bytes are needed.
    init?(_ bytes: [UInt8]) {
        let content = bytes.drop { [9, 10, 13, 32, 0xEF, 0xBB, 0xBF].contains($0) }
        guard let end = content.firstIndex(of: 10) else { return nil }
        var (depth, isInString, isEscaped) = (0, false, false)
        for byte in content[..<end] {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = isInString
            } else if byte == UInt8(ascii: "\"") {
                isInString.toggle()
            } else if !isInString {
                if [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(byte) { depth += 1 }
                if [UInt8(ascii: "}"), UInt8(ascii: "]")].contains(byte) { depth -= 1 }
                // The first value ends on its line, regardless of the rest.
                if depth <= 0 {
                    self = .lines
                    return
                }
            }
        }
        // Depth 0 here means that the line ends inside a string at the top level.
        if depth <= 0 {
            self = .lines
            return
        }
        // If an object begins after the first line, that line is only a broken record, which is a finding.
        guard let next = content[end...].first(where: { ![9, 10, 13, 32].contains($0) }) else { return nil }
        self = next == UInt8(ascii: "{") ? .lines : .document
    }
}
