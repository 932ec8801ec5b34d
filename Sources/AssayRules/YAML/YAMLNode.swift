/// A part of a YAML or JSON file, as written.
///
/// Scalars are texts: `NO`, `007` and `on` remain those three words. The meaning of a plain scalar depends on the
/// reader, which asks for a number or a truth value.
struct YAMLNode: Sendable {
    enum Content: Sendable {
        case scalar(String, Style)
        case sequence([YAMLNode])
        case mapping([YAMLEntry])
        /// Something refused, such as an alias. The mistake is already noted.
        case unreadable
    }

    /// How a scalar is written.
    enum Style: Sendable {
        case plain, singleQuoted, doubleQuoted
        /// After `|` or `>`.
        case block
    }

    var content: Content

    /// The bytes of the source, quotes included.
    var range: Range<Int>

    /// Whether the node has no value: `key:` without a value, `~` or `null`.
    var isNull: Bool {
        if case .scalar(let text, .plain) = content { return ["", "~", "null", "Null", "NULL"].contains(text) }
        return false
    }

    var isScalar: Bool {
        if case .scalar = content { return true }
        return false
    }

    /// The node as JSON. Plain scalars that are valid JSON keep their type; all others become strings.
    var jsonText: String {
        switch content {
        case .scalar(let text, .plain) where isNull || text == "true" || text == "false" || text.isJSONNumber:
            isNull ? "null" : text
        case .scalar(let text, _): JSONText.of(text)
        case .sequence(let nodes): "[" + nodes.map(\.jsonText).joined(separator: ",") + "]"
        case .mapping(let entries):
            "{" + entries.map { JSONText.of($0.key) + ":" + $0.value.jsonText }.joined(separator: ",") + "}"
        case .unreadable: "null"
        }
    }

    var isUnreadable: Bool {
        if case .unreadable = content { return true }
        return false
    }

    /// A description of the node for messages: "found …".
    var kindInWords: String {
        switch content {
        case .sequence: "a list"
        case .mapping: "a mapping"
        case .unreadable: "something unreadable"
        case .scalar where isNull: "no value"
        case .scalar(let text, .plain): text.quoted
        case .scalar(let text, _): "the text \(text.quoted)"
        }
    }
}

struct YAMLEntry: Sendable {
    var key: String
    var keyRange: Range<Int>
    var value: YAMLNode
}
