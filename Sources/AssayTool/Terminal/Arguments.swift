import Assay
import AssayFiles

/// Refuses to run if the command line cannot be read. On Linux, Swift reads it from `/proc`, which may not be mounted.
func refuseMissingArguments() throws {
    if CommandLine.argc > 0 { return }
    throw InputError("the command line cannot be read", hint: "/proc must be mounted: mount -t proc proc /proc")
}

/// Refuses options such as `--output-dir=$FOLDER` with an empty variable, because ArgumentParser would take the next
/// word as the value.
func refuseEmptyValues(_ words: ArraySlice<String>) throws {
    for word in words {
        if word == "--" { return }
        guard word.hasPrefix("--") || word == "-r=", word.firstIndex(of: "=") == word.indices.last else { continue }
        throw InputError("\(printable(word)) has no value", hint: "give it a value, or leave it out")
    }
}

/// Refuses arguments that are not valid UTF-8.
///
/// Arguments may contain any bytes. Swift would replace invalid ones, and the command would open a different file from
/// the named one.
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
