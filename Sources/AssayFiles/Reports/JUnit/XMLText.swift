/// Text in XML 1.0.
enum XMLText {
    /// A text as the value of an attribute, or as content. Characters that XML forbids, and those that nobody sees, are written as
    /// messages write them: `\x00`.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in printable(text).unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// `name="value"`, each behind a blank.
    static func attributes(_ attributes: [(String, String)]) -> String {
        attributes.map { " \($0)=\"\(escaped($1))\"" }.joined()
    }
}
