import AssayFiles
import AssayRules

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Colours, where there is a terminal that shows them and nobody has asked for none (<https://no-color.org>).
struct Style {
    let isColoured: Bool

    init(forStandardError: Bool) {
        let isTerminal = isatty(forStandardError ? 2 : 1) == 1
        let noColour = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
        isColoured = isTerminal && !noColour && !Self.isDumb
    }

    /// Whether the terminal shows what it is sent and knows no more.
    static var isDumb: Bool { getenv("TERM").map { String(cString: $0) == "dumb" } ?? false }

    func bold(_ text: String) -> String { wrap(text, "1") }
    func faint(_ text: String) -> String { wrap(text, "2") }
    func red(_ text: String) -> String { wrap(text, "31") }
    func green(_ text: String) -> String { wrap(text, "32") }
    func yellow(_ text: String) -> String { wrap(text, "33") }

    private func wrap(_ text: String, _ code: String) -> String {
        isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

/// A number with so many decimals: `0.25`.
func fixed(_ number: Double, _ decimals: Int) -> String {
    guard number.isFinite else { return "–" }
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = Int((number * scale).rounded())
    guard decimals > 0 else { return grouped(scaled) }
    let fraction = String(scaled % Int(scale))
    return grouped(scaled / Int(scale)) + "." + String(repeating: "0", count: decimals - fraction.count) + fraction
}

/// `1 rule`, `2 rules`.
func plural(_ count: Int, _ noun: String) -> String { "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")" }

/// A number of bytes: `12.3 MB`.
func byteAmount(_ bytes: Int) -> String {
    var amount = Double(bytes)
    for unit in ["B", "kB", "MB", "GB"] {
        if amount < 1000 { return (unit == "B" ? String(bytes) : fixed(amount, 1)) + " " + unit }
        amount /= 1000
    }
    return fixed(amount, 1) + " TB"
}

/// A share in a hundred: `0.25 %`, and never `0.00 %` for something.
func percentage(_ part: Int, of whole: Int) -> String {
    if whole == 0 || part == 0 { return "0 %" }
    let share = 100 * Double(part) / Double(whole)
    if part == whole { return "100 %" }
    if share < 0.01 { return "< 0.01 %" }
    return share > 99.99 ? "> 99.99 %" : fixed(share, 2) + " %"
}

/// A text in a column of a table, filled up to so many columns of the terminal.
func padded(_ text: String, _ width: Int, right: Bool = false) -> String {
    let fill = String(repeating: " ", count: max(0, width - text.displayWidth))
    return right ? fill + text : text + fill
}
