internal import AssayRules

/// A JSON value to be written, its members in the order given.
indirect enum JSONValue {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([(String, JSONValue)])
    /// A text that is JSON already.
    case text(String)

    static func optional(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
    static func optional(_ value: Int?) -> JSONValue { value.map { .integer($0) } ?? .null }

    /// The value as JSON on several lines; short values remain on one line.
    var pretty: String {
        var bytes: [UInt8] = []
        writePretty(to: &bytes, indent: 0)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A line that is short: its bytes, those of the indent included.
    private static let shortLine = 110

    private func writePretty(to bytes: inout [UInt8], indent: Int) {
        let start = bytes.count
        switch self {
        case .text(let text):
            for (number, line) in text.split(separator: "\n").enumerated() {
                if number > 0 { Self.startLine(of: &bytes, indent: indent) }
                bytes += line.utf8
            }
        case .array, .object:
            if writeCompact(to: &bytes, upTo: start + Self.shortLine - indent) { return }
            bytes.removeSubrange(start...)
            writeLines(to: &bytes, indent: indent)
        default:
            _ = writeCompact(to: &bytes, upTo: .max)
        }
    }

    /// The values of an array, or the members of an object, on lines of their own.
    private func writeLines(to bytes: inout [UInt8], indent: Int) {
        func writeEach<Item>(_ items: [Item], _ write: (Item, inout [UInt8]) -> Void) {
            for (number, item) in items.enumerated() {
                if number > 0 { bytes += ",".utf8 }
                Self.startLine(of: &bytes, indent: indent + 2)
                write(item, &bytes)
            }
            Self.startLine(of: &bytes, indent: indent)
        }
        switch self {
        case .array(let values):
            bytes += "[".utf8
            writeEach(values) { $0.writePretty(to: &$1, indent: indent + 2) }
            bytes += "]".utf8
        case .object(let members):
            bytes += "{".utf8
            writeEach(members) { member, bytes in
                JSONText.append(member.0, to: &bytes)
                bytes += ": ".utf8
                member.1.writePretty(to: &bytes, indent: indent + 2)
            }
            bytes += "}".utf8
        default: preconditionFailure("a scalar has no lines")
        }
    }

    private static func startLine(of bytes: inout [UInt8], indent: Int) {
        bytes += "\n".utf8
        bytes += repeatElement(UInt8(ascii: " "), count: indent)
    }

    /// Gives up, and returns `false`, as soon as there are more than `limit` bytes.
    private func writeCompact(to bytes: inout [UInt8], upTo limit: Int) -> Bool {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let value): bytes += String(value).utf8
        case .number(let value): bytes += (value.isFinite ? "\(value)" : "null").utf8
        case .string(let value): JSONText.append(value, to: &bytes)
        case .text(let value): bytes += value.utf8
        case .array(let values):
            bytes += "[".utf8
            for (number, value) in values.enumerated() {
                if number > 0 { bytes += ", ".utf8 }
                if !value.writeCompact(to: &bytes, upTo: limit) { return false }
            }
            bytes += "]".utf8
        case .object(let members):
            bytes += "{".utf8
            for (number, (name, value)) in members.enumerated() {
                if number > 0 { bytes += ", ".utf8 }
                JSONText.append(name, to: &bytes)
                bytes += ": ".utf8
                if !value.writeCompact(to: &bytes, upTo: limit) { return false }
            }
            bytes += "}".utf8
        }
        return bytes.count <= limit
    }
}
