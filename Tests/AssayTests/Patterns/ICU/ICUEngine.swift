import Foundation

/// A pattern in ICU: `NSRegularExpression`, anchored to match the whole value as `MATCHES` does.
struct ICUEngine {
    private let expression: NSRegularExpression

    /// `nil` if ICU rejects the pattern.
    init?(_ pattern: String) {
        // Separately first, because an invalid pattern may become valid inside the parentheses.
        guard (try? NSRegularExpression(pattern: pattern)) != nil,
            let anchored = try? NSRegularExpression(pattern: #"\A(?:\#(pattern))\z"#)
        else { return nil }
        expression = anchored
    }

    func matches(_ value: String) -> Bool {
        expression.firstMatch(in: value, range: NSRange(location: 0, length: value.utf16.count)) != nil
    }
}
