/// A value in protobuf's text format, for the features that CEL's conformance cases need.
///
///     test {
///       name: "add"        →  .message([("test", .message([("name", .string(…)), ("expr", .string(…))]))])
///       expr: "1 + 1"
///     }
enum TextProto {
    case string([UInt8])
    /// A number or a word.
    case word(String)
    case message([Field])

    struct Field {
        let name: String
        let value: TextProto
    }

    /// The fields of a message; empty for other values.
    var fields: [Field] {
        if case .message(let fields) = self { fields } else { [] }
    }

    /// The values of a field.
    subscript(all name: String) -> [TextProto] { fields.filter { $0.name == name }.map(\.value) }

    /// The value of a field that occurs once.
    subscript(name: String) -> TextProto? { self[all: name].first }

    /// The text of a string or a word.
    var text: String {
        switch self {
        case .string(let bytes): String(decoding: bytes, as: UTF8.self)
        case .word(let word): word
        case .message: ""
        }
    }

    /// The message of a whole file.
    static func file(_ bytes: [UInt8]) -> TextProto {
        var reader = TextProtoReader(bytes: bytes)
        return .message(reader.fields())
    }
}

/// Reads the text format. Unsupported syntax is a precondition failure, because the files are fixed.
private struct TextProtoReader {
    let bytes: [UInt8]
    var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Fields up to a closing bracket or the end.
    mutating func fields() -> [TextProto.Field] {
        var fields: [TextProto.Field] = []
        while let byte = next(), byte != UInt8(ascii: "}") {
            let name = word()
            _ = skip(":")
            fields.append(TextProto.Field(name: name, value: value()))
            if !skip(",") { _ = skip(";") }
        }
        return fields
    }

    private mutating func value() -> TextProto {
        if skip("{") {
            let message = TextProto.message(fields())
            precondition(skip("}"), "a message is closed")
            return message
        }
        guard let quote = next(), quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else {
            return .word(word())
        }
        // Adjacent strings are concatenated.
        var text: [UInt8] = []
        while let quote = next(), quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") { text += string(quote) }
        return .string(text)
    }

    /// A name, a number, or the name of a type in square brackets.
    private mutating func word() -> String {
        _ = next()
        let start = position
        let ends = Array(" \t\r\n:{},;#".utf8)
        while position < bytes.count, !ends.contains(bytes[position]) { position += 1 }
        precondition(position > start, "a word is here")
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func string(_ quote: UInt8) -> [UInt8] {
        var text: [UInt8] = []
        position += 1
        while bytes[position] != quote {
            if bytes[position] == UInt8(ascii: "\\") {
                text += escape()
            } else {
                text.append(bytes[position])
                position += 1
            }
        }
        position += 1
        return text
    }

    private mutating func escape() -> [UInt8] {
        let letter = bytes[position + 1]
        position += 2
        switch letter {
        case UInt8(ascii: "a"): return [7]
        case UInt8(ascii: "b"): return [8]
        case UInt8(ascii: "f"): return [12]
        case UInt8(ascii: "n"): return [10]
        case UInt8(ascii: "r"): return [13]
        case UInt8(ascii: "t"): return [9]
        case UInt8(ascii: "v"): return [11]
        case UInt8(ascii: "x"), UInt8(ascii: "X"): return [UInt8(digits(upTo: 2, radix: 16))]
        case UInt8(ascii: "u"): return Array(String(Unicode.Scalar(UInt32(digits(upTo: 4, radix: 16)))!).utf8)
        case UInt8(ascii: "U"): return Array(String(Unicode.Scalar(UInt32(digits(upTo: 8, radix: 16)))!).utf8)
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            position -= 1
            return [UInt8(digits(upTo: 3, radix: 8))]
        default: return [letter]
        }
    }

    private mutating func digits(upTo count: Int, radix: Int) -> Int {
        var value = 0
        for _ in 0..<count {
            guard let digit = Int(String(Unicode.Scalar(bytes[position])), radix: radix) else { break }
            (value, position) = (radix * value + digit, position + 1)
        }
        return value
    }

    /// The next byte outside of white space and comments.
    private mutating func next() -> UInt8? {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): position += 1
            case UInt8(ascii: "#"):
                while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
            default: return bytes[position]
            }
        }
        return nil
    }

    private mutating func skip(_ symbol: Unicode.Scalar) -> Bool {
        guard next() == UInt8(ascii: symbol) else { return false }
        position += 1
        return true
    }
}
