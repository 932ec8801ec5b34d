import Assay
import AssayFiles
import AssayRules

/// A profile for people.
struct ProfileText {
    private let style: Style
    private let showValues: Bool
    private let isPackage: Bool

    init(_ style: Style, showValues: Bool, isPackage: Bool) {
        (self.style, self.showValues, self.isPackage) = (style, showValues, isPackage)
    }

    func text(_ profile: TableProfile) -> String {
        (head(profile) + overview(profile) + notes(profile) + numbers(profile) + shapes(profile) + values(profile))
            .joined(separator: "\n") + "\n"
    }

    private func head(_ profile: TableProfile) -> [String] {
        let name = profile.inputs[0] == CleanJob.standard ? "standard input" : printable(profile.inputs[0])
        let others = profile.inputs.count > 1 ? " and \(plural(profile.inputs.count - 1, "other"))" : ""
        let rate = profile.seconds > 0 ? "\(byteAmount(Int(Double(profile.bytes) / profile.seconds)))/s" : ""
        var lines = [
            style.bold(name + others)
                + "  \(byteAmount(profile.bytes)) in \(fixed(profile.seconds, 2)) s (\(rate), "
                + "\(plural(profile.threads, "thread")))"
        ]
        if let sample = profile.sample {
            let amount =
                switch sample.amount {
                case .percent(let percent): "\(numberText(percent)) %"
                case .count(let count): grouped(count)
                }
            lines.append(
                "  sample     \(amount) (--seed \(sample.seed)) of "
                    + "\(plural(profile.records + profile.leftOut, "record"))"
            )
        }
        lines.append("  records    \(grouped(profile.records))")
        let bad = profile.malformed + profile.misencoded
        if bad > 0 {
            let kind =
                profile.malformed == 0 ? "not UTF-8" : profile.misencoded == 0 ? "malformed" : "malformed or not UTF-8"
            lines.append(
                "  left out   " + style.yellow("\(grouped(bad)) \(kind)")
                    + (profile.firstBad.map { ", first record \(grouped($0))" } ?? ""))
            if let encoding = profile.encodingGuess {
                lines.append("             " + encoding.hint(inPackage: isPackage))
            }
        }
        if let text = profile.pairText { lines.append("  key        " + text) }
        if profile.lineBreaks.cells > 0 {
            let names = profile.hasHeader ? profile.columns.map(\.name) : nil
            lines.append(
                "  multiline  \(grouped(profile.lineBreaks.cells)) " + profile.lineBreaks.text(names: names))
        }
        if let text = profile.repeatedHeaders.text { lines.append("  header     " + style.yellow(text)) }
        if let text = profile.emptyText { lines.append("  empty      " + style.yellow(text)) }
        for (place, text) in profile.nameMistakes.texts.enumerated() {
            lines.append((place == 0 ? "  names      " : "             ") + style.yellow(text))
        }
        if let first = profile.firstUnnamed {
            lines.append(
                "  not shown  "
                    + style.yellow("values in \(plural(profile.unnamed, "record"))")
                    + ", first record \(grouped(first)): their paths are not in the first 64 KiB, or cannot be named")
        }
        return lines
    }

    private func overview(_ profile: TableProfile) -> [String] {
        if profile.columns.isEmpty { return ["  no columns"] }
        let rows = profile.columns.map { column in
            [
                cut(printable(column.name), 28), cut(column.type.name, 30),
                column.type.of == 0 ? "" : percentage(column.type.fits, of: column.type.of),
                filled(column), distinct(column), column.range,
            ]
        }
        return [""] + table(["column", "type", "fits", "filled", "different", "range"], rows, right: [2, 4])
    }

    private func filled(_ column: ColumnProfile) -> String {
        let all = column.values + column.missing
        if all == 0 { return "" }
        return bar(Double(column.values) / Double(all), 10) + " " + percentage(column.values, of: all)
    }

    private func distinct(_ column: ColumnProfile) -> String {
        (column.distinctIsExact ? "" : "~") + grouped(Int(column.distinct))
    }

    /// The anomalies that a user should look at.
    private func notes(_ profile: TableProfile) -> [String] {
        var lines: [(String, String)] = []
        for (index, column) in profile.columns.enumerated() {
            for note in column.notes(isKey: index == profile.likelyKey) {
                let text = note.map { $0.isStrong ? style.yellow($0.text) : $0.text }.joined()
                lines.append((column.name, text))
            }
        }
        if lines.isEmpty { return [] }
        let width = min(28, lines.map { printable($0.0).displayWidth }.max() ?? 0)
        return ["\n  " + style.bold("worth a look")]
            + lines.prefix(60).map { "    " + padded(cut(printable($0.0), 28), width) + "  " + $0.1 }
            + (lines.count > 60 ? ["    and \(lines.count - 60) more"] : [])
    }

