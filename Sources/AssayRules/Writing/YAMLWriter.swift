/// Writes a tree as YAML in block style; lists of scalars on one line.
struct YAMLWriter {
    private var lines: [String] = []

    /// The text of a tree, with a newline at the end.
    static func text(_ root: YAMLNode) -> String {
        var writer = YAMLWriter()
        writer.block(root, indent: "", first: "")
        return writer.lines.map { $0 + "\n" }.joined()
    }

    /// Writes a node from the start of a line. `first` replaces the indentation of its first line.
    private mutating func block(_ node: YAMLNode, indent: String, first: String) {
        if let line = Self.inline(node) {
            lines.append(first + line)
            return
        }
        var lead = first
        switch node.content {
        case .sequence(let nodes):
            for node in nodes {
                block(node, indent: indent + "  ", first: lead + "- ")
                lead = indent
            }
        case .mapping(let entries):
            for entry in entries {
                if let line = Self.inline(entry.value) {
                    lines.append("\(lead)\(entry.key): \(line)")
                } else {
                    lines.append("\(lead)\(entry.key):")
                    block(entry.value, indent: indent + "  ", first: indent + "  ")
                }
                lead = indent
            }
        case .scalar, .unreadable:
            preconditionFailure("a scalar must be on one line")
        }
    }

    /// Returns a node on one line if it is a scalar, a list of scalars or empty.
    private static func inline(_ node: YAMLNode) -> String? {
        switch node.content {
        case .scalar(let text, .plain): return text
        case .scalar(let text, _): return YAMLScalar.text(text)
        case .mapping(let entries): return entries.isEmpty ? "{}" : nil
        case .sequence(let nodes):
            let items = nodes.compactMap { node in
                if case .scalar = node.content { inline(node) } else { nil }
            }
            return items.count == nodes.count ? "[\(items.joined(separator: ", "))]" : nil
        case .unreadable: return nil
        }
    }
}
