import ArgumentParser
import AssayFiles
import AssayRules

/// The limits that are set on the command line, over those of the rules.
struct LimitOptions: ParsableArguments {
    @Option(
        name: .customLong("limit"), parsing: .singleValue,
        help: ArgumentHelp(
            "Set a limit, repeatable: \(Limits.names.joined(separator: ", ")). Units K, M, G.", valueName: "name=value")
    )
    var settings: [String] = []

    /// The defaults with what is set here.
    func limits() throws -> Limits {
        var limits = Limits()
        try apply(to: &limits)
        return limits
    }

    func apply(to limits: inout Limits) throws {
        for setting in settings {
            guard let equals = setting.firstIndex(of: "=") else {
                throw InputError("--limit takes name=value, such as field-bytes=2M, not '\(printable(setting))'")
            }
            do {
                try limits.set(String(setting[..<equals]), to: String(setting[setting.index(after: equals)...]))
            } catch {
                throw InputError("--limit \(printable(setting)): \(error)")
            }
        }
    }
}
