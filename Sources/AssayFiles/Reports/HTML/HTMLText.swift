/// Text in HTML.
enum HTMLText {
    static func escaped(_ text: String) -> String { markupEscaped(text) }

    /// The beginning of a text, escaped: so many scalars at most, whatever they are.
    static func escaped(_ text: String, most: Int) -> String {
        let shown = printable(String(String.UnicodeScalarView(text.unicodeScalars.prefix(most + 1)))).unicodeScalars
        if shown.count <= most { return escaped(String(shown)) }
        return escaped(String(String.UnicodeScalarView(shown.prefix(most)))) + "…"
    }

    /// A name, which is cut if it is long, and whose letters do not change the direction of what is around them.
    static func name(_ text: String) -> String {
        text.isEmpty ? "<i>no name</i>" : "<bdi class=\"name\">\(escaped(text, most: mostOfName))</bdi>"
    }

    private static let mostOfName = 48

    static func sentence(_ pieces: [ReportText]) -> String {
        pieces.map { piece in
            switch piece {
            case .plain(let text): escaped(text)
            case .name(let text): "<code><bdi>\(escaped(text, most: 80))</bdi></code>"
            }
        }.joined()
    }

    /// A bar beside a number that says the same.
    ///
    /// - Parameter share: how much of it is filled, 0 to 1.
    static func bar(_ share: Double, _ kind: String = "bad") -> String {
        "<span class=\"bar\" aria-hidden=\"true\"><span class=\"\(kind)\" style=\"width:\(percent(share))\"></span></span>"
    }

    /// A width; what is not nothing can be seen.
    static func percent(_ share: Double) -> String {
        let tenths = share <= 0 ? 0 : max(5, Int((share * 1000).rounded()))
        return "\(min(1000, tenths) / 10).\(min(1000, tenths) % 10)%"
    }
}
