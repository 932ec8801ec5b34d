import Foundation

/// The options of the command line.
struct Options {
    enum Size {
        case quick
        case standard
    }

    var size = Size.standard
    var cases: [String] = []
    var subjects = Subject.all
    var rounds: Int?
    /// Whether to print JSON, which contains all rounds.
    var isJSON = false

    static let help = """
        assay-benchmarks: the Swift library and the C core in one process. Each case checks its own answers.
        Benchmarks/bench.py runs this program, writes its results, and compares the command with other tools.

          --case NAMES       some of \(BenchmarkCase.all.map(\.name).joined(separator: ",")) (all)
          --pattern NAMES    some of the ten patterns, by name, for value, column and strings (all)
          --quick            small data, few rounds: whether everything works, not how fast it is
          --rounds N         rounds of each race
          --json             print a line of JSON for each case, with every round

        Exit status: 0, 1 if a case failed or an answer was wrong, 2 for usage. A goal that is not met is reported \
        and is
        not a failure.
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
            case "--rounds": rounds = try Self.positive(try value(of: argument), of: "rounds")
            case "--json": isJSON = true
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
    var selectedCases: [BenchmarkCase] {
        BenchmarkCase.all.filter { cases.isEmpty || cases.contains($0.name) }
    }

    /// The number of values of a column.
    var values: Int { size == .quick ? 50_000 : 1_000_000 }
}

struct UsageError: Error {
    var message: String
}
