import AssayFiles

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
        throw InputError(
            "argument \(index) is not UTF-8: \(shown)",
            hint: "if it names a file, rename that"
                + (isOption ? "" : ", or let the shell open it: assay check - < \(shown)"))
    }
}
