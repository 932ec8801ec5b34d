internal import Assay

/// Text in Markdown (CommonMark with GitHub's tables), escaped so that it contains no markup.
enum MarkdownText {
    /// Returns a text as code, which cannot contain markup, mentions or links.
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
        // CommonMark removes one space on each side if both sides have one.
        let ends = [shown.unicodeScalars.first, shown.unicodeScalars.last]
        let needsBlanks = ends.contains("`") || ends == [" ", " "]
        let blank = needsBlanks && shown.unicodeScalars.contains { $0 != " " } ? " " : ""
        return fence + blank + shown + blank + fence
    }

    /// Returns the same for a table cell. A vertical bar would end the cell even inside code.
    static func codeInTable(_ text: String) -> String {
        // Replace scalars, not characters, because a combining character may follow a bar.
        var cell = ""
        for scalar in code(text).unicodeScalars { cell += scalar == "|" ? "\\|" : String(scalar) }
        return cell
    }

    /// Returns a text with every potential markup character replaced by its number.
    ///
    /// GitHub searches the decoded text for mentions (`@name`), references (`#12`, `GH-12`) and addresses (`a@b.c`). An
    /// empty comment separates these.
    static func plain(_ text: String) -> String {
        var escaped = ""
        for scalar in printable(text).unicodeScalars {
            let isPlain =
                !scalar.isASCII || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || " .,;%'()-=/+".unicodeScalars.contains(scalar)
                || (scalar == ":" && !escaped.isEmpty && !ends(escaped, with: schemes))
            if scalar == "." && ends(escaped, with: ["www"]) {
                // A period would begin an address.
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

    /// Schemes that begin an address when a colon follows.
    private static let schemes = ["http", "https", "ftp", "mailto", "xmpp"]

    /// Whether a text ends in one of the given words of at most eight letters, ignoring case.
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
