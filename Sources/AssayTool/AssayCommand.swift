import ArgumentParser
import Assay
import AssayFiles
import AssayRules

/// The command line: options → plan → run → exit status.
@main
struct AssayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assay",
        abstract: "Checks exports against rules and splits the good rows from the bad ones, byte for byte.",
        discussion: """
            EXAMPLES:
              assay profile users.csv
                  what is in it: types, gaps, duplicates, shapes
              assay infer users.csv > users.rules.yaml
                  rules that fit it, to be edited
              assay init users.csv > users.rules.yaml
                  or a skeleton of the rules that accepts everything
              assay check users.csv --rules users.rules.yaml
                  the verdict, and no files
              assay clean users.csv --rules users.rules.yaml
                  users.clean.csv, users.rejects.csv, findings and a report
              assay diff old.yaml new.yaml users.csv
                  what new rules would change
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
        var asked: any ParsableCommand.Type = Self.self
        do {
            try refuseMissingArguments()
            try refuseArgumentsThatAreNoText()
            let words = CommandLine.arguments.dropFirst()
            var command = try parsedAlone(words) ?? parsed(words)
            asked = type(of: command)
            if asked != TypesCommand.self { try refuseRepeatedOptions(words) }
            try command.run()
        } catch {
            exit(reporting: error, of: asked)
        }
    }

    /// The command that the first words name, parsed without its parent commands, which accounted for an eighth of the
    /// instructions at startup. Returns `nil` for errors and for help.
    private static func parsedAlone(_ words: ArraySlice<String>) -> (any ParsableCommand)? {
        guard let (command, rest) = named(by: words), let parsed = try? command.parseAsRoot(Array(rest)) else {
            return nil
        }
        return type(of: parsed) == command ? parsed : nil
    }

    /// The leaf command that the first words name, such as `rules check`, and the words after them.
    private static func named(by words: ArraySlice<String>) -> (any ParsableCommand.Type, ArraySlice<String>)? {
        var (rest, candidates) = (words, commands)
        while let command = candidates.first(where: { $0.configuration.commandName == rest.first }) {
            rest = rest.dropFirst()
            candidates = command.configuration.subcommands
            if candidates.isEmpty { return (command, rest) }
        }
        return nil
    }

    /// The command for all words, parsed from the root, which reports mistakes.
    private static func parsed(_ words: ArraySlice<String>) throws -> any ParsableCommand {
        let isHelp = words.first == "help"
        try refuseUnknownCommand(isHelp ? words.dropFirst() : words, of: Self.self, called: "assay")
        return try parseAsRoot()
    }
}

extension CommandConfiguration {
    /// The configuration of a command below `name`. If such a command is parsed alone, it does not answer requests for
    /// the root (completion scripts).
    func below(_ name: String) -> CommandConfiguration {
        var configuration = self
        configuration._superCommandName = name
        return configuration
    }
}

private var versionText: String {
    let engine = EngineInfo.current
    return """
        assay \(assayVersion)
        PCRE2 \(engine.pcre2), Unicode \(engine.unicode), JIT \(engine.jit ? "works" : "not available: the interpreter is used")
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
