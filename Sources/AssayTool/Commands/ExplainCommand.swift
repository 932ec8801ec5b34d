import ArgumentParser
import Assay
import AssayFiles
import AssayRules

struct ExplainCommand: LeafCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Show a pattern's verdict on some values and its engine, or how the row rules of a file run.",
        discussion: """
            EXAMPLE:
              assay explain '\\d{4}-\\d{2}-\\d{2}' 2024-02-29 2024/02/29
              assay explain -- '-?\\d+' -17
                  -- ends the options
              assay explain --rules users.rules.yaml dates
                  show how the row rule 'dates' runs; without a name, all row rules
            """)

    @Argument(
        help: """
            The pattern, as PCRE2 reads it. The whole value must match, unless --search is given. With --rules the id \
            of a row rule.
            """
    )
    var pattern: String?

    @Argument(help: "The values to judge.")
    var values: [String] = []

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Explain the row rules of this rule file.", valueName: "file"),
        completion: .ruleFile)
    var rules: String?

    @OptionGroup var trust: TrustOptions

    @Flag(name: [.customShort("i"), .customLong("case-insensitive")], help: "Letters match in either case.")
    var caseInsensitive = false

    @Flag(help: "\\d \\w \\s \\b by Unicode properties.")
    var unicodeClasses = false

    @Flag(help: "The dot also matches a line feed.")
    var dotAll = false

    @Flag(help: "Skip white space and # comments in the pattern.")
    var extended = false

    @Flag(help: "^ and $ also match next to an inner line feed.")
    var multiline = false

    @Flag(help: "A match anywhere in the value is enough.")
    var search = false

    @Flag(help: "Refuse the pattern unless a DFA matches it in linear time.")
    var linearTime = false

    @Flag(
        help: "Read the pattern in ICU's syntax, as NSRegularExpression does: it is translated, or refused.")
    var icuCompatible = false

    @OptionGroup
    var engines: EngineOptions

    func validate() throws {
        if pattern == nil && rules == nil {
            throw ArgumentParser.ValidationError("Missing expected argument '<pattern>', or --rules <file>.")
        }
        if rules == nil && trust.trustRules { throw ArgumentParser.ValidationError("--trust-rules is for --rules.") }
        if rules != nil && (!values.isEmpty || !options.isEmpty || engines.engine != .dfa) {
            throw ArgumentParser.ValidationError(
                "--rules explains the row rules of a file, and takes the id of one, but no values and no options of "
                    + "patterns."
            )
        }
    }

    func run(_ line: Invocation) throws {
        if let rules { try explainRows(of: rules) } else if let pattern { try explain(pattern) }
    }

    /// Explains how the row rules run.
    private func explainRows(of path: String) throws {
        let limits = try LimitOptions.unset.limits(trustingRules: trust.trustRules)
        let file = try readRules(path, limits: limits)
        let plans = try CompiledSchema(file.schema, maxPatternBytes: file.limits.patternBytes).rowPlans
        let ruleID = pattern.map(ByteEqualString.init)
        let requested = plans.filter { ruleID == nil || ByteEqualString($0.rule.id) == ruleID }
        if requested.isEmpty {
            let near = pattern.flatMap { closestName(to: $0, among: plans.map(\.rule.id)) }
            throw InputError(
                pattern.map { "\(printable(path)) has no row rule '\(printable($0))'" }
                    ?? "\(printable(path)) has no row rules",
                hint: near.map { "did you mean '\(printable($0))'?" }
                    ?? "a rule file lists its row rules in the key 'rows'")
        }
        let lines = requested.flatMap { plan in
            ["rule     \(plan.rule.id)"] + plan.lines + [""]
        }
        try writeOutput(lines.dropLast().map { printable($0) }.joined(separator: "\n") + "\n")
    }

    private func explain(_ pattern: String) throws {
        let style = Style(forStandardError: false)
        let compiled: Pattern
        do {
            compiled = try Pattern(pattern, options: options, engine: engines.engine)
        } catch {
            throw InputError(caret(error, in: pattern))
        }
        let names = Pattern.Options.names.filter { options.contains($0.option) }.map(\.name)
        var lines = ["pattern  \(printable(pattern))"]
        if icuCompatible { lines.append("PCRE2    \(printable(compiled.pcre2Source))") }
        lines += [
            "options  "
                + "\(names.isEmpty ? "none: the whole value must match, case matters" : names.joined(separator: ", "))"
        ]
        for (index, line) in engineLines(compiled, of: pattern).enumerated() {
            lines.append((index == 0 ? "engine   " : "         ") + line)
        }
        if !values.isEmpty { lines.append("") }
        for value in values { lines += explain(value, compiled, style) }
        try writeOutput(lines.joined(separator: "\n") + "\n")
    }

    private var options: Pattern.Options {
        var options: Pattern.Options = []
        if caseInsensitive { options.insert(.caseInsensitive) }
        if unicodeClasses { options.insert(.unicodeClasses) }
        if dotAll { options.insert(.dotMatchesNewlines) }
        if extended { options.insert(.extended) }
        if multiline { options.insert(.multiline) }
        if search { options.insert(.search) }
        if linearTime { options.insert(.linearTime) }
        if icuCompatible { options.insert(.icuSyntax) }
        return options
    }

    /// The engine that runs the pattern, and the reason why faster ones cannot.
    private func engineLines(_ pattern: Pattern, of text: String) -> [String] {
        let info = EngineInfo.current
        let pcre2 =
            pattern.jitRefusal.map { "interpreter: \($0)" } ?? "JIT, \(grouped(pattern.jitSize)) bytes of machine code"
        let version = " (PCRE2 \(info.pcre2), Unicode \(info.unicode))"
        let first = pattern.prefilter.map { ["looks first for \($0), in all but short values"] } ?? []
        switch pattern.dfa {
        case .states(let count):
            return [
                "DFA of \(grouped(count)) states: linear time"
            ] + first + [
                "values: \(pattern.plan)",
                "for the rest: " + pcre2 + version,
            ]
        case .lazy(let instructions, let because):
            return [
                "lazy DFA, made as values need it from an NFA of \(grouped(instructions)) instructions: linear time"
            ] + first + [
                "values: \(pattern.plan)",
                "no precompiled DFA: \(because)",
                "for the rest: " + pcre2 + version,
            ]
        case .none(let because, let offset):
            let isAboutText = engines.engine == .dfa && !icuCompatible && offset < text.utf8.count
            return [
                pcre2 + version + ": time bounded by match limits",
                "no DFA: \(because)" + (isAboutText ? " (offset \(offset))" : ""),
            ]
        }
    }

    private func explain(_ value: String, _ pattern: Pattern, _ style: Style) -> [String] {
        let shown = "'\(printable(value))'"
        switch pattern.verdict(of: value) {
        case .pass:
            return [style.green("pass      ") + shown]
        case .undecided:
            let reason = pattern.undecidedReason(of: value) ?? "a limit was reached"
            return [style.yellow("undecided ") + shown, "           \(reason); it is never a pass"]
        case .fail:
            var lines = [style.red("fail      ") + shown]
            if let prefix = pattern.viablePrefix(of: value) {
                let column = String(repeating: " ", count: printable(prefix).displayWidth)
                let what =
                    prefix.endIndex == value.endIndex
                    ? "the value ends here, and the pattern needs more" : "up to here it could still have matched"
                lines.append("           " + column + "^ " + what)
            } else {
                lines.append("           how far it matched is not available for this pattern")
            }
            return lines
        }
    }

    /// The pattern's error, with a caret under its place.
    private func caret(_ error: CompileError, in pattern: String) -> String {
        guard let offset = error.offset, offset <= pattern.utf8.count else { return "the pattern: \(error.message)" }
        let before = pattern[..<pattern.utf8.index(pattern.startIndex, offsetBy: offset)]
        return "the pattern: \(error.message) at offset \(offset)\n    \(printable(pattern))\n    "
            + String(repeating: " ", count: printable(before).displayWidth) + "^"
    }
}
