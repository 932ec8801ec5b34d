import Assay
import AssayRules
import Testing

@testable import AssayFiles

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The measurements of `assay bench --stages`. These tests do not depend on durations.
struct StageBenchTests {
    private static let table = Array(
        ("id,name\n" + (0..<30_000).map { "\($0),some name that makes it longer\n" }.joined()).utf8)

    private static func bench(_ fields: String, memory: Int? = nil, threads: Int = 2) throws -> StageBench {
        let rules = try RuleFile.parse(Array(fields.utf8), name: "rules.yaml")
        var options = AssayFilesTests.threads(threads)
        options.memory = memory
        return try withTemporaryFile(table) { path in
            let bench = try StageBench(file: path, rules: rules, options: options, rounds: 2)
            #expect(bench.file == path)
            #expect(access(path, F_OK) == 0)
            // No files remain next to it, in the place of the outputs.
            for output in [".clean", ".rejects", ".findings.jsonl"] { #expect(access(path + output, F_OK) != 0) }
            return bench
        }
    }

    private static let plain = "fields: [{name: id, type: integer}, {name: name}]"

    @Test("the figures add up", arguments: [1, 2, 7])
    func sums(threads: Int) throws {
        let bench = try Self.bench(Self.plain, threads: threads)
        #expect(bench.rounds == 2)
        for run in [bench.check, bench.clean] {
            #expect(run.result.records == 30_000 && run.result.bytes == Self.table.count)
            #expect(run.result.threads == threads)
            #expect(run.serial == run.records + run.keys + run.findings + run.outputs + run.ends)
            #expect(run.records > 0 && run.outputs > 0 && run.ends > 0 && run.keys == 0 && run.findings == 0)
            #expect(run.share > 0 && run.share <= 1 && run.share * run.processorSeconds <= run.serial * 1.000_001)
            #expect(run.ends <= run.seconds)
        }
        #expect(bench.clean.publishing > 0)
    }

    @Test("the model is Amdahl's law")
    func model() throws {
        var run = try Self.bench(Self.plain).clean
        run.processorSeconds = 10
        (run.records, run.keys, run.findings, run.outputs, run.ends) = (0.5, 0, 0, 0.25, 0.25)
        #expect(run.serial == 1 && run.share == 0.1)
        #expect(run.speedUp(threads: 1) == 1)
        #expect(abs(run.speedUp(threads: 9) - 5) < 1e-9)
        #expect(run.speedUp(threads: 64) < 10)
        // A waiting thread uses no processor time.
        run.processorSeconds = 0.5
        #expect(run.share == 1 && run.speedUp(threads: 64) == 1)
    }

    @Test("keys are decided about in turn, and those that have no room in memory at the end", arguments: [nil, 0])
    func keys(memory: Int?) throws {
        let rules = "fields: [{name: id, type: integer}, {name: name}]\nprimaryKey: id"
        let bench = try Self.bench(rules, memory: memory)
        for run in [bench.check, bench.clean] {
            #expect(run.keys > 0 && run.serial > run.keys)
        }
    }

    @Test("its JSON")
    func json() throws {
        let keys = ["records", "keys", "findings", "outputs", "ends", "all"].map { "\"\($0)\": " }
        let json = try Self.bench(Self.plain).json
        for key in keys { #expect(json.contains(key)) }
        #expect(json.contains("\"law\": \"Amdahl\""))
        #expect(json.hasSuffix("}\n"))
    }

    @Test("what can be read only once is refused")
    func pipe() throws {
        let rules = try RuleFile.parse(Array(Self.plain.utf8), name: "rules.yaml")
        #expect(throws: InputError.self) {
            try StageBench(file: "-", rules: rules, options: CleanerOptions(), rounds: 1)
        }
    }
}
