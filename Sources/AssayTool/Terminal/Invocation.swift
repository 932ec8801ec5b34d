import Assay
import AssayFiles
import AssayRules

/// The words of a command line. Messages repeat it with changes.
///
/// Suggested commands must work when pasted, so they keep all given options.
struct Invocation {
    struct Option {
        let name: String
        /// `nil` for a flag.
        var value: String?
    }

    var command: String
    /// The words that are not options.
    var inputs: [String]
    private(set) var options: [Option]
    /// Whether the rules specify a delimiter.
    var rulesHaveDelimiter = false

    init(_ command: String, _ inputs: [String] = [], _ options: [Option] = []) {
        self.command = command
        self.inputs = inputs
        self.options = options
    }

    /// Splits the words after the name of a command. Returns `nil` for words with a mistake, or of a form that is not
    /// known here.
    ///
    /// - Parameter declared: The options of the command.
    init?(_ command: String, _ words: ArraySlice<String>, options declared: [String: OptionKind]) {
        self.init(command)
        var rest = words
        while let word = rest.popFirst() {
            if word == "--" {
                inputs += rest
                break
            }
            if word == "-" || !word.begins(withBytesOf: "-") {
                inputs.append(word)
                continue
            }
            // Flags may precede a short option: -qr FILE.
            var names = [Substring(word.prefix { $0 != "=" })]
            if !word.hasPrefix("--") { names = names[0].dropFirst().map { "-\($0)" } }
            guard let last = names.popLast() else { return nil }
            for name in names where !addFlag(String(name), declared) { return nil }
            let value = word.firstIndex(of: "=").map { String(word[word.index(after: $0)...]) }
            // ArgumentParser takes the next word as the value of `--name=`.
            if value == "" { return nil }
            if value == nil && addFlag(String(last), declared) { continue }
            let name = Self.shortNames[String(last)] ?? String(last)
            guard let kind = declared[name], kind != .flag else { return nil }
            // A value that begins with a hyphen may be a forgotten value, and an option.
            guard let value = value ?? rest.popFirst().flatMap({ $0 == "-" || !$0.begins(withBytesOf: "-") ? $0 : nil })
            else { return nil }
            options.append(Option(name: name, value: value))
        }
    }

    private static let shortNames = ["-q": "--quiet", "-r": "--rules"]

    /// Adds a flag. Returns `false` if the option is not a flag.
    private mutating func addFlag(_ name: String, _ declared: [String: OptionKind]) -> Bool {
        let name = Self.shortNames[name] ?? name
        guard declared[name] == .flag else { return false }
        if !has(name) { options.append(Option(name: name, value: nil)) }
        return true
    }

    /// Refuses repeated options with one value, because ArgumentParser would silently take the last one.
    func refuseRepeatedOptions(_ declared: [String: OptionKind]) throws(InputError) {
        var seen: Set<String> = []
        for option in options where declared[option.name] == .value && !seen.insert(option.name).inserted {
            throw InputError(
                "\(option.name) is given twice",
                hint: option.name == "--rules" ? "one rule file holds the rules of all columns" : nil)
        }
    }

    /// Returns the value of an option.
    func value(of name: String) -> String? { options.first { $0.name == name }?.value }

    func values(of name: String) -> [String] { options.filter { $0.name == name }.compactMap(\.value) }

    /// Returns the first given option of these.
    func firstOption(among names: Set<String>) -> String? { options.first { names.contains($0.name) }?.name }

    /// The options in the order of their names, and the values of an option in their order.
    var sortedOptions: [Option] {
        options.enumerated().sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }.map(\.element)
    }

    func has(_ name: String) -> Bool { options.contains { $0.name == name } }

    /// Sets an option, replacing its value. `nil` for a flag.
    mutating func set(_ name: String, to value: String?) {
        let option = Option(name: name, value: value)
        if let index = options.firstIndex(where: { $0.name == name }) {
            options[index] = option
        } else {
            options.append(option)
        }
    }

    /// Makes the first inputs part of the command, as in `diff old.yaml new.yaml`.
    mutating func moveInputsIntoCommand(_ count: Int) {
        for path in inputs.prefix(count) { command += " " + shellPath(path) }
        inputs.removeFirst(min(count, inputs.count))
    }

    mutating func remove(_ name: String) { options.removeAll { $0.name == name } }

    /// The command for one of the inputs, which is now read from standard input.
    ///
    /// - Parameter name: the base of the output names, in place of the input's name.
    func reading(standardInputFor input: String, named name: String) -> Invocation {
        var again = self
        again.inputs = [CleanJob.standard]
        // A run from standard input cannot be resumed.
        again.remove("--resume")
        again.remove("--checkpoint-every")
        if !has("--delimiter"), !rulesHaveDelimiter, Dialect.delimiter(suggestedBy: name) != nil {
            again.set("--delimiter", to: "tab")
        }
        guard command == "clean", input != CleanJob.standard else { return again }
        let paths = OutputPaths(nextTo: name, in: value(of: "--output-dir"))
        again.remove("--output-dir")
        let outputs = [
            ("--clean", paths.clean), ("--rejects", paths.rejects), ("--findings", paths.findings),
            ("--report", paths.reports.first),
        ]
        for (option, path) in outputs where !has(option) {
            if let path { again.set(option, to: path) }
        }
        return again
    }

    /// The command as a shell reads it.
    var text: String {
        var words = ["assay", command] + inputs.map { shellPath($0) }
        for option in options {
            guard let value = option.value else {
                words.append(option.name)
                continue
            }
            // A value that begins with a hyphen must be joined with `=`, because the parser would take it for another
            // option.
            let isOptionLike = value.begins(withBytesOf: "-") && value != CleanJob.standard
            let word = value.begins(withBytesOf: "/dev/fd/") ? shellPath(value) : shellQuoted(value)
            words.append(isOptionLike ? "\(option.name)=\(word)" : "\(option.name) \(word)")
        }
        return words.joined(separator: " ")
    }
}
