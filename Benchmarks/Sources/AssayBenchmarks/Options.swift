import Foundation

/// The options of the command line.
struct Options {
    enum Size {
        case quick
        case standard
    }

    var size = Size.standard
    /// Whether to run the large cases without naming them.
    var isFull = false
    var cases: [String] = []
    var subjects = Subject.all
    var rounds: Int?
    var rows: Int?
    var limit: Int?
    var command = packageFolder.appendingPathComponent("../.build/release/assay").standardizedFileURL.path
    var results: String?
    var scratch = "/dev/shm"

    static let help = """
        assay-benchmarks: Assay beside everything else that does its job. Each case checks its own answer.

          --case NAMES       some of \(BenchmarkCase.all.map(\.name).joined(separator: ","))
                             (all of them but the large ones: \(BenchmarkCase.all.filter(\.isLarge).map(\.name).joined(separator: ",")))
          --pattern NAMES    some of the ten patterns, by name, for value, column and strings (all of them)
          --quick            small data, few rounds: whether everything works, not how fast it is
          --full             the large cases, too: 2.4 and 10 GB, as room allows
          --rounds N         rounds of each race
          --rows N           rows of the exports of clean and rivals (1,000,000; the large cases take ten and 42 times as many)
          --limit SECONDS    what a rival may take for one run, before it is ended and shown as over the limit
                             (60; 90 at 2.4 GB and 180 at 10 GB)
          --command PATH     the built command, for start, clean and rivals (.build/release/assay of the repository)
          --scratch DIR      where exports and outputs are kept: in memory (\(Options().scratch))
          --results DIR      write every round to DIR/<machine>/rounds.csv and a summary to summary.md there, after each
                             case; results of other cases stay, with their date and command

        Exit status: 0, 1 when a case failed or an answer was wrong, 2 for usage. A goal that is not met is said and is no
        failure.
        """

    init() {}

    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        func value(of option: String) throws(UsageError) -> String {
            guard let value = rest.popFirst() else { throw UsageError(message: "\(option) needs a value") }
            return value
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--case": cases = try value(of: argument).split(separator: ",").map(String.init)
            case "--pattern":
                let names = try value(of: argument).split(separator: ",")
                subjects = Subject.all.filter { subject in names.contains { $0 == subject.name } }
                if subjects.count < names.count {
                    throw UsageError(message: "unknown pattern among: \(names.joined(separator: ", "))")
                }
            case "--quick": size = .quick
            case "--full": isFull = true
            case "--limit": limit = try Self.positive(try value(of: argument), of: "seconds")
            case "--rounds": rounds = try Self.positive(try value(of: argument), of: "rounds")
            case "--rows": rows = try Self.positive(try value(of: argument), of: "rows")
            case "--command": command = try value(of: argument)
            case "--scratch": scratch = try value(of: argument)
            case "--results": results = try value(of: argument)
            default: throw UsageError(message: "unknown argument: \(argument)")
            }
        }
        for name in cases where !BenchmarkCase.all.contains(where: { $0.name == name }) {
            throw UsageError(message: "unknown case: \(name)")
        }
    }

    private static func positive(_ text: String, of what: String) throws(UsageError) -> Int {
        guard let number = Int(text), number > 0 else { throw UsageError(message: "no number of \(what): \(text)") }
        return number
    }

    /// Returns the number of rounds of a race, by default `quick` or `standard`.
    func rounds(quick: Int, standard: Int) -> Int { rounds ?? (size == .quick ? quick : standard) }

    /// The cases to run.
    var wanted: [BenchmarkCase] {
        BenchmarkCase.all.filter { cases.isEmpty ? isFull || !$0.isLarge : cases.contains($0.name) }
    }

    /// Returns the number of rows of an export.
    func rows(quick: Int) -> Int { rows ?? (size == .quick ? quick : 1_000_000) }

    /// The number of values of a column.
    var values: Int { size == .quick ? 50_000 : 1_000_000 }
}

struct UsageError: Error {
    var message: String
}
