/// The same compiled pattern several times over, to be used in turn.
///
/// Where machine code happens to lie in memory changes its speed (three copies of one pattern took 32.5, 33.1 and 34.0 ns
/// for a value, run after run; another pattern varied by 10 %). With some copies for every contender, the best round of each
/// is one with a good place.
final class Copies<Element> {
    static var count: Int { 8 }

    private let elements: [Element]
    private var turn = 0

    init(_ make: () throws -> Element) rethrows {
        elements = try (0..<Self.count).map { _ in try make() }
    }

    var next: Element {
        turn += 1
        return elements[turn % elements.count]
    }
}
