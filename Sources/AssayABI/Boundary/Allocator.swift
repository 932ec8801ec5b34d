internal import CAssayABI
internal import CAssaySystem

/// The allocator of memory that is passed to the caller: malloc, or the caller's hooks.
struct Allocator: @unchecked Sendable {
    // SAFETY: the caller guarantees that any thread may use the functions with the context (assay.h, assay_allocator).
    private let hooks: assay_allocator?

    init() { hooks = nil }

    init(_ hooks: assay_allocator) throws(Fault) {
        guard hooks.allocate != nil, hooks.deallocate != nil else {
            throw Fault(ASSAY_FAULT_ARGUMENT, "an assay_allocator needs both of its functions")
        }
        self.hooks = hooks
    }

    /// - Throws: a fault if the allocator returns NULL.
    func allocate(_ size: Int) throws(Fault) -> UnsafeMutableRawPointer {
        let memory = hooks.map { $0.allocate($0.context, max(1, size)) } ?? malloc(max(1, size))
        guard let memory else { throw Fault(ASSAY_FAULT_MEMORY, "no memory for \(size) bytes") }
        return memory
    }

    func deallocate(_ memory: UnsafeMutableRawPointer, _ size: Int) {
        if let hooks { hooks.deallocate(hooks.context, memory, max(1, size)) } else { free(memory) }
    }
}

/// A block from an allocator, freed with the object.
final class Block: @unchecked Sendable {
    // SAFETY: threads that share a block must write to different parts, or only read.
    let bytes: UnsafeMutableRawPointer
    let size: Int
    private let allocator: Allocator

    /// Allocates zeroed memory.
    init(_ size: Int, _ allocator: Allocator) throws(Fault) {
        bytes = try allocator.allocate(size)
        self.size = size
        self.allocator = allocator
        bytes.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    }

    deinit { allocator.deallocate(bytes, size) }

    func words() -> UnsafeMutablePointer<UInt64> { numbers() }

    func numbers<Number>(_ type: Number.Type = Number.self) -> UnsafeMutablePointer<Number> {
        bytes.assumingMemoryBound(to: type)
    }
}
