import Assay
import AssayFiles
import AssayRules

extension InputError {
    /// The error with a remedy as an option of the command. ``Remedies`` handles remedies that are another command.
    var inOptions: String { description(adding: [override?.option, remedy?.option]) }

    /// Whether the remedy concerns the run, and not the form of a table.
    var concernsRun: Bool {
        switch remedy {
        case .trustRules, .limit, .replace, .makeDirectory: true
        case .convert, .read, .noHeader, .byPosition, nil: false
        }
    }
}

extension InputError.Override {
    fileprivate var option: String {
        switch self {
        case .encoding: "if it is text, name its encoding: --encoding NAME, or dialect: {encoding: NAME} in the rules"
        case .compression: "if it is text, add --compression none, and name its encoding: --encoding NAME"
        case .format: "to read it as a table all the same, name the format: --format csv or --format jsonl"
        case .delimiter: "name the delimiter: --delimiter, or delimiter in the dialect of the rules"
        case .lineTerminator:
            "if a bare CR ends records, add --line-terminator cr; if it is data, add --line-terminator lf"
        case .keyMemory: "allow more with --memory"
        case .contradicted(let name):
            "name no encoding, or --encoding UTF-8; the rules or the data package may also name one; to read it as "
                + "\(name), add "
                + "--trust-encoding, or trustEncoding: true to the dialect"
        }
    }
}

extension RuleProblem.Remedy {
    /// The remedy as an option of the command.
    var option: String {
        switch self {
        case .trust(let change): "\(change), or run with --trust-rules if you trust the file"
        case .raise(let name, let value):
            "if that is right, raise it with --limit \(name)=\(value.map(String.init) ?? "…")"
        case .setBefore(let name): "give it to the run that reads the file: --limit \(name)=…"
        }
    }
}

extension InputError.Remedy {
    fileprivate var option: String? {
        switch self {
        case .convert(.sqlite, _): "export a table: sqlite3 -header -csv FILE 'SELECT …'"
        case .convert(let format, let hasHeader):
            ConversionCommand(format, file: "", hasHeader: hasHeader) == nil ? format.advice : nil
        case .read: nil
        case .noHeader: "if the file has no header line, say so with --no-header"
        case .byPosition: "to name all fields by position, in the order of the columns: --no-header --skip 1"
        case .limit(let name, let value): "if that is right, raise it with --limit \(name)=\(value)"
        case .replace: "remove the existing files, choose other names, or replace it with --force"
        case .makeDirectory(let path): "make the directory first: mkdir -p \(shellPath(path))"
        case .trustRules: "if you trust the rules, run with --trust-rules"
        }
    }
}

/// The commands that would have worked, derived from the given one.
struct Remedies {
    let invocation: Invocation

    /// The commands, one per line, or an empty text.
    ///
    /// - Parameter problems: the unusable inputs. The last command contains the usable ones.
    func text(for problems: [(input: String, error: InputError)]) -> String {
        var commands = bySettings(problems)
        var files = UnusedPaths()
        for (input, error) in problems {
            if let remedy = error.remedy { commands += self.commands(for: remedy, input, &files) }
        }
        if commands.isEmpty { return "" }
        let refused = Set(problems.map { ByteEqualString($0.input) })
        let others = invocation.inputs.filter { !refused.contains(ByteEqualString($0)) }
        if !others.isEmpty { commands.append(reading(others).text) }
        let lines = commands.prefix(Self.maxCount).map { "\n    " + $0 }
        return "\n  try:" + lines.joined() + (commands.count > Self.maxCount ? "\n    …" : "")
    }

    /// The maximum number of suggested commands, because users do not type more.
    private static let maxCount = 20

    /// The commands for inputs that need other settings. Inputs with the same settings are read by one command.
    private func bySettings(_ problems: [(input: String, error: InputError)]) -> [String] {
        var groups: [(readings: [[DialectSetting]], inputs: [String])] = []
        for (input, error) in problems {
            guard case .read(let readings) = error.remedy else { continue }
            if let index = groups.firstIndex(where: { $0.readings == readings }) {
                groups[index].inputs.append(input)
            } else {
                groups.append((readings, [input]))
            }
        }
        return groups.flatMap { commands(reading: $0.inputs, with: $0.readings) }
    }

    /// Returns a command for each list of settings.
    func commands(reading inputs: [String], with readings: [[DialectSetting]]) -> [String] {
        readings.map { command(reading: inputs, with: $0.map(\.option)) }
    }

    /// Returns the command with these options.
    func command(reading inputs: [String], with options: [(name: String, value: String?)]) -> String {
        var again = reading(inputs)
        for option in options { again.set(option.name, to: option.value) }
        return (inputs.contains(CleanJob.standard) ? "… | " : "") + again.text
    }

