internal import Assay
internal import Synchronization

/// A table of the patterns of string literals, by the addresses of the literals. Thread-safe. A lookup takes no lock,
/// and retains only the pattern that it returns.
///
///     heads   [ ]→( 0x91b0 [] )→( 0x4f20 [.search] )
///             [ ]
///             [ ]→( 0x5b8c [] )
///
/// A new node is added at the front of its list. Nodes are never changed, and are removed only with the table, so
/// readers synchronize only on the head of a list. The table has at most one node for each literal and its options.
final class LiteralPatterns: Sendable {
    /// The key of a literal. Its address and length identify it, because Swift does not unload program text. A literal
    /// of a single scalar has no address, so the scalar is used instead.
    private struct Key: Equatable {
        let address: UInt
        let count: Int
        let options: Pattern.Options

        init(_ literal: StaticString, _ options: Pattern.Options) {
            let isText = literal.hasPointerRepresentation  // otherwise a single scalar, which has no address
            address = isText ? UInt(bitPattern: literal.utf8Start) : UInt(literal.unicodeScalar.value)
            count = isText ? literal.utf8CodeUnitCount : 0
            self.options = options
        }

        /// The top bits of the address times a constant (Fibonacci hashing).
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

    // SAFETY: init allocates the memory and deinit frees it. The pointer does not change, and its targets are atomic.
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

    /// The pattern of a literal. `compile` is called if the table does not contain it.
    ///
    /// If several threads look up the same new literal at the same time, each may call `compile`; all get the same
    /// pattern.
    func pattern(_ literal: StaticString, options: Pattern.Options, compile: () -> Pattern) -> Pattern {
        let key = Key(literal, options)
        var first = heads[key.bucket].load(ordering: .acquiring)
        if let known = Self.find(key, from: first) { return known }
        let pattern = compile()
        while true {
            // SAFETY: the node is private until the exchange, and immutable after it.
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
