import Foundation

/// A rival of the whole command: a script in Benchmarks/rivals that does the job of `job.py` from file to files.
struct Tool {
    /// The name and version that the tool prints.
    let name: String
    let kind: Kind
    private let python: Command

    /// A script and its properties. It may be unavailable on this machine.
    struct Kind {
        let script: String
        var arguments: [String] = []
        /// Whether the tool can use several threads.
        var isThreaded = true
        /// Whether the tool reports reasons per row. If not, its counts by column are not compared.
        var saysWhy = true
        /// The divisor of the row count, so that a slow tool runs for seconds. Assay runs on the same smaller input.
        var oneRowOf = 1

        static let all = [
            Kind(script: "run_polars.py", arguments: ["memory"]),
            Kind(script: "run_polars.py", arguments: ["streaming"]),
            Kind(script: "run_duckdb.py", arguments: ["table"]),
            Kind(script: "run_duckdb.py", arguments: ["scans"]),
            Kind(script: "run_pyarrow.py"),
            Kind(script: "run_ripgrep.py", isThreaded: false, saysWhy: false),
            Kind(script: "run_jsonschema.py", isThreaded: false, oneRowOf: 10),
            Kind(script: "run_csv_re.py", isThreaded: false, oneRowOf: 10),
            Kind(script: "run_frictionless.py", isThreaded: false, oneRowOf: 100),
            // Fewer rows, because Debian's 6.6 compiles a pattern again for each row.
            Kind(script: "run_miller.py", oneRowOf: 100),
        ]

        /// The label in messages and tables, such as `polars streaming`.
        var label: String {
            let stem = script.replacing("run_", with: "").replacing(".py", with: "")
            return ([stem] + arguments).joined(separator: " ")
        }
    }

    private static let folder = packageFolder.appendingPathComponent("rivals").path
    /// The Python of the environment that install.sh makes, or the system's Python, which can run tools without
    /// packages.
    private static var interpreter: String? {
        let own = packageFolder.appendingPathComponent(".rivals/bin/python").path
        return [own, "/usr/bin/python3"].first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Returns nil if the tool does not run on this machine.
    init?(_ kind: Kind) {
        guard let interpreter = Self.interpreter, let python = try? Command(path: interpreter, resolvingLinks: false)
        else { return nil }
        self.kind = kind
        self.python = python
        guard let version = python.output(Self.arguments(kind, "--version")), !version.isEmpty else { return nil }
        name = version
    }

    /// Returns the tools that run on this machine, and the labels of the others.
    static func here(_ kinds: [Kind]) -> (tools: [Tool], absent: [String]) {
        let tools = kinds.map { ($0.label, Tool($0)) }
        return (tools.compactMap(\.1), tools.filter { $0.1 == nil }.map(\.0))
    }

    private static func arguments(_ kind: Kind, _ last: String) -> [String] {
        [folder + "/" + kind.script] + kind.arguments + [last]
    }

    /// Runs the job once. Throws `WrongAnswer` if the result differs from the expected one.
    ///
    /// - Returns: The cost of the process, and the part that the job took, without the start of Python and its imports.
    func run(
        _ input: ExportFile, threads: Int, limit: Command.Limit, in place: Workplace
    ) throws -> (sample: Sample, jobSeconds: Double) {
        let output = place.directory + "/out"
        try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: output) }
        let job = place.directory + "/job.json"
        let description = Job(
            input: input.path, output: output, threads: threads,
            rules: Subject.all.map { Job.Rule(column: $0.name, pattern: $0.pattern) })
        try JSONEncoder().encode(description).write(to: URL(fileURLWithPath: job))
        let (sample, status) = try python.run(Self.arguments(kind, job), processors: threads, limit: limit)
        guard status == 0 else { throw CommandError(message: "\(name) ends with status \(status)") }
        return (sample, try check(output, input.expected))
    }

    private func check(_ output: String, _ expected: ExportFile.Counts) throws -> Double {
        func check(_ what: String, _ answer: Int, _ expected: Int) throws {
            guard answer == expected else {
                throw WrongAnswer(job: "rivals", contender: "\(name), \(what)", expected: expected, answer: answer)
            }
        }
        let data = try Data(contentsOf: URL(fileURLWithPath: output + "/counts.json"))
        let answer = try JSONDecoder().decode(Answer.self, from: data)
        try check("records", answer.records, expected.records)
        try check("rejected", answer.rejected, expected.rejected)
        if kind.saysWhy {
            for subject in Subject.all {
                try check(
                    "bad in \(subject.name)", answer.failed[subject.name] ?? 0,
                    expected.rules[subject.name + ".pattern"] ?? 0)
            }
        }
        try check("rows in valid.csv", try ExportFile.rows(at: output + "/valid.csv"), expected.clean)
        try check("rows in rejects.csv", try ExportFile.rows(at: output + "/rejects.csv"), expected.rejected)
        return answer.seconds
    }

    /// The contents of job.json, which job.py reads.
    private struct Job: Encodable {
        struct Rule: Encodable {
            var column: String
            var pattern: String
        }
        var input: String
        var output: String
        var threads: Int
        var rules: [Rule]
    }

    /// The contents of counts.json, which job.py writes.
    private struct Answer: Decodable {
        var records: Int
        var rejected: Int
        var failed: [String: Int]
        var seconds: Double
    }
}
