import Foundation

/// The cases, from the smallest job to the largest.
let allCases: [(name: String, run: @Sendable (Options) throws -> CaseReport)] = [
    ("value", valueCase),
    ("column", columnCase),
    ("types", typesCase),
    ("strings", stringsCase),
    ("repeats", repeatsCase),
    ("long", longCase),
    ("unicode", unicodeCase),
    ("look-around", lookAroundCase),
    ("rules", rulesCase),
    ("requirement", requirementCase),
    ("scan", scanCase),
    ("start", startCase),
    ("clean", cleanCase),
    ("rivals", rivalsCase),
]

@main
struct Benchmarks {
    static func main() {
        do throws(UsageError) {
            let arguments = Array(CommandLine.arguments.dropFirst())
            if arguments.contains("--help") || arguments.contains("-h") { return say(Options.help) }
            run(try Options(arguments))
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
        do {
            var reports: [CaseReport] = []
            for (name, run) in allCases where options.cases.isEmpty || options.cases.contains(name) {
                say("\n── \(name) " + String(repeating: "─", count: 100 - name.count))
                let report = try run(options)
                say(report.text)
                reports.append(report)
            }
            if let directory = options.results { try writeResults(reports, machine: machine, into: directory) }
        } catch {
            complain("\(error)")
            exit(1)
        }
    }
}

/// To standard output at once, also into a pipe.
func say(_ message: String) { FileHandle.standardOutput.write(Data((message + "\n").utf8)) }

func complain(_ message: String) {
    FileHandle.standardError.write(Data(("assay-benchmarks: " + message + "\n").utf8))
}
