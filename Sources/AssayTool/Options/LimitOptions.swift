import ArgumentParser
import AssayFiles
import AssayRules

/// The limits of a command that reads a table or a rule file.
struct LimitOptions: ParsableArguments {
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Set a limit: \(Limits.names.joined(separator: ", ")). Units K, M, G. May be repeated.",
            valueName: "name=value"))
    var limit: [String] = []

    /// The defaults with these settings. For a limit that is set here, rule files may have any value, because it is
    /// overridden.
    func limits(trustingRules: Bool = false) throws -> Limits {
        var limits = Limits()
        try apply(to: &limits)
        if trustingRules { limits.trustRuleFiles() }
        for setting in Limits.settings where setting.boundsWork && names.contains(setting.name[...]) {
            limits.trustRuleFiles(with: setting)
        }
        return limits
    }

    private var names: Set<Substring> { Set(limit.map { $0.prefix { $0 != "=" } }) }

    func apply(to limits: inout Limits) throws {
        for setting in limit {
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

    /// A note about the limits on the work for one value that a rule file raises, unless the command line sets them, or
    /// `nil`. It warns users who run rules of others.
    func noteOnRaisedLimits(_ rules: RuleFile, named name: String) -> String? {
        var own = Limits()
        guard (try? apply(to: &own)) != nil else { return nil }
        let given = names
        let raised = Limits.settings.filter { setting in
            setting.boundsWork && !given.contains(setting.name[...])
                && setting.value(in: rules.limits) > setting.value(in: own)
        }
        if raised.isEmpty { return nil }
        let list = raised.map { setting in
            "\(setting.name) from \(setting.value(in: own)) to \(setting.value(in: rules.limits))"
        }
        return
            "assay: \(printable(name)) raises limits on the work that one value may cause: "
            + "\(list.joined(separator: ", ")); --limit overrides them\n"
    }
}
