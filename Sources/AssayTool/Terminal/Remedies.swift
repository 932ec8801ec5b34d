import Assay
import AssayFiles

extension InputError {
    /// The error with what to do in options of the command. Where that is another command, ``Remedies`` has it.
    var inOptions: String { description(remedy: remedy?.option) }
}

extension InputError.Remedy {
    fileprivate var option: String? {
        switch self {
        case .delimiter, .filter, .convert: nil
        case .noHeader: "if the file has no header line, say so with --no-header"
        case .noQuotes: "if quotes are ordinary text in this file, use --quote none"
        case .limit(let name, let value): "if that is right, raise it with --limit \(name)=\(value)"
        case .replace: "remove what is there, choose other names, or replace it with --force"
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
            again.set("--delimiter", to: TableHead.optionValue(delimiter))
            return (inputs.contains(CleanJob.standard) ? "… | " : "") + again.text
        }
    }

    private func command(for remedy: InputError.Remedy, _ input: String) -> String? {
        let isStandard = input == CleanJob.standard
        let isFile = !isStandard && !input.hasPrefix("/dev/fd/")
        switch remedy {
        case .delimiter, .noHeader, .noQuotes, .limit, .replace: return nil
        case .filter(let words, let delimiter, let test):
            var again = invocation.reading(standardInputFor: input, named: Self.unpackedName(input))
            if let delimiter { again.set("--delimiter", to: TableHead.optionValue(delimiter)) }
            let program = words.joined(separator: " ")
            if isStandard { return "… | \(program) | \(again.text)" }
            let path = shellPath(input)
            let testing = isFile ? test.map { "\($0) \(path) && " } : nil
            return "\(testing ?? "")\(program) \(path) | \(again.text)"
        case .convert(let program, let result):
            // There is no file that another program could read.
            if !isFile { return nil }
            var again = reading([result])
            // The other program writes plain CSV.
            if invocation.has("--delimiter") || !invocation.guessesDelimiter { again.set("--delimiter", to: ",") }
            if invocation.has("--quote") { again.set("--quote", to: "\"") }
            return "\(program) && \(again.text)"
        }
    }

    private func reading(_ inputs: [String]) -> Invocation {
        var again = invocation
        again.inputs = inputs
        return again
    }

    /// `users.csv.gz` holds `users.csv`.
    private static func unpackedName(_ input: String) -> String {
        let packed = [".gz", ".zst", ".xz", ".bz2", ".zip"]
        let ending = packed.first { input.lowercased().hasSuffix($0) }
        return ending.map { String(input.dropLast($0.count)) } ?? input
    }
}
