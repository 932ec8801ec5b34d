import Foundation

/// The command `assay clean`, run repeatedly on an export. Each report is compared with the expected counts.
struct CleanCommand {
    let command: Command
    let copy: Command
    let place: Workplace

    init(path: String, place: Workplace) throws {
        command = try Command(path: path)
        copy = try Command(path: "/bin/cp")
        self.place = place
    }

    /// The cost of the rounds with one number of threads, and of copying the input.
    struct Result {
        let input: ExportFile.Counts
        let badPercent: Int
        let measurement: Measurement
        let copying: Measurement

        var threads: Int { measurement.contender.threads }
        var label: String { "\(gigabytes(input.bytes)), \(badPercent) % bad" }
        var name: String { "\(label), \(threads) thread\(threads == 1 ? "" : "s")" }
        var best: Sample { measurement.best }
        var megabytes: Double { Double(input.bytes) / 1e6 }
        var speed: Double { megabytes / best.wall }
        var secondsEach: Double { best.wall / Double(input.records) }
        var peakMegabytes: Double { Double(best.peakBytes ?? 0) / 1e6 }
    }

    /// The bytes needed for a row of an export and its outputs: twice its size, and about 160 bytes for a finding if it
    /// is bad.
    static func bytesNeeded(badPercent: Int) -> Int { 490 + 160 * badPercent / 100 }

    /// - Parameter isWarm: Whether to run an additional first round, which is not counted.
    func race(
        _ input: ExportFile, badPercent: Int, threads: [Int], rounds: Int, isWarm: Bool = true
    ) throws -> [Result] {
        func measurement(_ name: String, _ threads: Int) -> Measurement {
            Measurement(
                contender: Contender(
                    name: name, threads: threads, work: input.expected.bytes, expected: input.expected.rejected
                ) { 0 })
        }
        var cleaning = threads.map { measurement("assay clean", $0) }
        var copying = measurement("cp", 1)
        for round in (isWarm ? 0 : 1)...rounds {
            for (index, threads) in threads.enumerated() {
                try place.touch(bytes: 2 * input.expected.bytes)
                let sample = try clean(input, threads: threads)
                if round > 0 { cleaning[index].samples.append(sample) }
            }
            let target = place.directory + "/copy"
            try place.touch(bytes: 2 * input.expected.bytes)
            let (sample, status) = try copy.run([input.path, target], processors: 1)
            try FileManager.default.removeItem(atPath: target)
            guard status == 0 else { throw CommandError(message: "cp ends with status \(status)") }
            if round > 0 { copying.samples.append(sample) }
        }
        progress("clean, \(gigabytes(input.expected.bytes)), \(badPercent) % bad")
        return cleaning.map {
            Result(input: input.expected, badPercent: badPercent, measurement: $0, copying: copying)
        }
    }

    /// The requested outputs.
    enum Job {
        /// The default outputs, including findings with line and byte offset.
        case usual
        /// The outputs of job.py: the good rows, and the bad rows with a column that names the columns at fault.
        case likeRivals
    }

    /// Runs the command once. Throws `WrongAnswer` if the result differs from the expected one.
    func clean(_ input: ExportFile, threads: Int, job: Job = .usual) throws -> Sample {
        let output = place.directory + "/out"
        try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: output) }
        let (sample, status) = try command.run(
            [
                "clean", input.path, "--rules", input.rules, "--output-dir", output, "--threads", "\(threads)",
                "--quiet",
            ] + (job == .likeRivals ? ["--annotate", "--findings", "none"] : []), processors: threads)
        guard status == 0 else { throw CommandError(message: "assay clean ends with status \(status)") }
        try check(output, input, job, threads)
        return sample
    }

    private func check(_ output: String, _ input: ExportFile, _ job: Job, _ threads: Int) throws {
        func check(_ what: String, _ answer: Int, _ expected: Int) throws {
            guard answer == expected else {
                throw WrongAnswer(
                    job: "clean, \(input.expected.records) rows, \(threads) threads",
                    contender: "assay clean, \(what)", expected: expected, answer: answer)
            }
        }
        func bytes(_ name: String) throws -> Int {
            let attributes = try FileManager.default.attributesOfItem(atPath: name)
            return (attributes[.size] as? NSNumber)?.intValue ?? -1
        }
        let name = output + "/" + URL(fileURLWithPath: input.path).deletingPathExtension().lastPathComponent
        let data = try Data(contentsOf: URL(fileURLWithPath: name + ".report.json"))
        let report = try JSONDecoder().decode(Report.self, from: data)
        let expected = input.expected
        try check("records", report.inputs[0].records, expected.records)
        try check("clean", report.inputs[0].clean, expected.clean)
        try check("rejected", report.inputs[0].rejected, expected.rejected)
        for (kind, count) in expected.structure {
            try check("structure, \(kind)", report.structure[kind] ?? 0, count)
        }
        for rule in report.columns.flatMap(\.rules) {
            try check("rule \(rule.id)", rule.failed, expected.rules[rule.id] ?? 0)
        }
        let (good, bad) = (name + ".clean.csv", name + ".rejects.csv")
        switch job {
        case .usual:
            // Every input byte is in one of the two outputs; the header is in both.
            try check("bytes", try bytes(good) + bytes(bad), expected.bytes + input.header.utf8.count)
        case .likeRivals:
            try check("rows in \(good)", try ExportFile.rows(at: good), expected.clean)
            try check("rows in \(bad)", try ExportFile.rows(at: bad), expected.rejected)
        }
    }

    /// The counts in report.json.
    private struct Report: Decodable {
        struct Input: Decodable {
            var records: Int
            var clean: Int
            var rejected: Int
        }
        struct Column: Decodable {
            var rules: [Rule]
        }
        struct Rule: Decodable {
            var id: String
            var failed: Int
        }
        var inputs: [Input]
        var structure: [String: Int]
        var columns: [Column]
    }
}
