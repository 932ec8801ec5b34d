import Foundation

/// A case, with its name on the command line and in the results.
struct BenchmarkCase: Sendable {
    let name: String
    let run: @Sendable (Options) throws -> CaseReport

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
        BenchmarkCase(name: "calls", run: callsCase),
        BenchmarkCase(name: "scan", run: scanCase),
    ]
}

@main
struct Benchmarks {
    static func main() {
        do throws(UsageError) {
            let arguments = Array(CommandLine.arguments.dropFirst())
            if arguments.contains("--help") || arguments.contains("-h") { return say(Options.help) }
            let options = try Options(arguments)
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
        var failed: [String] = []
        for entry in options.selectedCases {
            progress(entry.name)
            // A failing case does not stop the others.
            do {
                let report = try entry.run(options)
                let json = try JSONEncoder().encode(report.encoded)
                say(options.isJSON ? String(decoding: json, as: UTF8.self) : "\n## \(entry.name)\n\n\(report.text)")
            } catch {
                complain("\(entry.name): \(error)")
                failed.append(entry.name)
            }
        }
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
