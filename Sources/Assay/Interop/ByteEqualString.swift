/// A string that equals another only if their UTF-8 is the same.
///
/// `String` compares by canonical equivalence: `é` equals `e` with an accent. Names of columns, patterns and paths are compared
/// byte for byte.
package struct ByteEqualString: Hashable, Sendable {
    private let bytes: [UInt8]

    package init(_ text: String) { bytes = Array(text.utf8) }
}
