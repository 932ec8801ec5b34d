import AssayFiles
import AssayRules
import CAssaySystem

/// Colours, used on terminals that support them unless NO_COLOR is set (<https://no-color.org>).
struct Style {
    let isColoured: Bool

    init(forStandardError: Bool) {
        let isTerminal = isatty(forStandardError ? 2 : 1) == 1
        let noColour = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
        isColoured = isTerminal && !noColour && !Self.isDumb
    }

    /// Whether the terminal supports only plain text.
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

/// Returns a text padded to `width` columns of the terminal.
func padded(_ text: String, _ width: Int, right: Bool = false) -> String {
    let fill = String(repeating: " ", count: max(0, width - text.displayWidth))
    return right ? fill + text : text + fill
}
