import ArgumentParser
import Assay
import AssayFiles
import AssayRules

struct TypesCommand: LeafCommand {
    static let configuration = CommandConfiguration(
        commandName: "types",
        abstract: "List the built-in types that a rule file can name as the format of a column.",
        discussion: """
            EXAMPLES:
              assay types
                  list all types: example, profile, edition of the table
              assay types iban phone
                  also show the options of the types
              assay types 'iban country=DE' --try 'DE88 3704 0044 0532 0130 00'
                  check a value, and give the reason if it fails
              assay types --json
                  the same for programs
            """)

    @Argument(help: "Types to describe in full.")
    var names: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Check a value against each of the types.", valueName: "value"))
    var `try`: [String] = []

    @Flag(help: "Write JSON: a list of objects.")
    var json = false

    func validate() throws {
        if !self.try.isEmpty && names.isEmpty {
            throw ValidationError("--try needs a type: assay types iban --try VALUE")
        }
        if !self.try.isEmpty && json {
            throw ValidationError("--try cannot be combined with --json")
        }
    }

    func run(_ line: Invocation) throws {
        if !self.try.isEmpty { return try evaluate() }
        let types = try names.isEmpty ? BuiltInType.all : names.map(type)
        for name in names { _ = try check(of: name) }
        if json {
            try writeOutput(types.json + "\n")
        } else if names.isEmpty {
            try writeOutput(list(types))
        } else {
            try writeOutput(types.map(details).joined(separator: "\n"))
        }
    }

    /// The type with this name, which options may follow.
    private func type(named format: String) throws -> BuiltInType {
        let name = String(format.prefix { $0 != " " })
        if let type = BuiltInType.all.first(where: { $0.name == name }) { return type }
        if ValueType.Kind(rawValue: name) != nil {
            throw InputError(
                "'\(name)' is a type, not a format of strings", hint: "in a rule file, write type: \(name)")
        }
        let advice = closestName(to: name, among: BuiltInType.all.map(\.name)).map { "; did you mean \($0)?" }
        throw InputError("no built-in type is called \(printable(name))\(advice ?? "; assay types lists them")")
    }

    /// The compiled check of a type with its options.
    private func check(of format: String) throws -> CompiledCheck {
        do {
            return try CompiledCheck(.type(ValueType(.string, format: format)))
        } catch {
            throw InputError("\(printable(format)): \(error.message)")
        }
    }

    /// Reports for each value and each type whether the value is valid. The status is 1 if any is not.
    private func evaluate() throws {
        var text = ""
        var allPass = true
        for name in names {
            let noun = try type(named: name).displayName
            let check = try check(of: name)
            for value in self.try {
                let verdict = check.verdict(of: value)
                allPass = allPass && verdict == .pass
                let outcome =
                    switch verdict {
                    case .pass: "is \(noun)"
                    case .fail: "is not \(noun)" + (check.failureReason(of: value).map { ": \($0.text)" } ?? "")
                    case .undecided: FindingText.undecided
                    }
                text += "\(printable(value)) \(outcome)\n"
            }
        }
        try writeOutput(text)
        if !allPass { throw Ending(status: .fellShort) }
    }

    private func list(_ types: [BuiltInType]) -> String {
        let style = Style(forStandardError: false)
        var text = ""
        for type in types {
            text += "\(style.bold(type.name))  \(printable(type.example))\n    \(type.profile)\n"
            if !type.source.isEmpty { text += "    table: \(type.source) \(type.edition)\n" }
        }
        return text + "\nassay types NAME shows the options of a type. In a rule file: format: NAME\n"
    }

    private func details(_ type: BuiltInType) -> String {
        let style = Style(forStandardError: false)
        var lines = [
            style.bold(type.name) + "  \(type.displayName)", "  follows  \(type.profile)",
            "  example  \(printable(type.example))",
        ]
        if !type.options.isEmpty { lines.append("  options  \(type.options)") }
        if !type.canonicalForm.isEmpty { lines.append("  repair   canonical: \(type.canonicalForm)") }
        if !type.source.isEmpty { lines.append("  table    \(type.source), edition \(type.edition)") }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension [BuiltInType] {
    fileprivate var json: String {
        let objects = map { type in
            let members = [
                ("name", type.name), ("displayName", type.displayName), ("profile", type.profile),
                ("example", type.example),
                ("options", type.options), ("source", type.source), ("edition", type.edition),
                ("canonicalForm", type.canonicalForm),
            ]
            return "  {" + members.map { "\(JSONText.of($0)): \(JSONText.of($1))" }.joined(separator: ", ") + "}"
        }
        return "[\n" + objects.joined(separator: ",\n") + "\n]"
    }
}
