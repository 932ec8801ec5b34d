import Assay
import Foundation

/// Measures the maximum time per value for patterns and values that make a backtracking engine slow, decided or not.
func hostileCase(_ options: Options) throws -> CaseReport {
    let patterns = try HostilePattern.all()
    let sizes = options.size == .quick ? [1_000, 65_536] : [64, 1_000, 65_536, 1 << 20]
    var table = Table("bytes", "longest ms", "undecided of", "pattern that takes longest", "as")
    var goals: [Goal] = []
    var raw: [(subject: String, measurements: [Measurement])] = []
    for size in sizes {
        var undecided = 0
        var measurements: [Measurement] = []
        for hostile in patterns {
            for way in [Pattern.Options(), .search] {
                let value = hostile.value(bytes: size)
                let requested = hostile.options.union(way)
                let name = "\(way.isEmpty ? "full match" : "search"): \(hostile.name)"
                // Compile the pattern each time, to include the extra cost of the first value.
                let verdict = { try Pattern(hostile.source, options: requested).verdict(of: value) }
                let first = try verdict()
                undecided += first == .undecided ? 1 : 0
                // The interpreter must agree. It refuses patterns that it is known to match wrongly.
                if let other = try? Pattern(hostile.source, options: requested, engine: .interpreter).verdict(
                    of: value),
                    other != .undecided, first != .undecided, other != first
                {
                    throw WrongAnswer(job: "hostile", contender: name, expected: other.number, answer: first.number)
                }
                let contender = Contender(name: name, work: 1, expected: first.number) { try verdict().number }
                measurements += try race(name, rounds: 1, [contender])
            }
        }
        let longest = measurements.max { $0.best.cpu < $1.best.cpu }!
        let parts = longest.name.split(separator: ": ", maxSplits: 1)
        let milliseconds = longest.best.cpu * 1e3
        table.add(
            "\(size)", figure(milliseconds), "\(undecided) of \(measurements.count)", String(parts[1]), String(parts[0])
        )
        let bound: Double? = size == 65_536 ? 100 : size == 1 << 20 ? 1_000 : nil
        if let bound {
            goals.append(
                Goal(
                    name: "hostile, \(size) bytes", measured: milliseconds, bound: .atMost(bound), unit: " ms",
                    note: longest.name))
        }
        raw.append(("\(size) bytes", measurements))
    }
    return CaseReport(
        name: "hostile",
        notes: """
            The \(patterns.count) patterns of Tests/Hostile/patterns.tsv, as full matches and as searches, on one \
            value each of so many
            bytes: milliseconds of processor time, with the time to compile the pattern. JIT and interpreter are \
            compared.
            """,
        tables: [table], goals: goals, raw: raw)
}

extension Verdict {
    fileprivate var number: Int {
        switch self {
        case .pass: 0
        case .fail: 1
        default: 2
        }
    }
}

/// A line of Tests/Hostile/patterns.tsv.
private struct HostilePattern {
    let name: String
    let options: Pattern.Options
    let source: String
    let unit: String

    static func all() throws -> [HostilePattern] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../../Tests/Hostile/patterns.tsv").standardizedFileURL
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }.map { line in
                let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
                return HostilePattern(
                    name: fields[0], options: fields[1] == "i" ? .caseInsensitive : [],
                    source: fields[2] + String(repeating: fields[3], count: Int(fields[4]) ?? 0) + fields[5],
                    unit: fields[6].replacingOccurrences(of: "\\n", with: "\n"))
            }
    }

    func value(bytes: Int) -> String { String(repeating: unit, count: max(1, bytes / unit.utf8.count)) }
}