    private func commands(
        for remedy: InputError.Remedy, _ input: String, _ files: inout UnusedPaths
    ) -> [String] {
        switch remedy {
        case .convert(let format, let hasHeader):
            switch ConversionCommand(format, file: input, hasHeader: hasHeader) {
            case .filter(let program, let test, let readsStandardInput):
                readsStandardInput || Self.isFile(input)
                    ? members(of: input, format).map {
                        piped(input, format, member: $0, through: program, test: test, &files)
                    } : []
            case .file(let command, let result): converted(input, by: command, result: result).map { [$0] } ?? []
            case nil: []
            }
        case .read, .noHeader, .byPosition, .limit, .replace, .makeDirectory, .trustRules: []
        }
    }

    /// The files in an archive that can be tables: those with names of tables if there are any. The list is empty if
    /// the files are unknown, because all files of an archive in one pipe are not one table. `nil` represents the only
    /// file of another format.
    private func members(of input: String, _ format: ForeignFormat) -> [Member?] {
        guard Self.isFile(input), [.zip, .tar].contains(format) else { return [nil] }
        let found = format == .zip ? ZipMembers(path: input)?.tables : TarMembers(path: input)?.tables
        guard let found else { return [] }
        let tables = found.filter { name in
            let ending = splitEnding(splitPath(Self.unpackedName(name)).base).ending.lowercased()
            return [".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson"].contains(ending)
        }
        return (tables.isEmpty ? found : tables).map { name in
            // The name determines the names of outputs, which must not be in the folders of the archive.
            Member(
                name: splitPath(name).base,
                argument: format == .zip ? ZipMembers.argument(name) : Self.tarArgument(name))
        }
    }

    /// A name as an argument of `tar`. It must be escaped, because `tar` unquotes backslashes. It must follow `--` if
    /// it begins with a hyphen, because `tar` reads `--checkpoint-action=exec=COMMAND` as an option that runs a
    /// command.
    private static func tarArgument(_ name: String) -> String {
        (name.begins(withBytesOf: "-") ? "-- " : "") + shellQuoted(name.replacingEach("\\", by: "\\\\"))
    }

    /// A file in an archive, and a shell word that selects only this file.
    private struct Member {
        let name: String
        let argument: String
    }

    /// - Parameter member: the file in an archive; `nil` for its only file.
    private func piped(
        _ input: String, _ format: ForeignFormat, member: Member?, through program: String, test: String?,
        _ files: inout UnusedPaths
    ) -> String {
        let archive = format == .zip ? ZipMembers.archiveArgument(input) : shellPath(input)
        let path = archive + (member.map { " " + $0.argument } ?? "")
        let testing = Self.isFile(input) ? test.map { "\($0) \(archive) && " } ?? "" : ""
        let isPiped = input == CleanJob.standard
        if Self.readsTwice.contains(invocation.command) {
            let (_, base) = splitPath(isPiped ? "table.csv" : Self.unpackedName(member?.name ?? input))
            let (stem, ending) = splitEnding(base)
            let file = files.next(stem, ending: ending)
            let unpacked = isPiped ? "… | \(program)" : "\(testing)\(program) \(path)"
            return "\(unpacked) > \(shellPath(file)) && \(reading([file]).text)"
        }
        let again = invocation.reading(standardInputFor: input, named: Self.unpackedName(member?.name ?? input))
        return isPiped ? "… | \(program) | \(again.text)" : "\(testing)\(program) \(path) | \(again.text)"
    }

    /// The commands that cannot read standard input.
    private static let readsTwice: Set = ["infer", "bench"]

    private func converted(_ input: String, by command: String, result: String) -> String? {
        guard Self.isFile(input) else { return nil }
        var again = reading([result])
        // The other program writes plain CSV in UTF-8.
        if invocation.has("--delimiter") || invocation.rulesHaveDelimiter { again.set("--delimiter", to: ",") }
        if invocation.has("--quote") { again.set("--quote", to: "\"") }
        if invocation.has("--encoding") { again.set("--encoding", to: "UTF-8") }
        return "\(command) && \(again.text)"
    }

    /// Returns whether another program can read the input by name and more than once.
    private static func isFile(_ input: String) -> Bool {
        input != CleanJob.standard && !input.begins(withBytesOf: "/dev/fd/")
    }

    private func reading(_ inputs: [String]) -> Invocation {
        var again = invocation
        again.inputs = inputs
        return again
    }

    /// The name without compression endings: `users.csv` for `users.csv.gz`.
    private static func unpackedName(_ input: String) -> String {
        let packed = [".tar.gz", ".tgz", ".tar", ".gz", ".zst", ".xz", ".bz2", ".lz4", ".zip", ".7z"]
        let ending = packed.first { input.lowercased().ends(withBytesOf: $0) }
        return ending.map { String(Substring(input.utf8.dropLast($0.utf8.count))) } ?? input
    }
}
