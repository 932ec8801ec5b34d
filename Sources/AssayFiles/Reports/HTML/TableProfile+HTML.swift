internal import Assay
internal import AssayRules

extension TableProfile {
    /// Returns the profile as a self-contained page of less than 300 kB for any table.
    ///
    /// - Parameter showValues: Whether the page shows the most frequent values.
    package func html(showValues: Bool) -> String {
        let name = inputs[0] == CleanJob.standard ? "standard input" : inputs[0]
        let others = inputs.count > 1 ? " and \(plural(inputs.count - 1, "other"))" : ""
        return HTMLPage(
            title: "\(name): \(plural(records, "record"))", kind: "Assay profile",
            heading: HTMLText.name(name) + others, about: about,
            sections: [
                HTMLPage.section("Contents", facts), HTMLPage.section("Worth a look", notes),
                HTMLPage.section("Overview", overview, kind: "long"),
                HTMLPage.section("Columns", cards(showValues: showValues), kind: "long"),
            ]
        ).html
    }

    private var about: String {
        var parts = [format == .csv ? "CSV" : "JSON Lines"]
        if let compression { parts.append(compression.name) }
        parts.append(encoding.name)
        if format == .csv && delimiter != "," { parts.append("delimiter \(delimiter == "\t" ? "tab" : delimiter)") }
        parts.append(byteAmount(bytes))
        if sample != nil { parts.append("a random sample of \(plural(records + leftOut, "record"))") }
        return parts.joined(separator: ", ")
    }

    private var facts: String {
        let bad = malformed + misencoded
        let counts: [(String, String, String)] = [
            ("records", grouped(records), ""), ("columns", grouped(columns.count), ""),
            ("malformed", grouped(bad), bad > 0 ? " class=\"bad-text\"" : ""),
            ("missing cells", grouped(columns.reduce(0) { $0 + $1.missing }), ""),
        ]
        let list = counts.map { "<div><dt>\($0)</dt><dd\($2)>\($1)</dd></div>" }.joined()
        let key = likelyKey.map { "<p>The likely key is \(HTMLText.name(columns[$0].name)).</p>" } ?? ""
        let notShown = firstUnnamed.map { first in
            "<p>Values in \(plural(unnamed, "record")), first record \(grouped(first)), are not shown: their paths are "
                + "not in the first 64 KiB, or cannot be named.</p>"
        }
        let encoding = encodingGuess.map { guess in
            "<p>\(plural(misencoded, "record")) \(misencoded == 1 ? "is" : "are") not UTF-8: "
                + "\(HTMLText.escaped(guess.hint)).</p>"
        }
        let headers = repeatedHeaders.text.map { "<p>\(HTMLText.escaped($0)).</p>" }
        let pair = pairText.map { "<p>Likely key: \(HTMLText.escaped($0)).</p>" } ?? ""
        let empty = emptyText.map { "<p>\(HTMLText.escaped($0)).</p>" }
        let breaks =
            lineBreaks.cells == 0
            ? ""
            : "<p>\(grouped(lineBreaks.cells)) "
                + "\(HTMLText.escaped(lineBreaks.text(names: hasHeader ? columns.map(\.name) : nil))).</p>"
        let names = nameMistakes.texts.map { "<p>\(HTMLText.escaped($0)).</p>" }.joined()
        return "<dl class=\"counts\">\(list)</dl>" + key + pair + (headers ?? "") + (empty ?? "") + breaks + names
            + (notShown ?? "") + (encoding ?? "")
    }

    private var notes: String {
        let all = columns.enumerated().flatMap { index, column in
            column.notes(isKey: index == likelyKey).map { note in
                "<li>\(HTMLText.name(column.name)): \(HTMLText.note(note))</li>"
            }
        }
        if all.isEmpty { return "" }
        let shown = all.prefix(fitting: 40_000, limit: 40)
        let rest = all.count - shown.count
        return "<ul class=\"notes\">\n\(shown.joined(separator: "\n"))\n</ul>"
            + (rest > 0 ? "<p class=\"quiet\">and \(plural(rest, "more note")).</p>" : "")
    }

