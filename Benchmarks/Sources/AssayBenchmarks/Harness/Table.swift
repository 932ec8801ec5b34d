import Foundation

/// A Markdown table that is readable on a terminal.
struct Table {
    private var rows: [[String]]
    /// The text above the table; or empty.
    private let title: String

    init(_ header: [String], title: String = "") {
        rows = [header]
        self.title = title
    }

    init(_ header: String...) { self.init(header) }

    mutating func add(_ cells: [String]) { rows.append(cells) }

    mutating func add(_ cells: String...) { add(cells) }

    /// Returns the table. The first column is left-aligned; the others, which are figures, are right-aligned.
    func text() -> String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        func line(_ cells: [String]) -> String {
            let padded = zip(cells, widths).enumerated().map { index, pair in
                let padding = String(repeating: " ", count: pair.1 - pair.0.count)
                return index == 0 ? pair.0 + padding : padding + pair.0
            }
            return "| " + padded.joined(separator: " | ") + " |\n"
        }
        let rule = widths.enumerated().map { index, width in
            let dashes = String(repeating: "-", count: width)
            return index == 0 ? "|:" + dashes + "-" : "|-" + dashes + ":"
        }
        let heading = title.isEmpty ? "" : "**\(title)**\n\n"
        return heading + line(rows[0]) + rule.joined() + "|\n" + rows.dropFirst().map(line).joined()
    }
}

/// Formats a figure with its significant digits: 0.97, 12.3, 457.
func figure(_ value: Double) -> String {
    guard value.isFinite else { return "–" }
    let digits = abs(value) < 9.995 ? 2 : abs(value) < 99.95 ? 1 : 0
    return String(format: "%.\(digits)f", value)
}

func ratio(_ value: Double) -> String { figure(value) + "×" }
