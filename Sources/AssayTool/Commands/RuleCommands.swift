import ArgumentParser
import Assay
import AssayFiles
import AssayRules

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a skeleton of rules for the columns of a file, ready to be edited.",
        discussion: """
            EXAMPLE:
              assay init users.csv > users.rules.yaml
            """)

    @Argument(help: "The file whose header names the columns; - is standard input.", completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp("One ASCII character, or tab. Default: a comma, and tab for .tsv.", valueName: "character"))
    var delimiter: String?

    @Option(help: ArgumentHelp("One ASCII character, or none. Default: \".", valueName: "character"))
    var quote: String?

    func run() throws {
        var options = try InputOptions.parse(["--", file])
        options.delimiter = delimiter
        options.quote = quote
        try options.validate()
        let base = try options.baseRules()
        let dialect = try options.ruleFile(base, for: file).dialect
        Remedies.invocation = ("init", file, nil)
        let head = try TableHead(
            try openInput(file), dialect: dialect, limits: Limits(), guessesDelimiter: options.guessesDelimiter(base))
        try writeOutput(RuleFile.skeleton(header: head.header ?? [], dialect: dialect))
    }
}

struct RulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules", abstract: "Work with rule files.", subcommands: [Check.self])

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Check rule files, and show all mistakes with their places.")

        @Argument(help: "The rule files: YAML or JSON.", completion: .file(extensions: ["yaml", "yml", "json"]))
        var files: [String]

        @Flag(name: .shortAndLong, help: "Say nothing but errors.")
        var quiet = false

        func run() throws {
            var isGood = true
            for file in files {
                do {
                    let rules = try readRules(file)
                    let count = rules.schema.fields.reduce(0) { $0 + $1.rules.count }
                    if !quiet {
                        try writeOutput(
                            "\(printable(file)): good, \(plural(rules.schema.fields.count, "field")) and \(plural(count, "rule"))\n"
                        )
                    }
                } catch let error as RuleFileError {
                    writeError("\(error)\n")
                    isGood = false
                } catch let error as InputError {
                    complain("\(error)")
                    isGood = false
                }
            }
            if !isGood { throw Ending(status: .couldNotStart) }
        }
    }
}
