import Assay
import AssayFiles

/// Refuses to run without knowing what was asked for: on Linux, Swift reads the command line from `/proc`.
func refuseMissingArguments() throws {
    if CommandLine.argc > 0 { return }
    throw InputError("the command line cannot be read", hint: "/proc must be mounted: mount -t proc proc /proc")
}

/// Refuses words of the command line that are no text.
///
/// They may be any bytes, and what Swift makes of them is another name: another file would be read, or written, than was
/// meant.
func refuseArgumentsThatAreNoText() throws {
    for index in 1..<max(1, Int(CommandLine.argc)) {
        guard let word = CommandLine.unsafeArgv[index], String(validatingCString: word) == nil else { continue }
        let bytes = Array((0...).lazy.map { UInt8(bitPattern: word[$0]) }.prefix { $0 != 0 })
        let shown = shellQuoted(bytes: bytes)
        let isOption = bytes.first == UInt8(ascii: "-")
        let given = CommandLine.arguments[1]
        let command = ["clean", "profile", "init"].contains(given) ? given : "check"
        throw InputError(
            "argument \(index) is not UTF-8: \(shown)",
            hint: "if it names a file, rename the file"
                + (isOption ? "" : ", or let the shell open it: assay \(command) - < \(shown)"))
    }
}

/// Refuses an option with one value that is given twice: the parser would take the last one and not say so.
///
/// - Parameter words: a command line that the parser has taken, so that what begins with a hyphen is an option.
func refuseRepeatedOptions(_ words: ArraySlice<String>) throws {
    var seen: Set<String> = []
    for word in words.prefix(while: { $0 != "--" }) where word.begins(withBytesOf: "-") {
        let name = String(word.pieces(at: "=")[0])
        // Flags may stand before a short option: -qr FILE.
        let option = !name.hasPrefix("--") && name.hasSuffix("r") ? "--rules" : name
        guard optionsWithOneValue.contains(option), !seen.insert(option).inserted else { continue }
        throw InputError(
            "\(option) is given twice", hint: option == "--rules" ? "one rule file holds the rules of all columns" : nil
        )
    }
}

/// The parser does not tell which these are. A test compares them with the help.
private let optionsWithOneValue: Set<String> = [
    "--blank-lines", "--changes", "--checkpoint-every", "--clean", "--comment", "--compress", "--compression",
    "--delimiter",
    "--encoding", "--escape",
    "--extra-fields",
    "--findings", "--first", "--format", "--head", "--max-findings", "--max-reject-rate", "--megabytes", "--memory",
    "--output-dir",
    "--output-encoding", "--progress", "--quote", "--rejects", "--rounds", "--rules", "--sample", "--seed",
    "--skip",
    "--stop-after", "--temp-dir", "--threads",
]
