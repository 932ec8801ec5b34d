internal import AssayFiles
internal import CAssayABI

/// An Arrow schema that was looked at from all sides: a tree whose texts are Swift's and whose pointers are none.
struct ArrowNode {
    /// No table is nested deeper than this; a structure that is would only be there to use up the stack.
    static let deepest = 32
    /// Nor has it more columns and structs. A few structures that have each other as children twice can make any number.
    static let most = 100_000

    let name: String
    let format: ArrowFormat
    /// Whether its values are bytes rather than text: Arrow has names of their own for these.
    let isBinary: Bool
    let children: [ArrowNode]
    /// The type of the dictionary's values, if it is dictionary-encoded; `format` is that of the indices.
    let dictionary: [ArrowNode]

    /// - Throws: a fault for what is no schema: released, without a format, children that are not there.
    init(_ schema: UnsafePointer<ArrowSchema>?) throws(Fault) {
        var room = Self.most
        try self.init(schema, path: "the schema", depth: 0, room: &room)
    }

    private init(
        _ schema: UnsafePointer<ArrowSchema>?, path: String, depth: Int, room: inout Int
    ) throws(Fault) {
        guard let schema = schema?.pointee else { throw .arrow(path, "is NULL") }
        guard schema.release != nil else { throw .arrow(path, "was released already") }
        guard depth < Self.deepest else { throw .arrow(path, "is nested deeper than \(Self.deepest)") }
        room -= 1
        guard room >= 0 else { throw .arrow("the schema", "has more than \(Self.most) parts") }
        guard let format = schema.format else { throw .arrow(path, "has no format") }
        guard let text = String(validatingCString: format) else { throw .arrow(path, "has a format that is not text") }
        guard let name = schema.name.map({ String(validatingCString: $0) }) ?? "" else {
            throw .arrow(path, "has a name that is not UTF-8")
        }
        self.name = name
        self.format = ArrowFormat(text)
        guard (0...Int64(Self.most)).contains(schema.n_children) else {
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
    /// An Arrow structure that is malformed.
    static func arrow(_ path: String, _ problem: String) -> Fault {
        Fault(ASSAY_FAULT_ARROW, "\(printable(path)) \(problem)")
    }
}
