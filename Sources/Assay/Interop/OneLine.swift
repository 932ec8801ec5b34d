extension String {
    /// The text as a terminal can show it on one line: control characters and those that change the order of text as escapes, and
    /// what comes after so many characters as an ellipsis.
    func onOneLine(limit: Int) -> String {
        var text = ""
        for (count, scalar) in unicodeScalars.enumerated() {
            if count == limit { return text + "…" }
            switch scalar.properties.generalCategory {
            // The joiners are seen by how the letters beside them look.
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
