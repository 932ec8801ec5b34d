internal import CAssayABI

/// An Arrow array of the library before its export: a tree of buffers.
struct OutgoingArray: Outgoing {
    var length: Int
    var nullCount = 0
    /// The buffers; `nil` for an unneeded validity map.
    var buffers: [Block?]
    var children: [OutgoingArray] = []
    var dictionary: [OutgoingArray] = []

    /// Exports the array. The owner of the structure must release it.
    func write(to target: UnsafeMutablePointer<ArrowArray>) {
        let owner = ArrayOwner(self)
        target.initialize(
            to: ArrowArray(
                length: Int64(length), null_count: Int64(nullCount), offset: 0, n_buffers: Int64(buffers.count),
                n_children: Int64(children.count), buffers: owner.buffers, children: owner.parts.children,
                dictionary: owner.parts.dictionary, release: { array in array.map { ArrayOwner.release($0) } },
                private_data: Unmanaged.passRetained(owner).toOpaque()))
    }

    static func release(_ array: UnsafeMutablePointer<ArrowArray>) { array.pointee.release?(array) }
}

/// The memory that an exported array owns.
private final class ArrayOwner {
    let buffers: UnsafeMutablePointer<UnsafeRawPointer?>
    let parts: OutgoingParts<OutgoingArray>
    private let blocks: [Block?]

    init(_ array: OutgoingArray) {
        blocks = array.buffers
        buffers = .allocate(capacity: max(1, blocks.count))
        for (index, block) in blocks.enumerated() {
            (buffers + index).initialize(to: block.map { UnsafeRawPointer($0.bytes) })
        }
        parts = OutgoingParts(of: array)
    }

    deinit { buffers.deallocate() }

    static func release(_ array: UnsafeMutablePointer<ArrowArray>) {
        guard let owner = array.pointee.private_data else { return }
        array.pointee.release = nil
        array.pointee.private_data = nil
        Unmanaged<ArrayOwner>.fromOpaque(owner).release()
    }
}
