import Foundation

/// NSRegularExpression as a validator: the whole value must match, which is asked for by anchors in the pattern.
struct FoundationPattern {
    private let anchored: String
    private let expression: NSRegularExpression

    init(_ subject: Subject) throws {
        anchored = #"\A(?:"# + subject.pattern + #")\z"#
        expression = try NSRegularExpression(pattern: anchored)
    }

    /// Whether a value matches, as everybody writes it.
    func matches(_ value: String) -> Bool {
        expression.firstMatch(in: value, range: NSRange(value.startIndex..., in: value)) != nil
    }

    /// How many values match.
    func countByFirstMatch(_ values: [String]) -> Int { values.count { matches($0) } }

    /// The same by the call that is the fastest on Linux, since it makes no result object.
    func countByNumberOfMatches(_ values: [String]) -> Int {
        values.count { expression.numberOfMatches(in: $0, range: NSRange(location: 0, length: $0.utf16.count)) > 0 }
    }

    /// The same with a new expression for each value, as validators over NSPredicate(format: "SELF MATCHES %@") do. NSPredicate
    /// has no format strings on Linux, so NSRegularExpression stands in for what it would do.
    func countCompilingEachTime(_ values: [String]) throws -> Int {
        try values.count { value in
            let expression = try NSRegularExpression(pattern: anchored)
            return expression.firstMatch(in: value, range: NSRange(value.startIndex..., in: value)) != nil
        }
    }
}
