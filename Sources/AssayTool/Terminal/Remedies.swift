import Assay
import AssayFiles

extension InputError {
    /// The error with what to do in options of the command. Where that is another command, ``Remedies`` has it.
    var inOptions: String { description(remedy: remedy?.option) }
}

extension InputError.Remedy {
    fileprivate var option: String? {
        switch self {
        case .convert(.sqlite, _): "export a table of it: sqlite3 -header -csv FILE 'SELECT …'"
        case .convert(let format, let hasHeader):
            ConversionCommand(format, file: "", hasHeader: hasHeader) == nil ? format.advice : nil
        case .delimiter, .eitherDelimiter, .skip, .encoding: nil
        case .noHeader: "if the file has no header line, say so with --no-header"
        case .noQuotes: "if quotes are ordinary text in this file, use --quote none"
        case .limit(let name, let value): "if that is right, raise it with --limit \(name)=\(value)"
        case .replace: "remove what is there, choose other names, or replace it with --force"
        case .makeDirectory(let path): "make the directory first: mkdir -p \(shellPath(path))"
        }
    }
}

/// The commands that would have worked, made from the one that was given.
struct Remedies {
    let invocation: Invocation

    /// The commands, on lines of their own; empty when there is none.
    ///
    /// - Parameter problems: the inputs that cannot be used. Those that can are in the last command.
    func text(for problems: [(input: String, error: InputError)]) -> String {
        var commands = byDelimiter(problems)
        for (input, error) in problems {
            if let command = error.remedy.flatMap({ command(for: $0, input) }) { commands.append(command) }
        }
        if commands.isEmpty { return "" }
        let refused = Set(problems.map { ByteEqualString($0.input) })
        let others = invocation.inputs.filter { !refused.contains(ByteEqualString($0)) }
        if !others.isEmpty { commands.append(reading(others).text) }
        let lines = commands.prefix(Self.most).map { "\n    " + $0 }
        return "\n  try:" + lines.joined() + (commands.count > Self.most ? "\n    …" : "")
    }

    /// More than that nobody types.
    private static let most = 20

    /// The inputs that want the same delimiter are read by one command.
    private func byDelimiter(_ problems: [(input: String, error: InputError)]) -> [String] {
        var groups: [(delimiter: UInt8, inputs: [String])] = []
        for (input, error) in problems {
            guard case .delimiter(let byte) = error.remedy else { continue }
            if let index = groups.firstIndex(where: { $0.delimiter == byte }) {
                groups[index].inputs.append(input)
            } else {
                groups.append((byte, [input]))
            }
        }
        return groups.map { delimiter, inputs in
            var again = reading(inputs)
            again.set("--delimiter", to: optionValue(delimiter))
            return (inputs.contains(CleanJob.standard) ? "… | " : "") + again.text
        }
    }

    private func command(for remedy: InputError.Remedy, _ input: String) -> String? {
        switch remedy {
        case .convert(let format, let hasHeader):
            switch ConversionCommand(format, file: input, hasHeader: hasHeader) {
            case .filter(let program, let test, let readsStandardInput):
                readsStandardInput || Self.isFile(input) ? piped(input, through: program, test: test) : nil
            case .file(let command, let result): converted(input, by: command, result: result)
            case nil: nil
            }
        case .skip(let lines): reading(input, setting: ("--skip", String(lines)))
        case .encoding(let name): reading(input, setting: ("--encoding", name ?? "auto"))
        case .eitherDelimiter(let delimiters):
            delimiters.map { reading(input, setting: ("--delimiter", optionValue($0))) }.joined(separator: "\n    ")
        case .delimiter, .noHeader, .noQuotes, .limit, .replace, .makeDirectory: nil
        }
    }

    /// The command for one input, with an option set.
    private func reading(_ input: String, setting option: (name: String, value: String)) -> String {
        var again = reading([input])
        again.set(option.name, to: option.value)
        return (input == CleanJob.standard ? "… | " : "") + again.text
    }

    private func piped(_ input: String, through program: String, test: String?) -> String {
        let again = invocation.reading(standardInputFor: input, named: Self.unpackedName(input))
        if input == CleanJob.standard { return "… | \(program) | \(again.text)" }
        let path = shellPath(input)
        let testing = Self.isFile(input) ? test.map { "\($0) \(path) && " } : nil
        return "\(testing ?? "")\(program) \(path) | \(again.text)"
    }

    private func converted(_ input: String, by command: String, result: String) -> String? {
        guard Self.isFile(input) else { return nil }
        var again = reading([result])
        // The other program writes plain CSV in UTF-8.
        if invocation.has("--delimiter") || invocation.rulesHaveDelimiter { again.set("--delimiter", to: ",") }
        if invocation.has("--quote") { again.set("--quote", to: "\"") }
        if invocation.has("--encoding") { again.set("--encoding", to: "UTF-8") }
        return "\(command) && \(again.text)"
    }

    /// Whether another program can read it by its name, and more than once.
    private static func isFile(_ input: String) -> Bool {
        input != CleanJob.standard && !input.begins(withBytesOf: "/dev/fd/")
    }

    /// A delimiter as `--delimiter` takes it.
    private func optionValue(_ delimiter: UInt8) -> String {
        delimiter == UInt8(ascii: "\t") ? "tab" : String(UnicodeScalar(delimiter))
    }

    private func reading(_ inputs: [String]) -> Invocation {
        var again = invocation
        again.inputs = inputs
        return again
    }

    /// `users.csv.gz` holds `users.csv`.
    private static func unpackedName(_ input: String) -> String {
        let packed = [".tar.gz", ".tgz", ".tar", ".gz", ".zst", ".xz", ".bz2", ".lz4", ".zip", ".7z"]
        let ending = packed.first { input.lowercased().ends(withBytesOf: $0) }
        return ending.map { String(Substring(input.utf8.dropLast($0.utf8.count))) } ?? input
    }
}
