import AssayFiles
import AssayRules

/// What `--limit` is set to: `field-bytes=2M`, any number of times. It is an option of each command by itself: a group of its
/// own cost a twentieth of the instructions that it takes to start.
struct LimitSettings {
    let settings: [String]

    static let help = "Set a limit, repeatable: \(Limits.names.joined(separator: ", ")). Units K, M, G."

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
