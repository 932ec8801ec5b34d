/// Plain values one after another as bytes, each list with its length before it; taken out in the order in which they
/// were put in.
struct PlainBytes {
    private(set) var bytes: [UInt8]
    private var taken = 0

    init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    mutating func put(_ value: some BitwiseCopyable) {
        withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
    }

    mutating func put<Value: BitwiseCopyable>(all values: UnsafeBufferPointer<Value>) {
        put(values.count)
        bytes.append(contentsOf: UnsafeRawBufferPointer(values))
    }

    mutating func put<Value: BitwiseCopyable>(all values: [Value]) {
        values.withUnsafeBufferPointer { put(all: $0) }
    }

    mutating func take<Value: BitwiseCopyable>(_: Value.Type = Value.self) -> Value {
        defer { taken += MemoryLayout<Value>.size }
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: taken, as: Value.self) }
    }

    mutating func takeAll<Value: BitwiseCopyable>(of: Value.Type = Value.self) -> [Value] {
        let count = take(Int.self)
        let size = count * MemoryLayout<Value>.stride
        defer { taken += size }
        return Array(unsafeUninitializedCapacity: count) { buffer, initialized in
            bytes.withUnsafeBytes { bytes in
                UnsafeMutableRawBufferPointer(buffer).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: bytes[taken..<taken + size]))
            }
            initialized = count
        }
    }
}
