internal import Assay

/// Text in Markdown (CommonMark with GitHub's tables), such that nothing of it is markup.
enum MarkdownText {
    /// A text as code, in which nothing is markup, nobody is mentioned, and no address becomes a link.
    ///
    /// The fence is longer than any run of backticks in it.
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
        return fence + blank + shown + blank + fence
    }

    /// The same for a cell of a table, which a vertical line would end, also in code.
    static func codeInTable(_ text: String) -> String {
        // By scalars: a combining character may follow a line.
        var cell = ""
        for scalar in code(text).unicodeScalars { cell += scalar == "|" ? "\\|" : String(scalar) }
        return cell
    }

    /// A text as it is: every character that could be markup is written by its number.
    ///
    /// GitHub looks for mentions (`@name`), references (`#12`, `GH-12`) and addresses (`a@b.c`) in what the numbers become: an empty comment
    /// divides these.
    static func plain(_ text: String) -> String {
        var escaped = ""
        for scalar in printable(text).unicodeScalars {
            let isPlain =
                !scalar.isASCII || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || " .,;%'()-=/+".unicodeScalars.contains(scalar)
                || (scalar == ":" && !escaped.isEmpty && !ends(escaped, with: schemes))
            if scalar == "." && ends(escaped, with: ["www"]) {
                // It would begin an address.
                escaped += "&#46;"
                continue
            }
            if isPlain { escaped.unicodeScalars.append(scalar) } else { escaped += "&#\(scalar.value);" }
            if scalar == "@" || scalar == "#" || (scalar == "-" && ends(escaped, with: ["gh-"])) {
                escaped += "<!-- -->"
            }
        }
        return escaped
    }

    /// With a colon behind it each of these begins an address.
    private static let schemes = ["http", "https", "ftp", "mailto", "xmpp"]

    /// Whether a text ends in one of some words of up to eight letters, in whatever case.
    private static func ends(_ text: String, with words: [String]) -> Bool {
        let end = String(String.UnicodeScalarView(text.unicodeScalars.suffix(8))).lowercased()
        return words.contains { end.ends(withBytesOf: $0) }
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
