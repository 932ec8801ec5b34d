import Assay
import AssayFiles

/// Returns a path in a form that a shell reads as one word, and that a program does not mistake for an option.
func shellPath(_ path: String) -> String {
    // bash creates this path for `<(…)`, and it exists only while that command runs.
    if path.begins(withBytesOf: "/dev/fd/") { return "<(…)" }
    return shellQuoted(path.begins(withBytesOf: "-") && path != CleanJob.standard ? "./" + path : path)
}

/// Quotes a word, if necessary, so that a shell reads it as one word. Control characters are escaped in `$'…'`, which
/// bash, zsh and ksh support.
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

/// Quotes a word that is not valid UTF-8, for bash, zsh and ksh.
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
