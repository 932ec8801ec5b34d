import ArgumentParser
import Assay
import AssayFiles
import AssayRules

/// The rules of `clean` and `check`, and the number of records that they may reject.
struct RuleOptions: ParsableArguments {
    @Option(
        name: .shortAndLong, help: ArgumentHelp("The rules: YAML or JSON.", valueName: "file"),
        completion: .ruleFile)
    var rules: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Exit with 1 only if more than this share of the records is rejected, such as 0.5%.", valueName: "p%"))
    var maxRejectRate: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Stop with status 1 and without outputs after this number of rejected records. Records that keys reject "
                + "count, except for keys that are decided at the end: with "
                + "'keep: none', and in tables that refer to themselves.",
            valueName: "n"))
    var stopAfter: Int?

    func validate() throws {
        _ = try rejectRate()
        if let stopAfter, stopAfter < 1 {
            throw ArgumentParser.ValidationError("--stop-after takes a positive number.")
        }
    }

    /// The maximum share of rejected records for status 0, in percent.
    func rejectRate() throws -> Double? {
        guard let text = maxRejectRate else { return nil }
        let number = text.hasSuffix("%") ? String(text.dropLast()) : text
        guard let rate = Double(number), (0...100).contains(rate) else {
            throw ArgumentParser.ValidationError("--max-reject-rate takes a percentage such as 0.5%, not '\(text)'.")
        }
        return rate
    }
}

/// How rules judge records.
struct EvaluationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Records with more fields than the header: reject or keep. Default: reject.", valueName: "how"),
        completion: ExtraFieldsOption.completion)
    var extraFields: String?

    @Flag(help: "Leave out the repairs of the rules, and judge the values of the input.")
    var noRepair = false

    func validate() throws { try ExtraFieldsOption.check(extraFields, of: "--extra-fields") }

    func apply(to file: inout RuleFile) {
        if noRepair { file.schema = file.schema.withoutRepairs }
        if let extraFields {
            file.dialect.extraFields = extraFields == ExtraFieldsOption.keep.rawValue ? .keep : .reject
        }
    }
}

/// The time of a run.
struct TimeOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The value of now() in rules, such as 2024-02-29T12:30:00Z. Default: the time at which the run starts.",
            valueName: "timestamp"))
    var now: String?

    func validate() throws { _ = try timestamp() }

    /// The given time; `nil`: that of the clock.
    func timestamp() throws -> Timestamp? {
        guard let now else { return nil }
        if let timestamp = Timestamp(now) { return timestamp }
        let midnight = Timestamp(now + "T00:00:00Z").map { _ in "; write \(now)T00:00:00Z" } ?? ""
        throw ArgumentParser.ValidationError(
            "--now takes a timestamp such as 2024-02-29T12:30:00Z, not '\(printable(now))'\(midnight).")
    }
}

/// Whether the author of the rules is trusted.
struct TrustOptions: ParsableArguments {
    @Flag(help: "Let rule files name any files, and raise the limits on the work for a value as they like.")
    var trustRules = false
}

enum ExtraFieldsOption: String, OptionWord {
    case reject, keep
}

extension CompletionKind {
    /// The files that may contain rules.
    static var ruleFile: CompletionKind { .file(extensions: ["yaml", "yml", "json"]) }
}
