import ArgumentParser
import AssayFiles
import AssayRules

/// A random sample of the records.
struct SampleOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Read only a random sample: a share such as 1%, or a number of records such as 10000.",
            valueName: "amount"))
    var sample: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The same seed selects the same records. Default: 0.", valueName: "n"))
    var seed: String?

    func validate() throws {
        if let seed, UInt64(seed) == nil {
            throw ArgumentParser.ValidationError("--seed takes a number from 0 to \(UInt64.max).")
        }
        if seed != nil && sample == nil {
            throw ArgumentParser.ValidationError("--seed needs --sample, because it selects the sample.")
        }
        _ = try amount()
    }

    private func amount() throws -> RecordSample.Amount? {
        guard let sample else { return nil }
        if sample.hasSuffix("%"), let percent = Double(sample.dropLast()), percent > 0, percent <= 100 {
            return .percent(percent)
        }
        if let count = Int(sample), count > 0 { return .count(count) }
        throw ArgumentParser.ValidationError(
            "--sample takes a share such as 1%, or a number of records such as 10000, not '\(printable(sample))'.")
    }

    /// The sample of a table; `nil` if all records are read. If its size is a number of records, all records are
    /// counted first.
    ///
    /// - Parameter copies: opens the files again, even if they are not regular files; `nil`: by path.
    func sample(
        of table: InputTable, copies: (() throws -> [any Source])? = nil, rules: RuleFile, options: CleanerOptions,
        unpacks: Bool
    ) throws -> RecordSample? {
        let seed = seed.flatMap { UInt64($0) } ?? 0
        switch try amount() {
        case nil: return nil
        case .percent(let percent): return RecordSample(percent: percent, seed: seed)
        case .count(let count):
            if copies == nil, let pipe = table.files.first(where: { !FileSource.isFile(at: $0) }) {
                throw InputError(
                    "--sample \(count) reads its input twice, and "
                        + "\(pipe == CleanJob.standard ? "standard input" : printable(pipe)) "
                        + "can be read only once",
                    hint: "give a share, such as --sample 1%")
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
