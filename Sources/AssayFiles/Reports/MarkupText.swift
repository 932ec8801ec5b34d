/// A text in HTML or XML in which nothing is markup, as content or as the value of an attribute. What XML forbids, and what nobody would
/// see, is written as messages write it: `\x00`.
func markupEscaped(_ text: String) -> String {
    var escaped = ""
    for scalar in printable(text).unicodeScalars {
        switch scalar {
        case "&": escaped += "&amp;"
        case "<": escaped += "&lt;"
        case ">": escaped += "&gt;"
        case "\"": escaped += "&#34;"
        case "'": escaped += "&#39;"
        default: escaped.unicodeScalars.append(scalar)
        }
    }
    return escaped
}

/// `name="value"`, each behind a blank.
func markupAttributes(_ attributes: [(String, String)]) -> String {
    attributes.map { " \($0)=\"\(markupEscaped($1))\"" }.joined()
}
