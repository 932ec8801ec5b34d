extension String {
    /// The text in a form that a terminal shows on one line: escapes replace control characters and those that change
    /// the direction of text, and an ellipsis replaces the rest after `limit` scalars.
    func onOneLine(limit: Int) -> String {
        var text = ""
        for (count, scalar) in unicodeScalars.enumerated() {
            if count == limit { return text + "…" }
            switch scalar.properties.generalCategory {
            // Keep joiners, because they are visible in the form of the adjacent letters.
            case .format where scalar == "\u{200C}" || scalar == "\u{200D}": text.unicodeScalars.append(scalar)
            case .control, .format, .lineSeparator, .paragraphSeparator:
                text += scalar.escaped(asASCII: true)
            default:
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
