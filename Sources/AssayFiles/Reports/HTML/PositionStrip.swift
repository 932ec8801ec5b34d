/// A bar chart of the positions of rejected records: one bar for each part of the file, as high as its rejected share.
struct PositionStrip {
    let facts: ReportFacts
    private var positions: RejectPositions { facts.result.positions }

    init(_ facts: ReportFacts) { self.facts = facts }

    private var shares: [Double] {
        positions.rejected.enumerated().map { part, count in
            Double(count) / Double(positions.records(of: part, last: facts.lastRecord).count)
        }
    }

    var html: String {
        let parts = positions.rejected
        if parts.isEmpty || facts.result.rejected == 0 { return "" }
        let (shares, last) = (shares, facts.lastRecord)
        let maximum = shares.max() ?? 0
        let bars = parts.indices.filter { parts[$0] > 0 }.map { part in
            let height = max(3, Int((shares[part] / maximum * 100).rounded()))
            return
                "<rect class=\"bad\" x=\"\(part)\" y=\"\(100 - height)\" "
                + "width=\"\(parts.count > 40 ? "0.86" : "0.94")\""
                + " height=\"\(height)\"><title>\(text(of: part))</title></rect>"
        }
        let each =
            positions.recordsEach == 1
            ? "Each bar is a record."
            : "Each bar is \(plural(positions.recordsEach, "record"))"
                + "; in the highest \(percentage(maximum)) are rejected."
        return """
            <p>\(HTMLText.escaped(facts.positionText)) <span class="quiet">\(each)</span></p>
            <svg class="strip" viewBox="0 0 \(parts.count) 100" preserveAspectRatio="none" role="img" \
            aria-labelledby="strip-text">
            <title id="strip-text">Rejected records by their place in the file. \
            \(HTMLText.escaped(facts.positionText))</title>
            <rect class="ground" x="0" y="98" width="\(parts.count)" height="2"/>
            \(bars.joined(separator: "\n"))
            </svg>
            <div class="axis" aria-hidden="true"><span>record 1</span>\
            <span>\(grouped((last + 1) / 2))</span><span>\(grouped(last))</span></div>
            \(table)
            """
    }

    private func percentage(_ share: Double) -> String { fixed(share * 100, share < 0.1 ? 2 : 0) + " %" }

    private func text(of part: Int) -> String {
        let records = positions.records(of: part, last: facts.lastRecord)
        let which =
            records.count == 1
            ? "record \(grouped(records.lowerBound))"
            : "records \(grouped(records.lowerBound)) to \(grouped(records.upperBound))"
        return "\(which): \(grouped(positions.rejected[part])) rejected"
    }

    /// The same data as a table, for screen readers.
    private var table: String {
        let rows = positions.rejected.indices.filter { positions.rejected[$0] > 0 }.map { part in
            let records = positions.records(of: part, last: facts.lastRecord)
            return [
                records.count == 1
                    ? grouped(records.lowerBound) : "\(grouped(records.lowerBound)) – \(grouped(records.upperBound))",
                grouped(positions.rejected[part]), percentage(shares[part]),
            ]
        }
        let table = HTMLTable(
            caption: "Rejected records by their place in the file",
            columns: [("records", false), ("rejected", true), ("share", true)], rows: rows)
        return "<details><summary>The same as a table</summary>\(table.html)</details>"
    }
}
