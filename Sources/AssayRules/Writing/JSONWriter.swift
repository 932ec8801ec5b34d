/// Writes JSON (RFC 8259) at the end of a byte buffer, in one pass and without building a tree.
///
///     var json = JSONWriter(.compact)
///     json.object { json in
///         json.key("record"); json.integer(17)
///         json.key("message"); json.string("too long")
///     }
///     json.bytes      // {"record":17,"message":"too long"}
///
/// Keys come out in the order in which they are written. Characters that a reader would not see, or that would turn the
/// text around them, are written as escapes, and bytes that are not UTF-8 as U+FFFD, so that the result is always safe
/// to show and to parse.
package struct JSONWriter {
    package enum Style: Sendable {
        /// On one line without blanks, for JSON Lines.
        case compact
        /// One value a line, indented by two spaces, for people.
        case pretty
    }

    /// What has been written. A caller may move its own buffer in and out, and may append between values.
    package var bytes: [UInt8]

    private let style: Style
    private var depth = 0
    /// Whether a comma must come before the next key or element.
    private var needsComma = false
    private var followsKey = false

    package init(_ style: Style = .compact, bytes: [UInt8] = []) {
        self.style = style
        self.bytes = bytes
    }

    /// Starts an object; ``endObject()`` ends it.
    package mutating func beginObject() { begin(UInt8(ascii: "{")) }
    package mutating func endObject() { end(UInt8(ascii: "}")) }
    package mutating func beginArray() { begin(UInt8(ascii: "[")) }
    package mutating func endArray() { end(UInt8(ascii: "]")) }

    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        beginObject()
        body(&self)
        endObject()
    }

    package mutating func array(_ body: (inout JSONWriter) -> Void) {
        beginArray()
        body(&self)
        endArray()
    }

    /// The key of the value that is written next.
    package mutating func key(_ name: String) {
        separate()
        JSONText.append(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        if style == .pretty { bytes.append(UInt8(ascii: " ")) }
        followsKey = true
    }

    package mutating func string(_ text: String) {
        separate()
        JSONText.append(text, to: &bytes)
    }

    /// A string of raw bytes; what is not UTF-8 becomes U+FFFD. O(bytes).
    package mutating func string(utf8 text: Span<UInt8>) {
        separate()
        JSONText.append(utf8: text, to: &bytes)
    }

    package mutating func integer(_ value: some BinaryInteger) { literal(String(value)) }
    package mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }
    package mutating func null() { literal("null") }

    /// A number. JSON has no NaN and no infinities: they become `null`.
    package mutating func number(_ value: Double) { literal(value.isFinite ? value.description : "null") }

    package mutating func strings(_ texts: [String]) {
        array { json in for text in texts { json.string(text) } }
    }

    /// What stands between two lines of JSON Lines; forgets the comma.
    package mutating func newline() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    private mutating func literal(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func begin(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        depth += 1
        needsComma = false
    }

    private mutating func end(_ bracket: UInt8) {
        depth -= 1
        if needsComma { indent() }
        bytes.append(bracket)
        needsComma = true
    }

    /// Writes what comes before a key or a value, and notes that one was written.
    private mutating func separate() {
        if followsKey {
            followsKey = false
        } else {
            if needsComma { bytes.append(UInt8(ascii: ",")) }
            if depth > 0 { indent() }
        }
        needsComma = true
    }

    private mutating func indent() {
        guard style == .pretty else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }
}
