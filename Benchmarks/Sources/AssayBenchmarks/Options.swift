import Foundation

/// What the command line asks for.
struct Options {
    enum Size {
        case quick
        case standard
        case full
    }

    var size = Size.standard
    var cases: [String] = []
    var subjects = Subject.all
    var rounds: Int?
    var command = packageFolder.appendingPathComponent("../.build/release/assay").standardizedFileURL.path
    var results: String?
    var scratch = "/dev/shm"

    static let help = """
        assay-benchmarks: Assay beside the bare C loop over PCRE2 and NSRegularExpression. Each case checks its own answer.

          --case NAMES       some of value,column,strings,requirement,scan,clean (all of them)
          --pattern NAMES    some of the ten patterns, by name, for value, column and strings (all of them)
          --quick            small data, few rounds: whether everything works, not how fast it is
          --full             clean also at 2.4 GB, and more rounds
          --rounds N         rounds of each race
          --command PATH     the built command, for clean (.build/release/assay of the repository)
          --scratch DIR      where clean keeps its files: in memory (\(Options().scratch))
          --results DIR      write raw CSV and summary.md to DIR/<machine>/

        Exit status: 0, 1 when an answer was wrong, 2 for usage. A goal that is not met is said and is no failure.
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
            case "--full": size = .full
            case "--rounds":
                let text = try value(of: argument)
                guard let number = Int(text), number > 0 else {
                    throw UsageError(message: "no number of rounds: \(text)")
                }
                rounds = number
            case "--command": command = try value(of: argument)
            case "--scratch": scratch = try value(of: argument)
            case "--results": results = try value(of: argument)
            default: throw UsageError(message: "unknown argument: \(argument)")
            }
        }
        for name in cases where !allCases.contains(where: { $0.name == name }) {
            throw UsageError(message: "unknown case: \(name)")
        }
    }

    /// Rounds of a race, unless the command line says.
    func rounds(quick: Int, standard: Int, full: Int) -> Int {
        if let rounds { return rounds }
        switch size {
        case .quick: return quick
        case .standard: return standard
        case .full: return full
        }
    }

    /// Values of a column.
    var values: Int { size == .quick ? 50_000 : 1_000_000 }
}

struct UsageError: Error {
    var message: String
}
