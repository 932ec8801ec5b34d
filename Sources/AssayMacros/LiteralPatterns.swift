internal import Assay
internal import Synchronization

/// The patterns of the program's own text, by the places of their literals. Thread-safe; reading takes no lock and counts
/// no references but the one to the pattern.
///
///     heads   [ ]→( 0x91b0 [] )→( 0x4f20 [.search] )
///             [ ]
///             [ ]→( 0x5b8c [] )
///
/// A new node goes to the front of its list. Nodes never change and are never taken out, so whoever has seen one may walk
/// on from it without asking anyone. There are only so many literals in a program.
final class LiteralPatterns: Sendable {
    /// A literal by its address: Swift does not unload program text.
    private struct Key: Equatable {
        let address: UInt
        let count: Int
        let options: Pattern.Options

        init(_ literal: StaticString, _ options: Pattern.Options) {
            let isText = literal.hasPointerRepresentation  // or else a single scalar, which has no address
            address = isText ? UInt(bitPattern: literal.utf8Start) : UInt(literal.unicodeScalar.value)
            count = isText ? literal.utf8CodeUnitCount : 0
            self.options = options
        }

        /// The top bits of a multiplicative hash.
        var bucket: Int { Int((UInt64(address) &* 0x9E37_79B9_7F4A_7C15) >> (64 - LiteralPatterns.bucketBits)) }
    }

    private struct Node {
        let key: Key
        let pattern: Pattern
        let next: UnsafeMutablePointer<Node>?
    }

    private typealias Link = UnsafeMutablePointer<Node>?

    private static let bucketBits = 8
    private static let bucketCount = 1 << bucketBits

    // SAFETY: allocated by init, freed by deinit, the pointer itself never changes; what it points to is atomic.
    nonisolated(unsafe) private let heads: UnsafeMutablePointer<Atomic<Link>>

    init() {
        heads = .allocate(capacity: Self.bucketCount)
        for index in 0..<Self.bucketCount { (heads + index).initialize(to: Atomic(nil)) }
    }

    deinit {
        for index in 0..<Self.bucketCount {
            var link = heads[index].load(ordering: .acquiring)
            while let node = link {
                link = node.pointee.next
                node.deinitialize(count: 1)
                node.deallocate()
            }
        }
        heads.deinitialize(count: Self.bucketCount)
        heads.deallocate()
    }

    /// The pattern of a literal; `compile` is called when it has none yet.
    ///
    /// When many threads come with the same new literal they may all call `compile`; all get the same pattern.
    func pattern(_ literal: StaticString, options: Pattern.Options, compile: () -> Pattern) -> Pattern {
        let key = Key(literal, options)
        var first = heads[key.bucket].load(ordering: .acquiring)
        if let known = Self.find(key, from: first) { return known }
        let pattern = compile()
        while true {
            // SAFETY: nobody else sees the node before the exchange, and nobody writes to it after.
            let node = UnsafeMutablePointer<Node>.allocate(capacity: 1)
            node.initialize(to: Node(key: key, pattern: pattern, next: first))
            let (exchanged, current) = heads[key.bucket].compareExchange(
                expected: first, desired: node, ordering: .acquiringAndReleasing)
            if exchanged { return pattern }
            node.deinitialize(count: 1)
            node.deallocate()
            first = current
            if let known = Self.find(key, from: first) { return known }
        }
    }

    private static func find(_ key: Key, from first: Link) -> Pattern? {
        var link = first
        while let node = link {
            if node.pointee.key == key { return node.pointee.pattern }
            link = node.pointee.next
        }
        return nil
    }
}
