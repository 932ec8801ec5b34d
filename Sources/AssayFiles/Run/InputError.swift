/// An input, or a set of options, that the job cannot start with.
public struct InputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What would work, where that is known. Whoever knows how the job was started can make a command of it.
    public enum Remedy: Hashable, Sendable {
        /// Read it with this delimiter.
        case delimiter(UInt8)
        /// Have it read by another program, which writes CSV: `zcat` followed by the name of the file. Then with this
        /// delimiter, if there is one.
        case filter([String], delimiter: UInt8? = nil)
        /// Have another program make a file of it first.
        case convert(command: String, result: String)
    }

    public var message: String
    /// What to do instead.
    public var hint: String?
    public var remedy: Remedy?

    public init(_ message: String, hint: String? = nil, remedy: Remedy? = nil) {
        self.message = message
        self.hint = hint
        self.remedy = remedy
    }

    public var description: String { hint.map { "\(message)\n  hint: \($0)" } ?? message }
}

/// A path as a shell reads it back, and a program does not take it for an option.
package func shellPath(_ path: String) -> String {
    // What bash makes of <(…) has this name only as long as that command runs.
    if path.hasPrefix("/dev/fd/") { return "<(…)" }
    return shellQuoted(path.hasPrefix("-") && path != CleanJob.standard ? "./" + path : path)
}

/// A word as a shell reads it back. What a terminal must not be sent raw is written as bash, zsh and ksh read it in `$'…'`.
package func shellQuoted(_ word: String) -> String {
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
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
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
package func shellQuoted(bytes: [UInt8]) -> String {
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
