/// Returns a text without markup, for the content or an attribute value of HTML or XML. Characters that XML forbids,
/// and invisible ones, are escaped as in messages: `\x00`.
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

/// Returns `name="value"` for each attribute, with a leading space.
func markupAttributes(_ attributes: [(String, String)]) -> String {
    attributes.map { " \($0)=\"\(markupEscaped($1))\"" }.joined()
}
