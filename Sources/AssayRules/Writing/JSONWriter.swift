/// Writes JSON (RFC 8259) for people, one value a line, in one pass and without building a tree.
///
///     var json = JSONWriter()
///     json.object { json in
///         json.key("record"); json.integer(17)
///     }
///     json.text
///
/// Keys are in the order in which they are written. Invisible characters, and those that change the direction of the
/// text around them, are escaped, so that the result is always safe to display and to parse.
struct JSONWriter {
    private var bytes: [UInt8] = []
    private var depth = 0
    /// Whether a comma must come before the next key or element.
    private var needsComma = false
    private var followsKey = false

    /// The text written so far.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func object(_ body: (inout JSONWriter) -> Void) {
        begin(UInt8(ascii: "{"))
        body(&self)
        end(UInt8(ascii: "}"))
    }

    mutating func array(_ body: (inout JSONWriter) -> Void) {
        begin(UInt8(ascii: "["))
        body(&self)
        end(UInt8(ascii: "]"))
    }

    /// Writes the key of the next value.
    mutating func key(_ name: String) {
        separate()
        JSONText.append(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(UInt8(ascii: " "))
        followsKey = true
    }

    mutating func string(_ text: String) {
        separate()
        JSONText.append(text, to: &bytes)
    }

    mutating func integer(_ value: some BinaryInteger) { literal(String(value)) }
    mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }
    mutating func null() { literal("null") }

    mutating func strings(_ texts: [String]) {
        array { json in for text in texts { json.string(text) } }
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

    /// Writes the separator before a key or a value, and records that an item was written.
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
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }
}
