import Foundation

/// A pattern as ICU understands it: `NSRegularExpression`, made to match the whole value as `MATCHES` does.
struct ICUEngine {
    private let expression: NSRegularExpression

    /// `nil`: ICU refuses the pattern.
    init?(_ pattern: String) {
        // By itself first: what is wrong with it could be right between the parentheses.
        guard (try? NSRegularExpression(pattern: pattern)) != nil,
            let whole = try? NSRegularExpression(pattern: #"\A(?:\#(pattern))\z"#)
        else { return nil }
        expression = whole
    }

    func matches(_ value: String) -> Bool {
        expression.firstMatch(in: value, range: NSRange(location: 0, length: value.utf16.count)) != nil
    }
}
