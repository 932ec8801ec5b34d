/// A tree that becomes a structure of Arrow's C data interface when it is exported.
protocol Outgoing {
    associatedtype Structure
    var children: [Self] { get }
    /// The dictionary's values as one element, or empty.
    var dictionary: [Self] { get }

    /// Exports the tree. The owner of the structure must release it.
    func write(to target: UnsafeMutablePointer<Structure>)

    /// Releases an exported structure, unless it was moved, in which case it has no release callback.
    static func release(_ structure: UnsafeMutablePointer<Structure>)
}

/// The child structures that an exported structure owns.
final class OutgoingParts<Tree: Outgoing> {
    let children: UnsafeMutablePointer<UnsafeMutablePointer<Tree.Structure>?>
    let dictionary: UnsafeMutablePointer<Tree.Structure>?
    private let childCount: Int

    init(of tree: Tree) {
        func place(_ part: Tree) -> UnsafeMutablePointer<Tree.Structure> {
            let place = UnsafeMutablePointer<Tree.Structure>.allocate(capacity: 1)
            part.write(to: place)
            return place
        }
        childCount = tree.children.count
        children = .allocate(capacity: max(1, childCount))
        for (index, child) in tree.children.enumerated() {
            (children + index).initialize(to: place(child))
        }
        dictionary = tree.dictionary.first.map(place)
    }

    deinit {
        for part in (0..<childCount).map({ children[$0] }) + [dictionary] {
            guard let part else { continue }
            Tree.release(part)
            part.deallocate()
        }
        children.deallocate()
    }
}