    private var overview: String {
        let rows = columns.map { column -> [String] in
            let all = column.values + column.missing
            return [
                HTMLText.name(column.name), HTMLText.escaped(column.type.name, limit: 40),
                column.type.of == 0 ? "" : percentage(column.type.fits, of: column.type.of),
                all == 0 ? "" : HTMLText.bar(Double(column.values) / Double(all), "info"),
                all == 0 ? "" : percentage(column.values, of: all),
                (column.distinctIsExact ? "" : "about ") + grouped(Int(column.distinct)),
                HTMLText.escaped(column.range, limit: 60),
            ]
        }
        if rows.isEmpty { return "" }
        let shown = rows.map { $0.joined() }.prefix(fitting: 70_000, limit: 300).count
        let rest = rows.count - shown
        return HTMLTable(
            caption: "Summary of the columns",
            columns: [
                ("column", false), ("type", false), ("fits", true), ("", false), ("filled", true),
                ("different", true), ("range", false),
            ], rows: Array(rows.prefix(shown)), note: rest > 0 ? "and \(plural(rest, "more column"))." : ""
        ).html
    }

    private func cards(showValues: Bool) -> String {
        let all = columns.map { card($0, showValues: showValues) }
        let shown = all.prefix(fitting: 150_000, limit: 200)
        let rest = all.count - shown.count
        if shown.isEmpty { return "" }
        return
            "<p class=\"quiet\">Shapes: A is a capital, a another letter, 9 a digit, U above ASCII, ⁺ one or "
            + "more.</p>\n"
            + "<div class=\"cards\">\n\(shown.joined(separator: "\n"))\n</div>"
            + (rest > 0 ? "<p class=\"quiet\">and \(plural(rest, "more column")): see --json.</p>" : "")
    }

    private func card(_ column: ColumnProfile, showValues: Bool) -> String {
        let different = (column.distinctIsExact ? "" : "about ") + grouped(Int(column.distinct))
        var parts = [
            "<h3>\(HTMLText.name(column.name))</h3>",
            "<p>\(HTMLText.escaped(column.type.name, limit: 40)), \(different) different"
                + (column.missing > 0 ? ", \(grouped(column.missing)) missing" : "") + "</p>",
        ]
        if let numbers = column.numbers, [.integer, .number].contains(column.type.type.kind) {
            parts.append(histogram(numbers, of: column.name))
        }
        let shapes = column.shapes.prefix(4).map { (HTMLText.escaped($0.text, limit: 40), $0.count) }
        if !shapes.isEmpty {
            parts.append(bars("Shapes", "shape", shapes, of: column.shapes.reduce(0) { $0 + $1.count }))
        }
        if showValues && !column.top.isEmpty {
            let values = column.top.prefix(5).map { (HTMLText.escaped($0.text, limit: 40), $0.count) }
            parts.append(bars("Values", "value", values, of: column.topSample ?? column.values))
        }
        return "<article>\(parts.joined(separator: "\n"))</article>"
    }

    private func bars(_ caption: String, _ name: String, _ items: [(html: String, count: Int)], of all: Int) -> String {
        let rows = items.map { item in
            [
                "<code class=\"value\"><bdi>\(item.html)</bdi></code>",
                HTMLText.bar(Double(item.count) / Double(max(1, all)), "info"), percentage(item.count, of: all),
            ]
        }
        return HTMLTable(caption: caption, columns: [(name, false), ("", false), ("share", true)], rows: rows).html
    }

    private func histogram(_ numbers: Distribution, of name: String) -> String {
        let maximum = max(1, numbers.bars.max() ?? 0)
        let bars = numbers.bars.enumerated().filter { $0.element > 0 }.map { place, count in
            let height = max(3, Int((Double(count) / Double(maximum) * 100).rounded()))
            return "<rect class=\"info\" x=\"\(place)\" y=\"\(100 - height)\" width=\"0.9\" height=\"\(height)\"/>"
        }
        let text =
            "From \(numbers.minimumText) to \(numbers.maximumText), median \(numbers.text(of: numbers.quantiles[2])), "
            + "mean \(numbers.text(of: numbers.mean))."
        return """
            <svg class="strip" viewBox="0 0 \(numbers.bars.count) 100" preserveAspectRatio="none" role="img" \
            aria-label="\(text)">\(bars.joined())</svg>
            <p class="quiet">\(text)</p>
            """
    }
}

extension HTMLText {
    static func note(_ pieces: [ProfileNotePiece]) -> String {
        pieces.map { piece in
            let text = escaped(piece.text, limit: 120)
            return piece.isStrong ? "<strong class=\"warn-text\">\(text)</strong>" : text
        }.joined()
    }
}

extension [String] {
    /// Returns the first texts with a total of at most `bytes` bytes, and at most `limit` texts.
    fileprivate func prefix(fitting bytes: Int, limit: Int) -> ArraySlice<String> {
        var used = 0
        return prefix(limit).prefix { text in
            used += text.utf8.count
            return used <= bytes
        }
    }
}
