import ArgumentParser
import Assay
import AssayFiles
import AssayRules

/// The common options of `clean`, `check` and `diff`: how rules check records.
struct JudgingOptions: ParsableArguments {
    @Option(
        name: .customLong("extra-fields"), help: "Records with more fields than the header: reject (default) or keep.",
        completion: ExtraFieldsOption.completion, transform: ExtraFieldsOption.checked)
    var extraFieldsWord: String?

    @Flag(name: .customLong("no-repair"), help: "Judge what came: leave out the repairs of the rules.")
    var noRepair = false

    @Option(
        help: ArgumentHelp(
            "Memory for the keys of a table, such as 512M; more goes to --temp-dir. Default: a quarter of the machine's.",
            valueName: "size"))
    var memory: String?

    @Option(
        name: .customLong("temp-dir"),
        help: ArgumentHelp(
            "Where keys that have no room in memory, and findings to compare, are kept meanwhile. Default: TMPDIR, or /tmp.",
            valueName: "directory"),
        completion: .directory)
    var temporaryDirectory: String?

    func validate() throws {
        _ = try memoryBytes()
        if let temporaryDirectory, !isDirectory(temporaryDirectory) {
            throw ArgumentParser.ValidationError(
                "--temp-dir takes a directory, and there is none at '\(printable(temporaryDirectory))'.")
        }
    }

    /// The memory for keys in bytes; `nil` for the default.
    func memoryBytes() throws -> Int? {
        guard let memory else { return nil }
        guard let bytes = Limits.bytes(memory) else {
            throw ArgumentParser.ValidationError(
                "--memory takes a size such as 512M or 2G, not '\(printable(memory))'.")
        }
        return bytes
    }

    func apply(to file: inout RuleFile) {
        if noRepair { file.schema = file.schema.withoutRepairs }
        if let extraFieldsWord {
            file.dialect.extraFields = extraFieldsWord == ExtraFieldsOption.keep.rawValue ? .keep : .reject
        }
    }
}

extension JudgingOptions {
    /// The value without options. It must set every property, because reading an unset one ends the process.
    static var unset: Self {
        var options = Self()
        (options.extraFieldsWord, options.noRepair) = (nil, false)
        (options.memory, options.temporaryDirectory) = (nil, nil)
        return options
    }
}

enum ExtraFieldsOption: String, OptionWord {
    case reject, keep
}
