import Foundation

/// NSRegularExpression as a validator. Anchors in the pattern require that the whole value matches.
struct FoundationPattern {
    private let anchored: String
    private let expression: NSRegularExpression

    init(_ subject: Subject) throws {
        anchored = #"\A(?:"# + subject.pattern + #")\z"#
        expression = try NSRegularExpression(pattern: anchored)
    }

    /// Whether a value matches, in the usual spelling.
    func matches(_ value: String) -> Bool {
        expression.firstMatch(in: value, range: NSRange(value.startIndex..., in: value)) != nil
    }

    /// Counts the values that match.
    func countByFirstMatch(_ values: [String]) -> Int { values.count { matches($0) } }

    /// Counts with the fastest call on Linux, which makes no result object.
    func countByNumberOfMatches(_ values: [String]) -> Int {
        values.count { expression.numberOfMatches(in: $0, range: NSRange(location: 0, length: $0.utf16.count)) > 0 }
    }

    /// Counts with a new expression for each value, like validators over NSPredicate(format: "SELF MATCHES %@"). Uses
    /// NSRegularExpression, because NSPredicate has no format strings on Linux.
    func countCompilingEachTime(_ values: [String]) throws -> Int {
        try values.count { value in
            let expression = try NSRegularExpression(pattern: anchored)
            return expression.firstMatch(in: value, range: NSRange(value.startIndex..., in: value)) != nil
        }
    }
}
