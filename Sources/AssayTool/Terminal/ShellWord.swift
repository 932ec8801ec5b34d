import Assay
import AssayFiles

/// A path as a shell reads it back, and a program does not take it for an option.
func shellPath(_ path: String) -> String {
    // What bash makes of <(…) has this name only as long as that command runs.
    if path.begins(withBytesOf: "/dev/fd/") { return "<(…)" }
    return shellQuoted(path.begins(withBytesOf: "-") && path != CleanJob.standard ? "./" + path : path)
}

/// A word as a shell reads it back. What a terminal must not be sent raw is written as bash, zsh and ksh read it in `$'…'`.
func shellQuoted(_ word: String) -> String {
    let isSafe = word.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "._-/+,@:=%".utf8.contains(byte)
        }
    }
    if isSafe && !word.isEmpty { return word }
    if printable(word) == word {
        return "'" + word.replacingEach("'", by: "'\\''") + "'"
    }
    var text = "$'"
    for scalar in word.unicodeScalars {
        if scalar == "'" || scalar == "\\" {
            text += "\\\(scalar)"
        } else if printable(String(scalar)) == String(scalar) {
            text.unicodeScalars.append(scalar)
        } else {
            for byte in String(scalar).utf8 { text += shellEscape(byte) }
        }
    }
    return text + "'"
}

/// A word that is no text, as bash, zsh and ksh read it back.
func shellQuoted(bytes: [UInt8]) -> String {
    var text = "$'"
    for byte in bytes {
        let scalar = UnicodeScalar(byte)
        switch scalar {
        case "'", "\\": text += "\\\(scalar)"
        case " "..."~": text.unicodeScalars.append(scalar)
        default: text += shellEscape(byte)
        }
    }
    return text + "'"
}

private func shellEscape(_ byte: UInt8) -> String { "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16) }
