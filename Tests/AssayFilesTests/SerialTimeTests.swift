import Assay
import AssayRules
import CAssaySystem
import Testing

@testable import AssayFiles

/// The times of serial work, which the benchmark case `stages` reports. These tests do not depend on durations.
struct SerialTimeTests {
    private static let table = Array(
        ("id,name\n" + (0..<30_000).map { "\($0),some name that makes it longer\n" }.joined()).utf8)

    private static let plain = "fields: [{name: id, type: integer}, {name: name}]"

    private static func run(_ rules: String, memory: Int? = nil, threads: Int = 2, writes: Bool) throws -> RunResult {
        var options = AssayFilesTests.threads(threads)
        options.memory = memory
        let cleaner = try Cleaner(rules: RuleFile.parse(Array(rules.utf8), name: "rules.yaml"), options: options)
        return try withTemporaryFile(table) { path in
            let paths = writes ? OutputPaths(clean: "\(path).clean") : OutputPaths()
            let job = try CleanJob(input: path, paths: paths)
            defer { for path in paths.all { unlink(path) } }
            return try job.run(cleaner).result
        }
    }

    @Test("each kind of work has its time", arguments: [1, 2, 7])
    func kinds(threads: Int) throws {
        for writes in [false, true] {
            let watch = Stopwatch()
            let result = try Self.run(Self.plain, threads: threads, writes: writes)
            let all = watch.reading.clock
            let time = result.serialTime
            #expect(result.records == 30_000 && result.threads == threads)
            #expect(time.records > 0 && time.outputs > 0)
            #expect(time.keys == 0 && time.waitingKeys == 0 && time.findings == 0)
            #expect(time.sideBySide > 0 && time.sideBySide < all)
            #expect(time.publishing.clock > 0 && time.publishing.clock < all - time.sideBySide)
        }
    }

    @Test("keys are decided in order, and keys that do not fit in memory at the end", arguments: [nil, 0])
    func keys(memory: Int?) throws {
        let time = try Self.run("\(Self.plain)\nprimaryKey: id", memory: memory, writes: true).serialTime
        #expect(time.keys > 0 && time.waitingKeys > 0)
    }
}
