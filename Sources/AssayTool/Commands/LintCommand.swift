import ArgumentParser
import Assay
import AssayFiles
import AssayRules

extension RulesCommand {
    struct Lint: LeafCommand {
        static let configuration = CommandConfiguration(
            commandName: "lint",
            abstract:
                "Find patterns with superlinear time in the length of a value, each with an example value.",
            discussion: """
                Each value was built and matched, and its steps were counted. Patterns that a DFA matches take linear \
                time. For the other patterns, a failed search for such a value is reported, but is not a proof.

                EXIT STATUS:
                  0  no such pattern was found
                  1  one or more were found
                  2  a rule file cannot be read, or has mistakes
                """)

        @Argument(help: "The rule files: YAML or JSON.", completion: .ruleFile)
        var files: [String]

        @Flag(help: "Print all patterns as JSON.")
        var json = false

        @OptionGroup var limits: LimitOptions

        @Flag(name: .shortAndLong, help: "Print only errors and patterns that were found.")
        var quiet = false

        func run(_ line: Invocation) throws {
            let limits = try limits.limits(trustingRules: true)
            var linted: [LintedFile] = []
            for file in files {
                if let one = try lint(file, limits) { linted.append(one) }
            }
            if json {
                try writeOutput("{\"files\": [\(linted.map(\.json).joined(separator: ",\n"))]}\n")
            } else {
                for file in linted { try writeOutput(file.text(quiet: quiet)) }
            }
            if linted.count < files.count { throw Ending(status: .couldNotStart) }
            if linted.contains(where: \.hasWitness) { throw Ending(status: .fellShort) }
        }

        private func lint(_ file: String, _ limits: Limits) throws -> LintedFile? {
            do {
                let (patterns, own) = try readingRules(file) { try RuleFile.patterns(in: $0, limits: limits) }
                var work: UInt64 = 0
                return LintedFile(name: file, patterns: patterns.map { ($0, $0.growth(own, adding: &work)) })
            } catch let error as RuleFileError {
                complain(error)
            } catch let error as FileError {
                complain(error)
            } catch let error as InputError {
                complain(error)
            }
            return nil
        }
    }
}

/// The results for the patterns of one rule file.
private struct LintedFile {
    let name: String
    let patterns: [(pattern: WrittenPattern, growth: PatternGrowth?)]

    var hasWitness: Bool { patterns.contains { if case .witness = $0.growth { true } else { false } } }

    func text(quiet: Bool) -> String {
        var text = ""
        var (witnesses, linear, others, unknown) = (0, 0, 0, 0)
        for (pattern, growth) in patterns {
            switch growth {
            case .witness(let witness):
                witnesses += 1
                text += "\(witness.warning(pattern.warning))\n"
            case .linear: linear += 1
            case .noWitness: others += 1
            case nil: unknown += 1
            }
        }
        // Report unexamined patterns even with `--quiet`.
        if quiet {
            return unknown == 0 ? text : text + "\(printable(name)): \(plural(unknown, "pattern")) not examined\n"
        }
        let parts = [
            witnesses > 0 ? "\(witnesses) can explode" : nil, linear > 0 ? "\(linear) linear" : nil,
            others > 0 ? "\(others) by backtracking, with no witness found" : nil,
            unknown > 0 ? "\(unknown) not examined" : nil,
        ].compactMap { $0 }
        let list = parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
        return text + "\(printable(name)): \(plural(patterns.count, "pattern"))\(list)\n"
    }

    var json: String {
        let list = patterns.map { pattern, growth in
            let options = Pattern.Options.names.filter { pattern.options.contains($0.option) }
                .map { "\"\($0.name)\"" }.joined(separator: ", ")
            var parts = [
                "\"line\": \(pattern.warning.line)", "\"column\": \(pattern.warning.column)",
                "\"pattern\": \(JSONText.of(pattern.text))",
                "\"options\": [\(options)]",
            ]
            switch growth {
            case .linear: parts.append("\"growth\": \"linear\"")
            case .noWitness: parts.append("\"growth\": \"no witness\"")
            case nil: parts.append("\"growth\": \"not examined\"")
            case .witness(let witness): parts += witness.json
            }
            return "  {\(parts.joined(separator: ", "))}"
        }
        return "{\"file\": \(JSONText.of(name)), \"patterns\": [\n\(list.joined(separator: ",\n"))\n]}"
    }
}

extension PatternWitness {
    /// The warning that follows the pattern.
    fileprivate func warning(_ place: RuleProblem) -> RuleProblem {
        var warning = place
        warning.message =
            switch degree {
            case nil: "the work of this pattern can grow exponentially with the value"
            case 2: "the work of this pattern can grow with the square of the length of the value"
            case let degree?: "the work of this pattern can grow with the power \(degree) of the length of the value"
            }
        let counts = zip(repeats, steps).map { "\(grouped($0)) times: \(grouped(Int($1))) steps" }
        var lines = ["", value] + counts.map { "  " + $0 }
        if let undecidedBytes { lines.append("  undecided from \(plural(undecidedBytes, "byte"))") }
        warning.suggestion = lines.joined(separator: "\n")
        return warning
    }

    private var value: String {
        func quoted(_ text: String) -> String { "'\(printable(text))'" }
        return (prefix.isEmpty ? "" : "\(quoted(prefix)), then ") + "\(quoted(pump)) again and again"
            + (suffix.isEmpty ? "" : ", then \(quoted(suffix))")
    }

    fileprivate var json: [String] {
        func list(_ numbers: [some BinaryInteger]) -> String { "[\(numbers.map { "\($0)" }.joined(separator: ", "))]" }
        let witness = [
            "\"prefix\": \(JSONText.of(prefix))", "\"pump\": \(JSONText.of(pump))",
            "\"suffix\": \(JSONText.of(suffix))",
            "\"repeats\": \(list(repeats))", "\"steps\": \(list(steps))",
            "\"undecidedBytes\": \(undecidedBytes.map(String.init) ?? "null")",
        ]
        return [
            degree.map { "\"growth\": \"polynomial\", \"degree\": \($0)" } ?? "\"growth\": \"exponential\"",
            "\"witness\": {\(witness.joined(separator: ", "))}",
        ]
    }
}
