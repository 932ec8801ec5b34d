internal import Assay

/// Reads a YAML or JSON file into a tree.
///
/// Refuses, with its place: anchors and aliases (a file of 300 bytes could expand to gigabytes), tags, a second
/// document, a duplicate key or one that is not a single word, and nesting deeper than `depth`.
struct YAMLReader {
    let source: SourceText
    let depth: Int
    private(set) var mistakes: [Mistake] = []
    private let text: YAMLText
    private var root: YAMLNode?
    private var stack: [Open] = []
    private var hasDocument = false

    /// A collection that is still being read.
    private struct Open {
        var start: Int
        var isMapping: Bool
        var items: [YAMLNode] = []
        var entries: [YAMLEntry] = []
        var keys: [ByteEqualString: Int] = [:]
        /// The key of the next value.
        var key: YAMLNode?
    }

    init(_ source: SourceText, depth: Int) {
        self.source = source
        self.depth = depth
        text = YAMLText(source)
    }

    /// The tree, or `nil` if the file is empty or not YAML; see ``mistakes``. O(bytes).
    mutating func read() -> YAMLNode? {
        if let refused = text.firstRefused {
            let place = text.sourceOffset(byte: refused.offset)
            mistakes.append(.refused(refused.scalar, at: place, in: source))
            return nil
        }
        let error = readYAML(text.bytes) { event, characters in
            let start = text.sourceOffset(character: characters.lowerBound)
            return receive(event, start..<max(start, text.sourceOffset(character: characters.upperBound)))
        }
        if let error {
            mistakes.append(
                .syntax(
                    error, place: text.sourceOffset(character: error.place),
                    context: text.sourceOffset(character: error.contextPlace), in: source))
            return nil
        }
        return root
    }

    /// - Returns: Whether to continue reading.
    private mutating func receive(_ event: YAMLEvent, _ range: Range<Int>) -> Bool {
        if mistakes.count >= Mistake.limit { return false }
        switch event {
        case .documentStart:
            if hasDocument {
                complain(range, "a second document", "a rule file is one document; remove this '---' and the rest")
                return false
            }
            hasDocument = true
        case .alias(let name):
            complain(
                range, "aliases such as *\(name.shortened) are not read",
                "write out its value; if it is text, put it in single quotes: '*\(name.shortened)'")
            add(YAMLNode(content: .unreadable, range: range))
        case .scalar(let text, let style, let properties):
            check(properties, range)
            add(YAMLNode(content: .scalar(text, style), range: range))
        case .sequenceStart(let properties), .mappingStart(let properties):
            check(properties, range)
            if stack.count == depth {
                mistakes.append(
                    Mistake(range: range, message: "nested more than \(depth) deep", remedy: .raise("depth", to: nil)))
                return false
            }
            var isMapping = false
            if case .mappingStart = event { isMapping = true }
            stack.append(Open(start: range.lowerBound, isMapping: isMapping))
        case .sequenceEnd, .mappingEnd:
            let open = stack.removeLast()
            let content: YAMLNode.Content = open.isMapping ? .mapping(open.entries) : .sequence(open.items)
            add(YAMLNode(content: content, range: open.start..<max(open.start, range.upperBound)))
        }
        return true
    }

    private mutating func add(_ node: YAMLNode) {
        guard !stack.isEmpty else {
            root = node
            return
        }
        let last = stack.count - 1
        if !stack[last].isMapping {
            stack[last].items.append(node)
        } else if let key = stack[last].key {
            stack[last].key = nil
            addEntry(key, node, to: last)
        } else {
            stack[last].key = node
        }
    }

    private mutating func addEntry(_ key: YAMLNode, _ value: YAMLNode, to index: Int) {
        switch key.content {
        case .scalar(let name, _):
            if let first = stack[index].keys.updateValue(key.range.lowerBound, forKey: ByteEqualString(name)) {
                stack[index].keys[ByteEqualString(name)] = first
                complain(
                    key.range, "the key \(name.quoted) appears twice",
                    "the first is on line \(source.lineIndex(at: first) + 1)")
                return
            }
            stack[index].entries.append(YAMLEntry(key: name, keyRange: key.range, value: value))
        case .unreadable: break
        case .sequence, .mapping:
            complain(
                key.range, "a key must be text, not \(key.kindInWords)",
                "text that starts with { or [ needs single quotes")
        }
    }

    /// Refuses anchors and tags.
    private mutating func check(_ properties: YAMLProperties, _ range: Range<Int>) {
        let start = range.lowerBound
        if let anchor = properties.anchor {
            let end = min(start + 1 + anchor.utf8.count, range.upperBound)
            complain(
                start..<end, "anchors such as &\(anchor.shortened) are not read",
                "remove it; if it is text, put it in single quotes: '&\(anchor.shortened)'")
        } else if properties.tag != nil {
            // libyaml returns the tag in its long form; the source has its spelling.
            let end = source.bytes[start..<max(start, range.upperBound)].firstIndex { $0 <= UInt8(ascii: " ") }
            let written = source.text(start..<(end ?? max(start, range.upperBound)))
            complain(
                start..<start + written.utf8.count, "tags such as \(written.shortened) are not read",
                "remove it; quotes make text. If it is text, put it in single quotes: '\(written.shortened)'")
        }
    }

    private mutating func complain(_ range: Range<Int>, _ message: String, _ suggestion: String? = nil) {
        mistakes.append(Mistake(range: range, message: message, suggestion: suggestion))
    }
}

extension Mistake {
    /// The maximum number of mistakes collected from a file.
    static let limit = 1_000
}
