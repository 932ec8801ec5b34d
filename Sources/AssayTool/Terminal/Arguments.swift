import Assay
import AssayFiles

/// Refuses to run if the arguments are unknown: on Linux, Swift reads the command line from `/proc`.
func refuseMissingArguments() throws {
    if CommandLine.argc > 0 { return }
    throw InputError("the command line cannot be read", hint: "/proc must be mounted: mount -t proc proc /proc")
}

/// Refuses arguments that are not valid UTF-8.
///
/// Arguments may contain any bytes. Swift would replace invalid ones, and the command would read or write another file
/// than the named one.
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

/// Refuses repeated options with one value, because the parser would silently take the last one.
///
/// - Parameter words: a command line that the parser accepted, so that words with a leading hyphen are options.
func refuseRepeatedOptions(_ words: ArraySlice<String>) throws {
    var seen: Set<String> = []
    for word in words.prefix(while: { $0 != "--" }) where word.begins(withBytesOf: "-") {
        let name = String(word.pieces(at: "=")[0])
        // Flags may precede a short option: -qr FILE.
        let option = !name.hasPrefix("--") && name.hasSuffix("r") ? "--rules" : name
        guard optionsWithOneValue.contains(option), !seen.insert(option).inserted else { continue }
        throw InputError(
            "\(option) is given twice", hint: option == "--rules" ? "one rule file holds the rules of all columns" : nil
        )
    }
}

/// The options with one value. The parser does not expose them; a test compares this list with the help.
private let optionsWithOneValue: Set<String> = [
    "--blank-lines", "--changes", "--checkpoint-every", "--clean", "--comment", "--compress", "--compression",
    "--delimiter",
    "--encoding", "--escape",
    "--extra-fields",
    "--findings", "--first", "--format", "--head", "--line-terminator", "--max-findings",
    "--max-reject-rate", "--megabytes", "--memory",
    "--output-dir",
    "--output-encoding", "--progress", "--quote", "--rejects", "--rounds", "--rules", "--sample", "--seed",
    "--skip",
    "--stop-after", "--temp-dir", "--threads",
]
