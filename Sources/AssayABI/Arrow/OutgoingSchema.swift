internal import CAssayABI

/// The type of an array of the library before its export.
struct OutgoingSchema: Outgoing {
    var format: String
    var name = ""
    var isNullable = false
    var children: [OutgoingSchema] = []
    var dictionary: [OutgoingSchema] = []

    func write(to target: UnsafeMutablePointer<ArrowSchema>) {
        let owner = SchemaOwner(self)
        target.initialize(
            to: ArrowSchema(
                format: owner.format.pointer, name: owner.name.pointer, metadata: nil,
                flags: isNullable ? Int64(ARROW_FLAG_NULLABLE) : 0, n_children: Int64(children.count),
                children: owner.parts.children, dictionary: owner.parts.dictionary,
                release: { schema in schema.map { SchemaOwner.release($0) } },
                private_data: Unmanaged.passRetained(owner).toOpaque()))
    }

    static func release(_ schema: UnsafeMutablePointer<ArrowSchema>) { schema.pointee.release?(schema) }

    /// Repeated names, as indices into a dictionary of distinct names.
    static func names(_ name: String, isNullable: Bool = false) -> OutgoingSchema {
        OutgoingSchema(format: "i", name: name, isNullable: isNullable, dictionary: [OutgoingSchema(format: "u")])
    }
}

private final class SchemaOwner {
    let format: CText
    let name: CText
    let parts: OutgoingParts<OutgoingSchema>

    init(_ schema: OutgoingSchema) {
        format = CText(schema.format)
        name = CText(schema.name)
        parts = OutgoingParts(of: schema)
    }

    static func release(_ schema: UnsafeMutablePointer<ArrowSchema>) {
        guard let owner = schema.pointee.private_data else { return }
        schema.pointee.release = nil
        schema.pointee.private_data = nil
        Unmanaged<SchemaOwner>.fromOpaque(owner).release()
    }
}
