/// What becomes a structure of Arrow's C data interface once it is handed out: a tree.
protocol Outgoing {
    associatedtype Structure
    var children: [Self] { get }
    /// The values of a dictionary, or none.
    var dictionary: [Self] { get }

    /// Hands it out. Whoever has the structure then releases it.
    func write(to target: UnsafeMutablePointer<Structure>)

    /// Releases what was handed out, unless it was moved away and has no release any more.
    static func release(_ structure: UnsafeMutablePointer<Structure>)
}

/// The structures below one that was handed out, which owns them.
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
