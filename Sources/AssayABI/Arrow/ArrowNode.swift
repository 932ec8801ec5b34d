internal import AssayFiles
internal import CAssayABI

/// A validated Arrow schema: a tree with Swift strings and without pointers.
struct ArrowNode {
    /// The maximum nesting. It protects the stack from malicious schemas.
    static let deepest = 32
    /// The maximum number of columns and structs. A few structures that contain each other twice could otherwise expand
    /// to any number.
    static let maxCount = 100_000

    let name: String
    let format: ArrowFormat
    /// Whether the values are bytes instead of text, for which Arrow has separate types.
    let isBinary: Bool
    let children: [ArrowNode]
    /// The type of the dictionary's values, if the array is dictionary-encoded; `format` is then the type of the
    /// indices.
    let dictionary: [ArrowNode]

    /// - Throws: a fault for an invalid schema: released, without a format, or with missing children.
    init(_ schema: UnsafePointer<ArrowSchema>?) throws(Fault) {
        var room = Self.maxCount
        try self.init(schema, path: "the schema", depth: 0, room: &room)
    }

    private init(
        _ schema: UnsafePointer<ArrowSchema>?, path: String, depth: Int, room: inout Int
    ) throws(Fault) {
        guard let schema = schema?.pointee else { throw .arrow(path, "is NULL") }
        guard schema.release != nil else { throw .arrow(path, "was released already") }
        guard depth < Self.deepest else { throw .arrow(path, "is nested deeper than \(Self.deepest)") }
        room -= 1
        guard room >= 0 else { throw .arrow("the schema", "has more than \(Self.maxCount) parts") }
        guard let format = schema.format else { throw .arrow(path, "has no format") }
        guard let text = String(validatingCString: format) else { throw .arrow(path, "has a format that is not text") }
        guard let name = schema.name.map({ String(validatingCString: $0) }) ?? "" else {
            throw .arrow(path, "has a name that is not UTF-8")
        }
        self.name = name
        self.format = ArrowFormat(text)
        guard (0...Int64(Self.maxCount)).contains(schema.n_children) else {
            throw .arrow(path, "has \(schema.n_children) children")
        }
        var children: [ArrowNode] = []
        if schema.n_children > 0 {
            guard let list = schema.children else { throw .arrow(path, "has no list of its children") }
            for index in 0..<Int(schema.n_children) {
                children.append(
                    try ArrowNode(list[index], path: "\(path), child \(index)", depth: depth + 1, room: &room))
            }
        }
        self.children = children
        var isBinary = ["z", "Z", "vz"].contains(text)
        if self.format == .runs, let values = children.last { isBinary = values.isBinary }
        if let dictionary = schema.dictionary {
            guard case .integer = self.format else {
                throw .arrow(path, "has a dictionary, and indices of type \(text)")
            }
            self.dictionary = [try ArrowNode(dictionary, path: "\(path), dictionary", depth: depth + 1, room: &room)]
            isBinary = self.dictionary[0].isBinary
        } else {
            dictionary = []
        }
        self.isBinary = isBinary
    }
}

extension Fault {
    /// The fault for a malformed Arrow structure.
    static func arrow(_ path: String, _ problem: String) -> Fault {
        Fault(ASSAY_FAULT_ARROW, "\(printable(path)) \(problem)")
    }
}
