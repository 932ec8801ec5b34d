/// The indices of names in a list, compared by their bytes; for equal names the first index.
package struct FieldPlaces: Sendable {
    private let places: [ByteEqualString: Int]

    package init(_ names: some Sequence<String>) {
        places = Dictionary(
            names.enumerated().map { (ByteEqualString($0.element), $0.offset) }, uniquingKeysWith: { first, _ in first }
        )
    }

    package subscript(name: String) -> Int? { places[ByteEqualString(name)] }
}
