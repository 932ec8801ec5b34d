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
        var minCount: Int
        /// The maximum number; `nil` if there is no maximum.
        var maxCount: Int?

        var isClass: Bool { "Aa9".contains(character) }

        /// Two runs of the same kind can share a pattern. The number of letters or digits may differ, but not that of
        /// other characters.
        var kind: String { isClass ? String(character) : String(repeating: character, count: minCount) }

        var pattern: String {
            let body: String
            switch character {
            case "A": body = "[A-Z]"
            case "a": body = "[a-z]"
            case "9": body = #"\d"#
            default: body = #"\^$.[]|()?*+{}"#.contains(character) ? "\\\(character)" : String(character)
            }
            guard isClass else { return String(repeating: body, count: minCount) }
            guard let maxCount else { return body + (minCount == 1 ? "+" : "{\(minCount),}") }
            return minCount == maxCount
                ? (minCount == 1 ? body : "\(body){\(minCount)}") : "\(body){\(minCount),\(maxCount)}"
        }
    }

    /// Returns `nil` if the shapes of the values differ too much.
    init?(_ column: ColumnProfile, _ fit: InferredField.Fit) {
        guard column.shapeForm != .sampled, let longest = column.lengths?.maximum, longest <= 40 else { return nil }
        let isOneShape =
            column.shapes.first.map { $0.count * 50 >= 49 * column.values && $0.count < column.values } ?? false
        if fit == .all {
            // A few other values must not widen the pattern of nearly all values.
            if isOneShape { return nil }
            guard let all = Self.patternOfAll(column) else { return nil }
            text = all
        } else {
            guard let common = Self.patternOfMost(column, isOneShape ? [column.shapes[0]] : column.shapes) else {
                return nil
            }
            text = common.text
            evidence = "\(grouped(common.count)) of \(grouped(column.values)) look like \(column.shapes[0].text)"
            return
        }
        let count = column.shapes.count
        evidence =
            count == 1
            ? "all \(grouped(column.values)) look like \(column.shapes[0].text)"
            : "all \(grouped(column.values)) have one of \(count) shapes, such as \(column.shapes[0].text)"
    }

    /// A pattern of at most two forms that nearly all values have, and their number.
    private static func patternOfMost(_ column: ColumnProfile, _ shapes: [ColumnProfile.Item]) -> (
        text: String, count: Int
    )? {
        var chosen: [[Run]] = []
        var count = 0
        for group in groups(of: shapes).prefix(2) {
            // A second form must also be frequent.
            if !chosen.isEmpty && group.count * 20 < column.values { break }
            chosen.append(group.runs)
            count += group.count
            if count == column.values { break }
        }
        guard !chosen.isEmpty, Double(count) >= ColumnProfile.minShare * Double(column.values),
            chosen.allSatisfy(Self.isCode)
        else { return nil }
        return (chosen.map { $0.map(\.pattern).joined() }.joined(separator: "|"), count)
    }

    /// A pattern that all values match: of one length with a class for each position, such as `[A-Z]{2}[A-Z0-9]`, or of
    /// one or two forms.
    private static func patternOfAll(_ column: ColumnProfile) -> String? {
        guard column.shapes.reduce(0, { $0 + $1.count }) == column.values else { return nil }
        let groups = groups(of: column.shapes)
        guard groups.reduce(0, { $0 + $1.count }) == column.values else { return nil }
        // Shapes with runs, such as all of more than 32 characters, have no positions.
        if column.shapes.count > 1, !column.shapes.contains(where: { $0.text.contains("⁺") }),
            let pattern = patternOfPositions(column.shapes.map { Array($0.text) })
        {
            return pattern
        }
        guard groups.count <= 2, groups.allSatisfy({ isCode($0.runs) }) else { return nil }
        return groups.map { $0.runs.map(\.pattern).joined() }.joined(separator: "|")
    }

    /// A pattern of texts of one length, in which each position has one character, or letters and digits only.
    private static func patternOfPositions(_ shapes: [[Character]]) -> String? {
        guard let length = shapes.first?.count, length > 0, shapes.allSatisfy({ $0.count == length }) else {
            return nil
        }
        var parts: [(kinds: Set<Character>, count: Int)] = []
        for position in 0..<length {
            let kinds = Set(shapes.map { $0[position] })
            guard kinds.count == 1 || kinds.isSubset(of: "Aa9") else { return nil }
            if let last = parts.last, last.kinds == kinds, kinds.isSubset(of: "Aa9") {
                parts[parts.count - 1].count += 1
            } else {
                parts.append((kinds, 1))
            }
        }
        // Words are no codes.
        guard parts.contains(where: { $0.kinds.contains("9") }), parts.count <= 12 else { return nil }
        return parts.map { part in
            if let kind = part.kinds.first, part.kinds.count == 1 {
                return Run(character: kind, minCount: part.count, maxCount: part.count).pattern
            }
            let ranges = [("A", "A-Z"), ("a", "a-z"), ("9", "0-9")].filter { part.kinds.contains($0.0) }.map(\.1)
            return "[\(ranges.joined())]" + (part.count == 1 ? "" : "{\(part.count)}")
        }.joined()
    }

    /// The forms of the shapes, the most frequent first. Shapes that differ only in the numbers of letters or digits
    /// have one form.
    private static func groups(of shapes: [ColumnProfile.Item]) -> [(runs: [Run], count: Int)] {
        var groups: [(runs: [Run], count: Int)] = []
        var places: [String: Int] = [:]
        for shape in shapes {
            guard let runs = Self.runs(of: shape.text) else { continue }
            let key = runs.map(\.kind).joined()
            if let place = places[key] {
                groups[place].runs = zip(groups[place].runs, runs).map { one, other in
                    Run(
                        character: one.character, minCount: min(one.minCount, other.minCount),
                        maxCount: one.maxCount.flatMap { maxCount in other.maxCount.map { max(maxCount, $0) } })
                }
                groups[place].count += shape.count
            } else {
                places[key] = groups.count
                groups.append((runs, shape.count))
            }
        }
        return groups.sorted { $0.count > $1.count }
    }

    /// Whether the runs are a code and not words: they contain a digit, or are at most five capitals. There are at most
    /// twelve runs, and no consecutive spaces.
    private static func isCode(_ runs: [Run]) -> Bool {
        let hasDigit = runs.contains { $0.character == "9" }
        let isCapitals = runs.count == 1 && runs[0].character == "A" && (runs[0].maxCount ?? 9) <= 5
        return (hasDigit || isCapitals) && runs.count <= 12 && !runs.contains { $0.character == " " && $0.minCount > 1 }
    }

    /// Returns `nil` for characters above ASCII, control characters, and truncated shapes.
    private static func runs(of shape: String) -> [Run]? {
        var runs: [Run] = []
        for character in shape {
            if "U¶…".contains(character) { return nil }
            if character == "⁺" {
                guard !runs.isEmpty else { return nil }
                runs[runs.count - 1].maxCount = nil
            } else if let last = runs.last, last.character == character {
                runs[runs.count - 1].minCount += 1
                runs[runs.count - 1].maxCount = last.maxCount.map { $0 + 1 }
            } else {
                runs.append(Run(character: character, minCount: 1, maxCount: 1))
            }
        }
        return runs
    }
}
