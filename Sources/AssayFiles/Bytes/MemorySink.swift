internal import Assay

/// A sink that keeps its bytes in memory until they are taken.
public final class MemorySink: Sink {
    public let name = "memory"
    private let kept = Lock<[UInt8]>([])

    /// An empty sink.
    public init() {}

    public func write(_ bytes: UnsafeRawBufferPointer) { kept.withLock { $0 += bytes } }

    /// Everything written since the last time.
    public func take() -> [UInt8] {
        kept.withLock { kept in
            defer { kept = [] }
            return kept
        }
    }
}
