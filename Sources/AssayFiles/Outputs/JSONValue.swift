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

    /// JSON over several lines; what is short stays on one.
    func pretty(indent: String = "") -> String {
        if case .text(let text) = self { return text.split(separator: "\n").joined(separator: "\n" + indent) }
        let flat = compact
        if flat.utf8.count + indent.utf8.count <= 110 { return flat }
        let inner = indent + "  "
        switch self {
        case .array(let values):
            let lines = values.map { inner + $0.pretty(indent: inner) }
            return "[\n" + lines.joined(separator: ",\n") + "\n" + indent + "]"
        case .object(let members):
            let lines = members.map { inner + Self.quoted($0) + ": " + $1.pretty(indent: inner) }
            return "{\n" + lines.joined(separator: ",\n") + "\n" + indent + "}"
        default:
            return flat
        }
    }

    var compact: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .number(let value): value.isFinite ? "\(value)" : "null"
        case .string(let value): Self.quoted(value)
        case .array(let values): "[" + values.map(\.compact).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.map { Self.quoted($0) + ": " + $1.compact }.joined(separator: ", ") + "}"
        case .text(let value): value
        }
    }

    private static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        JSONText.append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
