internal import Assay
internal import Synchronization

/// The patterns of the program's own text, by the places of their literals. Thread-safe; reading takes no lock.
///
///     heads   [ ]→( 0x4f20 [.search] )→( 0x91b0 [] )
///             [ ]
///             [ ]→( 0x5b8c [] )
///
/// It only grows: a node that is linked stays linked, which is what lets readers walk along without asking anyone. There
/// are only so many literals in a program.
final class LiteralPatterns: Sendable {
    /// A literal by its address: program text is never unloaded where Swift runs.
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

    private final class Node: Sendable {
        let key: Key?
        let pattern: Pattern?
        let next = AtomicLazyReference<Node>()

        init(key: Key? = nil, pattern: Pattern? = nil) {
            self.key = key
            self.pattern = pattern
        }
    }

    private static let bucketBits = 8
    private let heads = (0..<(1 << bucketBits)).map { _ in Node() }

    /// The pattern of a literal; `compile` is called when it has none yet.
    ///
    /// When many threads come with the same new literal they may all call `compile`; all get the same pattern.
    func pattern(
        _ literal: StaticString, options: Pattern.Options, compile: () -> Pattern
    ) -> Pattern {
        let key = Key(literal, options)
        var node = heads[key.bucket]
        while true {
            if node.key == key, let pattern = node.pattern { return pattern }
            node = node.next.load() ?? node.next.storeIfNil(Node(key: key, pattern: compile()))
        }
    }
}
