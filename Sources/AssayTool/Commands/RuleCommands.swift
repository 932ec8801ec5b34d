import ArgumentParser
import Assay
import AssayFiles
import AssayRules

struct RulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules", abstract: "Work with rule files.", subcommands: [Check.self, Lint.self])

    struct Check: LeafCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Check rule files and show every mistake with its place.")

        @Argument(help: "The rule files: YAML or JSON.", completion: .ruleFile)
        var files: [String]

        @OptionGroup var limits: LimitOptions

        @OptionGroup var trust: TrustOptions

        @Flag(name: .shortAndLong, help: "Print only errors.")
        var quiet = false

        func run(_ line: Invocation) throws {
            let limits = try limits.limits(trustingRules: trust.trustRules)
            var isGood = true
            for file in files {
                do {
                    let rules = try readRules(file, limits: limits)
                    if !quiet {
                        let count = try CompiledSchema(rules.schema, maxPatternBytes: rules.limits.patternBytes)
                            .ruleCount
                        try writeOutput(
                            "\(printable(file)): good, \(plural(rules.schema.fields.count, "field")) and "
                                + "\(plural(count, "rule"))\n"
                        )
                        noteUnusableFiles(rules, named: file)
                    }
                } catch let error as RuleFileError {
                    complain(error)
                    isGood = false
                } catch let error as InputError {
                    complain(error)
                    isGood = false
                }
            }
            if !isGood { throw Ending(status: .couldNotStart) }
        }

        /// Reports the files of foreign keys that do not exist yet, or that a run would not open.
        private func noteUnusableFiles(_ rules: RuleFile, named name: String) {
            for (key, path, refusal) in rules.unusableReferences {
                let text =
                    refusal.map { InputError($0, path, of: key).inOptions }
                    ?? "'\(key.id)' refers to \(printable(path)), which is not there"
                writeError("assay: \(printable(name)): \(text)\n")
            }
        }
    }
}
