internal import CAssayABI

/// An Arrow array that we made, before it is handed out: a tree of buffers.
struct OutgoingArray {
    var length: Int
    var nullCount = 0
    /// `nil`: a validity map that is not needed.
    var buffers: [Block?]
    var children: [OutgoingArray] = []
    var dictionary: [OutgoingArray] = []

    /// Hands it out. Whoever has the structure then releases it.
    func write(to target: UnsafeMutablePointer<ArrowArray>) {
        let owner = ArrayOwner(self)
        target.initialize(
            to: ArrowArray(
                length: Int64(length), null_count: Int64(nullCount), offset: 0, n_buffers: Int64(buffers.count),
                n_children: Int64(children.count), buffers: owner.buffers, children: owner.children,
                dictionary: owner.dictionary, release: { array in array.map { ArrayOwner.release($0) } },
                private_data: Unmanaged.passRetained(owner).toOpaque()))
    }
}

/// What an array that was handed out owns: its buffers and the structures of its children.
private final class ArrayOwner {
    let buffers: UnsafeMutablePointer<UnsafeRawPointer?>
    let children: UnsafeMutablePointer<UnsafeMutablePointer<ArrowArray>?>
    let dictionary: UnsafeMutablePointer<ArrowArray>?
    private let blocks: [Block?]
    private let childCount: Int

    init(_ array: OutgoingArray) {
        blocks = array.buffers
        childCount = array.children.count
        buffers = .allocate(capacity: max(1, blocks.count))
        for (index, block) in blocks.enumerated() {
            (buffers + index).initialize(to: block.map { UnsafeRawPointer($0.bytes) })
        }
        children = .allocate(capacity: max(1, childCount))
        for (index, child) in array.children.enumerated() {
            let place = UnsafeMutablePointer<ArrowArray>.allocate(capacity: 1)
            child.write(to: place)
            (children + index).initialize(to: place)
        }
        dictionary = array.dictionary.first.map { values in
            let place = UnsafeMutablePointer<ArrowArray>.allocate(capacity: 1)
            values.write(to: place)
            return place
        }
    }

    /// A child that was moved away has no release any more, and is not released again.
    deinit {
        for index in 0..<childCount {
            guard let child = children[index] else { continue }
            child.pointee.release?(child)
            child.deallocate()
        }
        children.deallocate()
        if let dictionary {
            dictionary.pointee.release?(dictionary)
            dictionary.deallocate()
        }
        buffers.deallocate()
    }

    static func release(_ array: UnsafeMutablePointer<ArrowArray>) {
        guard let owner = array.pointee.private_data else { return }
        array.pointee.release = nil
        array.pointee.private_data = nil
        Unmanaged<ArrayOwner>.fromOpaque(owner).release()
    }
}

/// The type of an array that we made, before it is handed out.
struct OutgoingSchema {
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
                children: owner.children, dictionary: owner.dictionary,
                release: { schema in schema.map { SchemaOwner.release($0) } },
                private_data: Unmanaged.passRetained(owner).toOpaque()))
    }

    /// Names that repeat, as indices into the different ones.
    static func names(_ name: String) -> OutgoingSchema {
        OutgoingSchema(format: "i", name: name, dictionary: [OutgoingSchema(format: "u")])
    }
}

private final class SchemaOwner {
    let format: CText
    let name: CText
    let children: UnsafeMutablePointer<UnsafeMutablePointer<ArrowSchema>?>
    let dictionary: UnsafeMutablePointer<ArrowSchema>?
    private let childCount: Int

    init(_ schema: OutgoingSchema) {
        format = CText(schema.format)
        name = CText(schema.name)
        childCount = schema.children.count
        children = .allocate(capacity: max(1, childCount))
        for (index, child) in schema.children.enumerated() {
            let place = UnsafeMutablePointer<ArrowSchema>.allocate(capacity: 1)
            child.write(to: place)
            (children + index).initialize(to: place)
        }
        dictionary = schema.dictionary.first.map { values in
            let place = UnsafeMutablePointer<ArrowSchema>.allocate(capacity: 1)
            values.write(to: place)
            return place
        }
    }

    deinit {
        for index in 0..<childCount {
            guard let child = children[index] else { continue }
            child.pointee.release?(child)
            child.deallocate()
        }
        children.deallocate()
        if let dictionary {
            dictionary.pointee.release?(dictionary)
            dictionary.deallocate()
        }
    }

    static func release(_ schema: UnsafeMutablePointer<ArrowSchema>) {
        guard let owner = schema.pointee.private_data else { return }
        schema.pointee.release = nil
        schema.pointee.private_data = nil
        Unmanaged<SchemaOwner>.fromOpaque(owner).release()
    }
}
