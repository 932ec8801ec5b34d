/// Text in Markdown (CommonMark with GitHub's tables), such that nothing of it is markup.
enum MarkdownText {
    /// A text as code, in which nothing is markup, nobody is mentioned, and no address becomes a link.
    ///
    /// The fence is longer than any run of backticks in it. A vertical line would end a cell of a table, also in code.
    static func code(_ text: String) -> String {
        let shown = printable(text)
        if shown.isEmpty { return "(empty)" }
        var (longest, run) = (0, 0)
        for character in shown.unicodeScalars {
            run = character == "`" ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: longest + 1)
        // One blank on each side is taken away again, if there is one on both.
        let ends = [shown.unicodeScalars.first, shown.unicodeScalars.last]
        let needsBlanks = ends.contains("`") || ends == [" ", " "]
        let blank = needsBlanks && shown.unicodeScalars.contains { $0 != " " } ? " " : ""
        // By scalars: a combining character may follow a line.
        var inside = ""
        for scalar in shown.unicodeScalars { inside += scalar == "|" ? "\\|" : String(scalar) }
        return fence + blank + inside + blank + fence
    }

    /// A text as it is: every character that could be markup is written by its number.
    static func plain(_ text: String) -> String {
        var escaped = ""
        for scalar in printable(text).unicodeScalars {
            let isPlain =
                !scalar.isASCII || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || " .,;%'()-=/+".unicodeScalars.contains(scalar)
                || (scalar == ":" && !escaped.isEmpty && !isAddress(escaped))
            if scalar == "." && escaped.lowercased().hasSuffix("www") {
                // It would begin an address.
                escaped += "&#46;"
                continue
            }
            if isPlain { escaped.unicodeScalars.append(scalar) } else { escaped += "&#\(scalar.value);" }
        }
        return escaped
    }

    /// Whether a colon would make an address of what stands before it.
    private static func isAddress(_ text: String) -> Bool {
        ["http", "https", "ftp", "mailto", "xmpp"].contains { text.lowercased().hasSuffix($0) }
    }

    static func sentence(_ pieces: [ReportText]) -> String {
        pieces.map { piece in
            switch piece {
            case .plain(let text): text
            case .name(let name): code(name)
            }
        }.joined()
    }
}