    private func numbers(_ profile: TableProfile) -> [String] {
        let rows = profile.columns.compactMap { column -> [String]? in
            guard [.integer, .number].contains(column.type.type.kind), let numbers = column.numbers else { return nil }
            return [cut(printable(column.name), 28), numbers.minimumText]
                + [0, 2, 4].map { numbers.text(of: numbers.quantiles[$0]) }
                + [numbers.maximumText, numbers.text(of: numbers.mean), spark(numbers.bars)]
        }
        if rows.isEmpty { return [] }
        return ["\n  " + style.bold("numbers")]
            + table(["", "least", "5 %", "median", "95 %", "most", "mean", ""], rows, right: [1, 2, 3, 4, 5, 6])
    }

    private func shapes(_ profile: TableProfile) -> [String] {
        var lines: [String] = []
        for column in profile.columns where !column.shapes.isEmpty {
            let total = column.shapes.reduce(0) { $0 + $1.count }
            // Skip columns without a frequent shape, such as UUIDs.
            if column.shapeForm == .sampled && column.shapes[0].count * 20 < total { continue }
            for (place, shape) in column.shapes.prefix(3).enumerated() {
                let name = place == 0 ? cut(printable(column.name), 20) : ""
                lines.append(
                    "    " + padded(name, 20) + "  " + bar(Double(shape.count) / Double(total), 10)
                        + padded(percentage(shape.count, of: total), 10, right: true) + "  " + printable(shape.text))
            }
            let rest = column.shapes.dropFirst(3)
            guard let last = rest.last else { continue }
            let form = column.shapeForm == .sampled ? " in a random sample" : ""
            lines.append(
                "    " + padded("", 20) + "  "
                    + style.faint(
                        "\(grouped(rest.count)) more\(form); the rarest: \(printable(last.text))"
                            + (last.firstRecord.map { ", record \(grouped($0))" } ?? "")))
        }
        if lines.isEmpty { return [] }
        return ["\n  " + style.bold("shapes") + "  A capital, a other letter, 9 digit, U above ASCII, ⁺ one or more"]
            + lines.prefix(200) + (lines.count > 200 ? ["    and more: see --json"] : [])
    }

    private func values(_ profile: TableProfile) -> [String] {
        guard showValues else { return [] }
        var lines: [String] = []
        for column in profile.columns where !column.top.isEmpty {
            let total = column.topSample ?? column.values
            for (place, item) in column.top.prefix(5).enumerated() {
                let name = place == 0 ? cut(printable(column.name), 20) : ""
                lines.append(
                    "    " + padded(name, 20) + "  " + bar(Double(item.count) / Double(max(1, total)), 10)
                        + padded(percentage(item.count, of: total), 10, right: true) + "  "
                        + printable(String(item.text.prefix(60)))
                        + (place == 0 && column.topSample != nil ? style.faint("  (of a random sample)") : ""))
            }
        }
        return lines.isEmpty ? [] : ["\n  " + style.bold("most frequent values")] + lines
    }

    // Parts

    private func table(_ head: [String], _ rows: [[String]], right: Set<Int>) -> [String] {
        let widths = head.indices.map { index in ([head] + rows).map { $0[index].displayWidth }.max() ?? 0 }
        func line(_ cells: [String]) -> String {
            let text = cells.enumerated().map { padded($1, widths[$0], right: right.contains($0)) }
            var line = "    " + text.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
        return [style.bold(line(head))] + rows.map(line)
    }

    private func bar(_ share: Double, _ width: Int) -> String {
        let full = share > 0 ? max(1, Int((share * Double(width)).rounded())) : 0
        return String(repeating: "█", count: min(width, full)) + String(repeating: "·", count: width - min(width, full))
    }

    private func spark(_ bars: [Int]) -> String {
        let maximum = bars.max() ?? 0
        guard maximum > 0 else { return "" }
        let blocks = Array("▁▂▃▄▅▆▇█")
        return String(bars.map { $0 == 0 ? " " : blocks[min(7, ($0 * 8 - 1) / maximum)] })
    }

    private func cut(_ text: String, _ width: Int) -> String {
        text.displayWidth <= width ? text : String(text.prefix(width - 1)) + "…"
    }
}
