internal import Assay

/// The names of columns that are missing or equal.
package struct NameMistakes: Hashable, Sendable {
    /// The positions of columns without a name or with only blanks, from 1.
    package private(set) var unnamed: [Int] = []
    /// The columns with equal names, in the order of the first ones.
    package private(set) var equal: [Equal] = []

    package struct Equal: Hashable, Sendable {
        package var name: String
        /// From 1.
        package var positions: [Int]
    }

    init() {}

    init(_ names: [String]) {
        var places: [String: Int] = [:]
        for (index, name) in names.enumerated() {
            if name.allSatisfy(\.isWhitespace) {
                unnamed.append(index + 1)
            } else if let place = places[name] {
                equal[place].positions.append(index + 1)
            } else {
                places[name] = equal.count
                equal.append(Equal(name: name, positions: [index + 1]))
            }
        }
        equal.removeAll { $0.positions.count == 1 }
    }

    /// The mistakes in words, such as `1 column has no name: 3` and `2 columns have the name 'Labels': 4, 5`.
    package var texts: [String] {
        var texts: [String] = []
        if !unnamed.isEmpty {
            let has = unnamed.count == 1 ? "has" : "have"
            texts.append("\(plural(unnamed.count, "column")) \(has) no name: \(Self.text(unnamed))")
        }
        for same in equal.prefix(Self.maxTexts) {
            let name = printable(same.name)
            texts.append(
                "\(plural(same.positions.count, "column")) have the name '\(name)': \(Self.text(same.positions))")
        }
        if equal.count > Self.maxTexts {
            texts.append("\(plural(equal.count - Self.maxTexts, "more name")) of several columns")
        }
        return texts
    }

    private static let maxTexts = 5

    private static func text(_ positions: [Int]) -> String {
        positions.prefix(5).map { grouped($0) }.joined(separator: ", ") + (positions.count > 5 ? ", …" : "")
    }

    /// For the report.
    var value: JSONValue {
        .object([
            ("unnamed", .array(unnamed.map { .integer($0) })),
            (
                "equal",
                .array(
                    equal.map {
                        .object([
                            ("name", .string($0.name)), ("positions", .array($0.positions.map { .integer($0) })),
                        ])
                    })
            ),
        ])
    }
}
