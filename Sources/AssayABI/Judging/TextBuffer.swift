/// Bytes that grow at the end and stay where they are until they do.
struct TextBuffer: ~Copyable {
    private(set) var bytes: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private var capacity = 64 << 10

    init() { bytes = .allocate(capacity: capacity) }

    deinit { bytes.deallocate() }

    mutating func removeAll() { count = 0 }

    mutating func append(_ value: UnsafePointer<UInt8>, _ length: Int) {
        reserve(length)
        (bytes + count).update(from: value, count: length)
        count += length
    }

    mutating func append(_ byte: UInt8) {
        reserve(1)
        bytes[count] = byte
        count += 1
    }

    mutating func append(_ text: String) {
        for byte in text.utf8 { append(byte) }
    }

    private mutating func reserve(_ length: Int) {
        guard count + length > capacity else { return }
        while count + length > capacity { capacity *= 2 }
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: bytes, count: count)
        bytes.deallocate()
        bytes = larger
    }
}
