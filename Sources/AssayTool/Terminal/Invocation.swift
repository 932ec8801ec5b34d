import Assay
import AssayFiles
import AssayRules

/// A command line that messages repeat with changes.
///
/// Suggested commands must work when pasted, so they keep all given options.
struct Invocation {
    struct Option {
        let name: String
        /// `nil` for a flag.
        var value: String?
    }

    let command: String
    var inputs: [String]
    private(set) var options: [Option]
    /// Whether the rules specify a delimiter.
    var rulesHaveDelimiter = false

    init(_ command: String, _ inputs: [String], _ options: [Option?]) {
        self.command = command
        self.inputs = inputs
        self.options = options.compactMap(\.self)
    }

    /// Returns the value of an option.
    func value(of name: String) -> String? { options.first { $0.name == name }?.value }

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
        let paths = OutputPaths(besides: name, in: value(of: "--output-dir"))
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

extension Invocation.Option {
    /// An option, or `nil` without a value.
    static func option(_ name: String, _ value: String?) -> Self? { value.map { Self(name: name, value: $0) } }
    static func flag(_ name: String, _ isGiven: Bool) -> Self? { isGiven ? Self(name: name, value: nil) : nil }
}
