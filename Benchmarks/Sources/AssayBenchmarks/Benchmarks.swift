import Foundation

/// A case, with its name on the command line and in the results.
struct BenchmarkCase: Sendable {
    let name: String
    /// Whether the case takes minutes and gigabytes of memory, so that it runs only on request.
    var isLarge = false
    let run: @Sendable (Options) throws -> CaseReport

    /// All cases, from the smallest job to the largest, so that an interrupted run lacks only the largest.
    static let all = [
        BenchmarkCase(name: "value", run: valueCase),
        BenchmarkCase(name: "column", run: columnCase),
        BenchmarkCase(name: "types", run: typesCase),
        BenchmarkCase(name: "strings", run: stringsCase),
        BenchmarkCase(name: "repeats", run: repeatsCase),
        BenchmarkCase(name: "long", run: longCase),
        BenchmarkCase(name: "hostile", run: hostileCase),
        BenchmarkCase(name: "unicode", run: unicodeCase),
        BenchmarkCase(name: "look-around", run: lookAroundCase),
        BenchmarkCase(name: "rules", run: rulesCase),
        BenchmarkCase(name: "requirement", run: requirementCase),
        BenchmarkCase(name: "scan", run: scanCase),
        BenchmarkCase(name: "start", run: startCase),
        BenchmarkCase(name: "clean", run: cleanCase),
        BenchmarkCase(name: "types-clean", run: typesCleanCase),
        BenchmarkCase(name: "columns", run: columnsCase),
        BenchmarkCase(name: "stages", run: stagesCase),
        BenchmarkCase(name: "rivals", run: rivalsCase),
        BenchmarkCase(name: "clean-2.4gb", isLarge: true) { try largeCleanCase("clean-2.4gb", times: 10, $0) },
        BenchmarkCase(name: "rivals-2.4gb", isLarge: true) {
            try largeRivalsCase("rivals-2.4gb", times: 10, seconds: 90, $0)
        },
        BenchmarkCase(name: "clean-10gb", isLarge: true) { try largeCleanCase("clean-10gb", times: 42, $0) },
        BenchmarkCase(name: "rivals-10gb", isLarge: true) {
            try largeRivalsCase("rivals-10gb", times: 42, seconds: 180, $0)
        },
    ]
}

@main
struct Benchmarks {
    static func main() {
        do throws(UsageError) {
            let arguments = Array(CommandLine.arguments.dropFirst())
            if arguments.contains("--help") || arguments.contains("-h") { return say(Options.help) }
            let options = try Options(arguments)
            Workplace.removeWhenInterrupted()
            run(options)
        } catch {
            complain(error.message + "\n\n" + Options.help)
            exit(2)
        }
    }

    private static func run(_ options: Options) {
        #if DEBUG
            complain("this is a debug build: its figures say nothing (swift build -c release)")
        #endif
        let machine = Machine()
        say(machine.table.text())
        let results = options.results.map { Results(machine: machine, directory: $0) }
        let cases = options.wanted
        let start = ContinuousClock.now
        var failed: [String] = []
        for (index, entry) in cases.enumerated() {
            say("\n── \(entry.name) " + String(repeating: "─", count: 100 - entry.name.count))
            let earlier = results?.duration(of: entry.name).map { ", which took \($0) last time" } ?? ""
            let next = index + 1 < cases.count ? "then \(cases[index + 1].name)" : "the last one"
            progress(
                "case \(index + 1) of \(cases.count) after \(figure(seconds(since: start))) s: \(entry.name)\(earlier); \(next)"
            )
            // A failing case does not stop the others.
            do {
                let began = RunFacts(commit: machine.commit)
                let beginning = ContinuousClock.now
                let report = try entry.run(options)
                say(report.text)
                try results?.write(report, began, seconds: seconds(since: beginning))
            } catch {
                complain("\(entry.name): \(error)")
                failed.append(entry.name)
            }
        }
        progress("\(cases.count) cases in \(figure(seconds(since: start))) s")
        if let results { say("\nresults: \(results.folder.path)") }
        guard failed.isEmpty else {
            complain("failed: \(failed.joined(separator: ", "))")
            exit(1)
        }
    }
}

/// Writes a line to standard output without buffering.
func say(_ message: String) { FileHandle.standardOutput.write(Data((message + "\n").utf8)) }

/// Writes a progress line to standard error, so that standard output contains only the report.
func progress(_ message: String) { FileHandle.standardError.write(Data(("  … " + message + "\n").utf8)) }

func complain(_ message: String) {
    FileHandle.standardError.write(Data(("assay-benchmarks: " + message + "\n").utf8))
}
