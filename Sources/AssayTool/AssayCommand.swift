import ArgumentParser
import Assay
import AssayFiles
import AssayRules

#if !Command
    #error("the command needs its trait: swift build --traits Command")
#endif

/// The command line: options → plan → run → exit status.
@main
struct AssayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assay",
        abstract: "Checks exports against rules and splits the good rows from the bad ones.",
        discussion: """
            EXAMPLES:
              assay profile users.csv
                  show its types, gaps, duplicates and shapes
              assay infer users.csv > users.rules.yaml
                  write rules that fit it, to edit
              assay init users.csv > users.rules.yaml
                  or write a skeleton of rules that accepts everything
              assay check users.csv --rules users.rules.yaml
                  the verdict, and no files
              assay clean users.csv --rules users.rules.yaml
                  users.clean.csv, users.rejects.csv, findings and a report
              assay diff old.yaml new.yaml users.csv
                  show the changes that new rules would make
              assay clean - -r users.rules.yaml --rejects bad.csv < users.csv > good.csv
                  in a pipeline

            EXIT STATUS:
              0  done; rejects within the allowed rate
              1  done; more rejects than allowed
              2  could not start: usage, rules, input
              3  failed while running: read or write error, disk full
            """,
        version: versionText,
        subcommands: commands)

    /// The subcommands. They are separate from the configuration, because making the configuration asks PCRE2 for its
    /// version.
    private static var commands: [any ParsableCommand.Type] {
        [
            CleanCommand.self, CheckCommand.self, InitCommand.self, RulesCommand.self, TypesCommand.self,
            ExplainCommand.self, BenchCommand.self, ProfileCommand.self,
            InferCommand.self, DiffCommand.self,
        ]
    }

    static func main() {
        openClosedDescriptors()
        Signals.install()
        endsOutOfMemory.withLock { $0 = { endWithoutMemory() } }
        var requested: any ParsableCommand.Type = Self.self
        do {
            try refuseMissingArguments()
            try refuseArgumentsThatAreNoText()
            let words = CommandLine.arguments.dropFirst()
            try refuseEmptyValues(words)
            if let (command, line) = try plain(words) {
                requested = type(of: command)
                try command.run(line)
            } else {
                var command = try parsed(words)
                requested = type(of: command)
                try command.run()
            }
        } catch {
            exit(reporting: error, of: requested)
        }
    }

    /// The commands without subcommands, by the words that name them.
    static let leaves: [(words: [String], type: any LeafCommand.Type)] = [
        (["clean"], CleanCommand.self), (["check"], CheckCommand.self), (["init"], InitCommand.self),
        (["rules", "check"], RulesCommand.Check.self), (["rules", "lint"], RulesCommand.Lint.self),
        (["types"], TypesCommand.self), (["explain"], ExplainCommand.self), (["bench"], BenchCommand.self),
        (["profile"], ProfileCommand.self), (["infer"], InferCommand.self), (["diff"], DiffCommand.self),
    ]

    /// Returns the command that these words name and its line, without ArgumentParser; `nil` for words with a mistake,
    /// and for requests of help.
    private static func plain(_ words: ArraySlice<String>) throws -> (any LeafCommand, Invocation)? {
        guard let leaf = leaves.first(where: { words.starts(with: $0.words) }) else { return nil }
        let options = LineDecoder.options(of: leaf.type)
        let name = leaf.words.joined(separator: " ")
        guard let line = Invocation(name, words.dropFirst(leaf.words.count), options: options) else { return nil }
        try line.refuseRepeatedOptions(options)
        guard let command: any LeafCommand = try? LineDecoder.decode(leaf.type, from: line) else { return nil }
        return (command, line)
    }

    /// The command for all words, parsed from the root, which reports mistakes.
    private static func parsed(_ words: ArraySlice<String>) throws -> any ParsableCommand {
        let isHelp = words.first == "help"
        try refuseUnknownCommand(isHelp ? words.dropFirst() : words, of: Self.self, called: "assay")
        return try parseAsRoot()
    }
}

/// A command without subcommands.
protocol LeafCommand: ParsableCommand {
    /// - Parameter line: The words that gave the command its values.
    func run(_ line: Invocation) throws
}

extension LeafCommand {
    /// Runs the command for words that only ArgumentParser reads, such as the short options of `explain`.
    func run() throws { try run(Invocation(Self._commandName)) }
}

private var versionText: String {
    let engine = EngineInfo.current
    return """
        assay \(assayVersion)
        PCRE2 \(engine.pcre2), Unicode \(engine.unicode), JIT \
        \(engine.jit ? "works" : "not available: the interpreter is used")
        """
}

/// Refuses a first word that is not a command, and suggests the intended one: a similar name, or a command for a file.
private func refuseUnknownCommand(
    _ arguments: ArraySlice<String>, of parent: any ParsableCommand.Type, called name: String
) throws {
    guard let word = arguments.first, !word.hasPrefix("-"), word != "help" else { return }
    let commands = parent.configuration.subcommands
    if commands.isEmpty { return }
    if let command = commands.first(where: { $0.configuration.commandName == word }) {
        return try refuseUnknownCommand(arguments.dropFirst(), of: command, called: "\(name) \(word)")
    }
    let names = commands.compactMap { $0.configuration.commandName }
    let hint =
        if let near = closestName(to: word, among: names) {
            "did you mean '\(name) \(near)'?"
        } else if word.contains(".") {
            "to check a file: \(name) check \(shellPath(word))"
        } else {
            "the commands are \(names.joined(separator: ", ")); see \(name) --help"
        }
    throw InputError("'\(printable(word))' is not a command of \(name)", hint: hint)
}
