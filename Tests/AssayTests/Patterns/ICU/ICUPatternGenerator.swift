/// Generates patterns in ICU's syntax, and values of the same few characters. The results depend only on the seed.
struct ICUPatternGenerator {
    private var random: SeededGenerator
    private var alphabet: [Character] = []
    private var groupCount = 0

    /// Characters on which engines may disagree.
    private static let pool: [Character] = [
        "a", "b", "c", "s", "f", "i", "k", "t", "A", "B", "S", "I", "ß", "ẞ", "ſ", "\u{212A}", "ﬀ", "ﬁ", "ﬆ", "é", "É",
        "İ", "ı",
        "ι", "Σ", "ς", "σ", "\u{301}", "\u{345}", "\u{307}", "\u{200D}", "\u{AD}", "\n", "\r", "\r\n", "\u{B}",
        "\u{85}",
        "\u{2028}", " ", "\u{A0}", "\t", "-", "&", "_", "1", "٣", "²", "Ⅰ", "!", "]", "😀", "中",
    ]

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// A pattern and `count` values.
    mutating func next(values count: Int) -> (pattern: String, values: [String]) {
        alphabet = (0..<4).map { _ in Self.pool[below(Self.pool.count)] }
        if below(3) == 0 { alphabet[0] = "s" }
        groupCount = 0
        let flags = below(3) == 0 ? "(?\(pick(["i", "s", "m", "i", "is", "ms", "d", "md", "x", "ix"])))" : ""
        let pattern = flags + alternatives(depth: 3)
        let values = (0..<count).map { _ in String((0..<below(6)).map { _ in alphabet[below(alphabet.count)] }) }
        return (pattern, values)
    }

    private mutating func alternatives(depth: Int) -> String {
        (0...(below(4) == 0 ? 1 : 0)).map { _ in sequence(depth: depth) }.joined(separator: "|")
    }

    private mutating func sequence(depth: Int) -> String {
        (0...below(4)).map { _ in item(depth: depth) }.joined()
    }

    private mutating func item(depth: Int) -> String {
        switch below(depth > 0 ? 20 : 12) {
        case 0...4: return character() + quantifier()
        case 5...6:
            return pick([".", "\\w", "\\d", "\\s", "\\W", "\\D", "\\S", "\\h", "\\v", "\\R", "\\H", "\\V"])
                + quantifier()
        case 7...8: return set(depth: 2) + quantifier()
        case 9: return property() + quantifier()
        case 10: return pick(["^", "$", "\\b", "\\B", "\\A", "\\z", "\\Z", "\\G", "$", "\\b"])
        case 11:
            return groupCount > 0 ? "\\\(1 + below(groupCount))" + pick(["", "", "?", "{2}", "{0,2}"]) : character()
        case 12...13:
            groupCount += 1
            return group("(", depth: depth)
        case 14...15: return group("(?:", depth: depth)
        case 16: return group("(?\(pick(["i", "-i", "s", "m", "x", "d", "i-s"])):", depth: depth)
        case 17: return group("(?>", depth: depth)
        case 18: return "(?\(pick(["=", "!"]))\(alternatives(depth: depth - 1)))"
        default: return "(?<\(pick(["=", "!"]))\(sequence(depth: 0)))"
        }
    }

    private mutating func quantifier() -> String {
        guard below(3) == 0 else { return "" }
        return pick(["*", "+", "?", "{2}", "{1,}", "{0,2}", "{1,3}", "{0}"]) + pick(["", "", "", "?", "+"])
    }

    /// A group and its quantifier. In an unbounded repeat, each iteration consumes a character and contains no
    /// references. Otherwise ICU would repeat the empty match until its stack is full, and then report no match.
    private mutating func group(_ opening: String, depth: Int) -> String {
        let body = alternatives(depth: depth - 1)
        switch below(6) {
        case 0: return "\(opening)\(character())(?:\(body)))" + pick(["*", "+", "{2,}", "*?", "+?", "*+"])
        case 1: return "\(opening)\(body))" + pick(["?", "{2}", "{0,2}", "??", "?+", "{0}"])
        default: return "\(opening)\(body))"
        }
    }

    private mutating func character() -> String {
        let character = alphabet[below(alphabet.count)]
        return character.unicodeScalars.map { scalar in
            switch below(6) {
            case 0: "\\x{\(String(scalar.value, radix: 16))}"
            case 1 where scalar.value <= 0xFFFF:
                "\\u" + String(repeating: "0", count: 4 - String(scalar.value, radix: 16).count)
                    + String(scalar.value, radix: 16)
            case 2 where scalar.value <= 0xFF: "\\0" + String(scalar.value, radix: 8)
            case 3: "\\Q\(scalar)\\E"
            default: scalar == "\\" ? "\\\\" : "\(scalar)"
            }
        }.joined()
    }

    private mutating func property() -> String {
        "\\" + pick(["p", "P"]) + "{"
            + pick([
                "L", "Letter", "M", "N", "Nd", "P", "S", "Z", "C", "Alphabetic", "White_Space", "alnum", "graph",
                "print",
                "punct", "blank", "word", "xdigit", "gc=No", "General_Category=Mark", "Lu", "Ll", "Greek",
                "Script=Latin",
                "Cased", "Any", "ASCII",
            ]) + "}"
    }

    private mutating func set(depth: Int) -> String {
        if below(8) == 0 {
            return "[:\(pick(["", "^"]))\(pick(["alpha", "digit", "space", "punct", "alnum", "word"])):]"
        }
        return "[\(below(4) == 0 ? "^" : "")" + (0...below(4)).map { _ in member(depth: depth) }.joined() + "]"
    }

    private mutating func member(depth: Int) -> String {
        switch below(depth > 0 ? 16 : 12) {
        case 0...4: return character()
        case 5: return pick(["a-c", "A-Z", "\\u0000-\\u00ff", "α-ω", "!-/", "0-9", "à-ÿ", "a-\\x{10ffff}"])
        case 6: return pick(["\\w", "\\d", "\\s", "\\W", "\\D", "\\S", "\\v", "\\h"])
        case 7: return property()
        case 8: return pick(["-", "&", "^", ":", "\\b", "\\1", "\\R"])
        case 9: return pick(["&&", "--", "-", "&"])
        case 10...11: return "\(alphabet[below(alphabet.count)])"
        default: return set(depth: depth - 1)
        }
    }

    private mutating func pick(_ choices: [String]) -> String { choices[below(choices.count)] }

    private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
}
