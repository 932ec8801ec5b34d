import Assay
import AssayFiles

extension ZipMembers {
    /// The path of an archive, which is a pattern, too: a backslash does not escape its special characters.
    static func archiveArgument(_ path: String) -> String {
        shellPath(path.replacingEach("[", by: "[[]").replacingEach("*", by: "[*]").replacingEach("?", by: "[?]"))
    }

    /// A name as a pattern of `unzip` that matches it alone and is not an option, for a shell.
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
