internal import Assay

/// A pattern from the shapes of a column, for codes and numbers, but not for words.
///
///     AA-9999, AA-999      ──►  [A-Z]{2}-\d{3,4}
struct ShapePattern {
    var text: String
    var evidence: String

    /// A character kind with its number of repetitions.
    private struct Run: Hashable {
        let character: Character
        var least: Int
        /// The maximum number; `nil` if there is no maximum.
        var most: Int?

        var isClass: Bool { "Aa9".contains(character) }

        /// Two runs of the same kind can share a pattern. The number of letters or digits may differ, but not that of
        /// other characters.
        var kind: String { isClass ? String(character) : String(repeating: character, count: least) }

        var pattern: String {
            let body: String
            switch character {
            case "A": body = "[A-Z]"
            case "a": body = "[a-z]"
            case "9": body = #"\d"#
            default: body = #"\^$.[]|()?*+{}"#.contains(character) ? "\\\(character)" : String(character)
            }
            guard isClass else { return String(repeating: body, count: least) }
            guard let most else { return body + (least == 1 ? "+" : "{\(least),}") }
            return least == most ? (least == 1 ? body : "\(body){\(least)}") : "\(body){\(least),\(most)}"
        }
    }

    /// Returns `nil` if the shapes of the values differ too much.
    init?(_ column: ColumnProfile) {
        guard column.shapeForm != .sampled, let longest = column.lengths?.maximum, longest <= 40 else { return nil }
        var groups: [(runs: [Run], count: Int)] = []
        var places: [String: Int] = [:]
        for shape in column.shapes {
            guard let runs = Self.runs(of: shape.text) else { continue }
            let key = runs.map(\.kind).joined()
            if let place = places[key] {
                groups[place].runs = zip(groups[place].runs, runs).map { one, other in
                    Run(
                        character: one.character, least: min(one.least, other.least),
                        most: one.most.flatMap { most in other.most.map { max(most, $0) } })
                }
                groups[place].count += shape.count
            } else {
                places[key] = groups.count
                groups.append((runs, shape.count))
            }
        }
        groups.sort { $0.count > $1.count }
        var chosen: [[Run]] = []
        var count = 0
        for group in groups.prefix(2) {
            // A second form must also be frequent.
            if !chosen.isEmpty && group.count * 20 < column.values { break }
            chosen.append(group.runs)
            count += group.count
            if count == column.values { break }
        }
        guard !chosen.isEmpty, Double(count) >= ColumnProfile.leastShare * Double(column.values),
            chosen.allSatisfy(Self.isCode)
        else { return nil }
        text = chosen.map { $0.map(\.pattern).joined() }.joined(separator: "|")
        evidence = "\(grouped(count)) of \(grouped(column.values)) look like \(column.shapes[0].text)"
    }

    /// Whether the runs are a code and not words: they contain a digit, or are at most five capitals. There are at most
    /// twelve runs, and no consecutive spaces.
    private static func isCode(_ runs: [Run]) -> Bool {
        let hasDigit = runs.contains { $0.character == "9" }
        let isCapitals = runs.count == 1 && runs[0].character == "A" && (runs[0].most ?? 9) <= 5
        return (hasDigit || isCapitals) && runs.count <= 12 && !runs.contains { $0.character == " " && $0.least > 1 }
    }

    /// Returns `nil` for characters above ASCII, control characters, and truncated shapes.
    private static func runs(of shape: String) -> [Run]? {
        var runs: [Run] = []
        for character in shape {
            if "U¶…".contains(character) { return nil }
            if character == "⁺" {
                guard !runs.isEmpty else { return nil }
                runs[runs.count - 1].most = nil
            } else if let last = runs.last, last.character == character {
                runs[runs.count - 1].least += 1
                runs[runs.count - 1].most = last.most.map { $0 + 1 }
            } else {
                runs.append(Run(character: character, least: 1, most: 1))
            }
        }
        return runs
    }
}
