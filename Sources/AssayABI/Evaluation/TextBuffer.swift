/// Bytes that grow at the end. Their address changes only when they grow.
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

    /// Appends a number in decimal, padded with zeros to `digits`.
    mutating func append(decimal value: some FixedWidthInteger, digits: Int = 1) {
        if value < 0 { append(UInt8(ascii: "-")) }
        var rest = UInt64(value.magnitude)
        reserve(20)
        // Write backwards at the end of the reserved bytes, then move the text to its place.
        let end = bytes + count + 20
        var start = end
        repeat {
            start -= 1
            start.pointee = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0 || end - start < min(digits, 20)
        (bytes + count).update(from: start, count: end - start)
        count += end - start
    }

    /// Appends the bytes that `write` writes to the given memory. It returns their number, at most `length`.
    mutating func append(atMost length: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        reserve(length)
        count += write(bytes + count)
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
