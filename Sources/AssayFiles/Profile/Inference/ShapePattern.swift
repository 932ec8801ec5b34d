internal import Assay

/// A pattern made of the shapes of a column: codes and numbers, not words.
///
///     AA-9999, AA-999      ──►  [A-Z]{2}-\d{3,4}
struct ShapePattern {
    var text: String
    var evidence: String

    /// One kind of character, and how many of them there are.
    private struct Run: Hashable {
        let character: Character
        var least: Int
        /// `nil`: any number.
        var most: Int?

        var isClass: Bool { "Aa9".contains(character) }

        /// What runs have in common that one pattern is for: of letters and digits there may be more or fewer.
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

    /// `nil`: the values are not alike enough.
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
            // A second form has to be frequent, too.
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

    /// Whether it is more than words: something in it is a digit, and it has no spaces between letters.
    private static func isCode(_ runs: [Run]) -> Bool {
        let hasDigit = runs.contains { $0.character == "9" }
        let isCapitals = runs.count == 1 && runs[0].character == "A" && (runs[0].most ?? 9) <= 5
        return (hasDigit || isCapitals) && runs.count <= 12 && !runs.contains { $0.character == " " && $0.least > 1 }
    }

    /// `nil`: there are characters above ASCII, control characters, or the shape is cut off.
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
