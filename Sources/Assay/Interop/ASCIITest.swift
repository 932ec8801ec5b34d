/// Returns whether a short value is ASCII. For short values, a call of the function that tests 32 bytes at once costs
/// more than it saves.
@inlinable @inline(__always)
package func isASCII(_ value: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    guard count <= 64 else { return false }
    let bytes = UnsafeRawPointer(value)
    var seen: UInt64 = 0
    if count >= 8 {
        // The last eight bytes are read whole, so some bytes are tested twice.
        var index = 0
        while index < count - 8 {
            seen |= bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            index += 8
        }
        seen |= bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    } else {
        for index in 0..<count { seen |= UInt64(value[index]) }
    }
    return seen & 0x8080_8080_8080_8080 == 0
}
