/// Text in HTML.
enum HTMLText {
    static func escaped(_ text: String) -> String { markupEscaped(text) }

    /// Returns the escaped beginning of a text, at most `limit` scalars.
    static func escaped(_ text: String, limit: Int) -> String {
        let shown = printable(String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit + 1)))).unicodeScalars
        if shown.count <= limit { return escaped(String(shown)) }
        return escaped(String(String.UnicodeScalarView(shown.prefix(limit)))) + "…"
    }

    /// Returns a name, shortened if it is long, and isolated so that it does not change the direction of surrounding
    /// text.
    static func name(_ text: String) -> String {
        text.isEmpty ? "<i>no name</i>" : "<bdi class=\"name\">\(escaped(text, limit: maxNameLength))</bdi>"
    }

    private static let maxNameLength = 48

    static func sentence(_ pieces: [ReportText]) -> String {
        pieces.map { piece in
            switch piece {
            case .plain(let text): escaped(text)
            case .name(let text): "<code><bdi>\(escaped(text, limit: 80))</bdi></code>"
            }
        }.joined()
    }

    /// Returns a bar beside a number with the same value.
    ///
    /// - Parameter share: The filled share, 0 to 1.
    static func bar(_ share: Double, _ kind: String = "bad") -> String {
        "<span class=\"bar\" aria-hidden=\"true\"><span class=\"\(kind)\" "
            + "style=\"width:\(percent(share))\"></span></span>"
    }

    /// Returns a width. Positive shares have a visible minimum.
    static func percent(_ share: Double) -> String {
        let tenths = share <= 0 ? 0 : max(5, Int((share * 1000).rounded()))
        return "\(min(1000, tenths) / 10).\(min(1000, tenths) % 10)%"
    }
}
