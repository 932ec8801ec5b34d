/// A table of a page: a heading over each column, and a caption.
struct HTMLTable {
    /// The content of the table, for screen readers.
    let caption: String
    /// A name of each column, and whether it holds numbers.
    let columns: [(name: String, isNumber: Bool)]
    /// The cells of each row, as HTML. The first cell of each is its heading.
    var rows: [[String]]
    /// The note below the table, or an empty text.
    var note = ""

    var html: String {
        let head = columns.map { "<th scope=\"col\"\(Self.kind($0.isNumber))>\($0.name)</th>" }.joined()
        let body = rows.map { row in
            let cells = row.enumerated().map { index, cell in
                index == 0 ? "<th scope=\"row\">\(cell)</th>" : "<td\(Self.kind(columns[index].isNumber))>\(cell)</td>"
            }
            return "<tr>\(cells.joined())</tr>\n"
        }
        let text = HTMLText.escaped(caption)
        return """
            <div class="table" tabindex="0" role="region" aria-label="\(text)"><table><caption>\(text)</caption>
            <thead><tr>\(head)</tr></thead>
            <tbody>
            \(body.joined())</tbody></table></div>
            \(note.isEmpty ? "" : "<p class=\"quiet\">\(note)</p>\n")
            """
    }

    private static func kind(_ isNumber: Bool) -> String { isNumber ? " class=\"number\"" : "" }
}
