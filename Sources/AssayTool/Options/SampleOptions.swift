import ArgumentParser
import AssayFiles
import AssayRules

/// The options for checking only a sample of the records.
struct SampleOptions {
    /// The value of `--sample`, such as `1%` or `10000`.
    let text: String
    let amount: RecordSample.Amount
    let seed: UInt64

    /// - Parameters:
    ///   - sample: the value of `--sample`.
    ///   - seed: the value of `--seed`.
    /// - Returns: `nil` if all records are checked.
    init?(_ sample: String?, seed: String?) throws {
        guard let sample else {
            if seed == nil { return nil }
            throw ArgumentParser.ValidationError("--seed is for --sample: it says which sample that is.")
        }
        if sample.hasSuffix("%"), let percent = Double(sample.dropLast()), percent > 0, percent <= 100 {
            amount = .percent(percent)
        } else if let count = Int(sample), count > 0 {
            amount = .count(count)
        } else {
            throw ArgumentParser.ValidationError(
                "--sample takes a share such as 1%, or a number of records such as 10000, not '\(printable(sample))'.")
        }
        (text, self.seed) = (sample, seed.flatMap { UInt64($0) } ?? 0)
    }

    /// The value of `--seed`, if it is a number. It remains a text for the parser: see ``OptionWord``.
    static func checkedSeed(_ text: String) throws -> String {
        if UInt64(text) != nil { return text }
        throw ArgumentParser.ValidationError("Please provide a number from 0 to \(UInt64.max).")
    }

    /// The sample of a table. If its size is a number of records, all records are counted first.
    ///
    /// - Parameter copies: opens the files again, even if they are not regular files; `nil`: by path.
    func sample(
        of table: InputTable, copies: (() throws -> [any Source])? = nil, rules: RuleFile, options: CleanerOptions,
        unpacks: Bool
    ) throws -> RecordSample {
        switch amount {
        case .percent(let percent): return RecordSample(percent: percent, seed: seed)
        case .count(let count):
            if copies == nil, let pipe = table.files.first(where: { !FileSource.isFile(at: $0) }) {
                throw InputError(
                    "--sample \(text) reads its input twice, and \(pipe == CleanJob.standard ? "standard input" : printable(pipe)) "
                        + "can be read only once",
                    hint: "ask for a share, such as --sample 1%")
            }
            var options = options
            options.sample = RecordSample(percent: 0, seed: seed)
            options.stopAfter = nil
            let reader = try Cleaner(rules: RuleFile(dialect: rules.dialect, limits: rules.limits), options: options)
            let result: RunResult
            if let copies {
                result = try reader.run(asOne: copies(), to: Outputs())
            } else {
                let job = try CleanJob(
                    inputs: table.files, by: table.policy, force: false, format: table.format, unpacks: unpacks
                ) { _ in OutputPaths() }
                result = try job.run(reader).result
            }
            return RecordSample(count: count, of: result.records + result.leftOut, seed: seed)
        }
    }
}
