import Assay
import AssayFiles

extension ZipMembers {
    /// A shell word for the path of an archive. `unzip` reads the path as a pattern. Special characters are put in
    /// brackets, because a backslash does not escape them in this pattern.
    static func archiveArgument(_ path: String) -> String {
        shellPath(path.replacingEach("[", by: "[[]").replacingEach("*", by: "[*]").replacingEach("?", by: "[?]"))
    }

    /// A shell word for `unzip`: a pattern that matches only this name and is not an option.
    static func argument(_ name: String) -> String {
        var pattern = String.UnicodeScalarView()
        for (place, scalar) in name.unicodeScalars.enumerated() {
            switch scalar {
            case "\\", "*", "?", "[": pattern += ["\\", scalar]
            case "-" where place == 0: pattern += ["[", "-", "]"]
            default: pattern.append(scalar)
            }
        }
        return shellQuoted(String(pattern))
    }
}
