/// A string that equals another only if their UTF-8 is the same.
///
/// `String` compares by canonical equivalence: `é` equals `e` with an accent. Names of columns, patterns and paths are
/// compared byte for byte, and sorted so.
package struct ByteEqualString: Hashable, Comparable, Sendable {
    private let bytes: [UInt8]

    package init(_ text: String) { bytes = Array(text.utf8) }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package static func < (one: ByteEqualString, other: ByteEqualString) -> Bool {
        one.bytes.lexicographicallyPrecedes(other.bytes)
    }
}
