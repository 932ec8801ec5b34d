/// Several copies of the same compiled pattern, which the rounds alternate.
///
/// The address of machine code affects its speed: three copies of one pattern took 32.5, 33.1 and 34.0 ns per value in
/// every run, and another pattern varied by 10 %. With several copies per contender, the best round of each has a good
/// address.
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
