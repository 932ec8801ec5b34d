import AssayFiles

/// The command that would have worked, made from the one that was given.
enum Remedies {
    /// What the process was started with, as far as it matters here. Set by the commands that read tables.
    // SAFETY: written and read by the main thread alone.
    nonisolated(unsafe) static var invocation: (command: String, input: String, rules: String?)?

    /// The command, on lines of its own; empty when there is none.
    static func text(for error: InputError) -> String {
        guard let remedy = error.remedy, let (command, input, rules) = invocation else { return "" }
        let rule = rules.map { " --rules \(shellQuoted($0))" } ?? ""
        let isStandard = input == CleanJob.standard
        switch remedy {
        case .delimiter(let byte):
            let rejects = isStandard && command == "clean" ? " --rejects rejects.csv > clean.csv" : ""
            return
                "\n  try:\n    assay \(command) \(shellQuoted(input))\(rule) --delimiter \(TableHead.spelled(byte))\(rejects)"
        case .filter(let words, let delimiter):
            let program = words.joined(separator: " ") + (isStandard ? "" : " \(shellQuoted(input))")
            let rejects = command == "clean" ? " --rejects rejects.csv > clean.csv" : ""
            let option = delimiter.map { " --delimiter \(TableHead.spelled($0))" } ?? ""
            return "\n  try:\n    \(isStandard ? "… | " : "")\(program) | assay \(command) -\(rule)\(option)\(rejects)"
        case .convert(let program, let result):
            return "\n  try:\n    \(program) && assay \(command) \(shellQuoted(result))\(rule)"
        }
    }
}
