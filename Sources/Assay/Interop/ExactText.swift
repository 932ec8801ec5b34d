/// A text as a key by which it is found again only in the very same spelling.
///
/// `String` takes `é` and `e` with an accent for equal; names of columns, patterns and paths are compared byte for byte.
package struct ExactText: Hashable, Sendable {
    private let bytes: [UInt8]

    package init(_ text: String) { bytes = Array(text.utf8) }
}
