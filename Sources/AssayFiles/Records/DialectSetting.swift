internal import AssayRules

/// A setting of a dialect that a message recommends.
public enum DialectSetting: Hashable, Sendable {
    /// Fields end at this byte.
    case delimiter(UInt8)
    /// The number of lines above the table.
    case skip(Int)
    /// Quotes are ordinary text.
    case noQuotes
    /// This byte makes the next one ordinary text.
    case escape(UInt8)
    /// Spaces before a field and after its closing quote are ignored.
    case skipInitialSpace
    /// A record or the header may end with a delimiter.
    case trailingDelimiter
    /// Records end with LF or CR LF, and a bare CR is data.
    case lineFeeds
    /// The encoding of the file; `nil` lets Assay guess it.
    case encoding(String?)

    /// The setting in a rule file, as a key and a value of `dialect`.
    package var inRules: String {
        func quoted(_ byte: UInt8) -> String {
            switch byte {
            case UInt8(ascii: "\t"): "tab"
            case UInt8(ascii: "'"): "\"'\""
            default: "'\(String(UnicodeScalar(byte)))'"
            }
        }
        switch self {
        case .delimiter(let byte): return "delimiter: \(quoted(byte))"
        case .skip(let lines): return "skip: \(lines)"
        case .noQuotes: return "quoteChar: none"
        case .escape(let byte): return "escapeChar: \(quoted(byte))"
        case .skipInitialSpace: return "skipInitialSpace: true"
        case .trailingDelimiter: return "trailingDelimiter: true"
        case .lineFeeds: return #"lineTerminator: \n"#
        case .encoding(let name): return "encoding: \(name ?? "auto")"
        }
    }

    /// The option of the command, and its value; the value of a flag is `nil`.
    package var option: (name: String, value: String?) {
        func text(_ byte: UInt8) -> String { byte == UInt8(ascii: "\t") ? "tab" : String(UnicodeScalar(byte)) }
        switch self {
        case .delimiter(let byte): return ("--delimiter", text(byte))
        case .skip(let lines): return ("--skip", String(lines))
        case .noQuotes: return ("--quote", "none")
        case .escape(let byte): return ("--escape", text(byte))
        case .skipInitialSpace: return ("--skip-initial-space", nil)
        case .trailingDelimiter: return ("--trailing-delimiter", nil)
        case .lineFeeds: return ("--line-terminator", Dialect.LineTerminator.lf.rawValue)
        case .encoding(let name): return ("--encoding", name ?? "auto")
        }
    }
}

extension [DialectSetting] {
    /// The settings as an entry of a rule file.
    package var inRules: String { "dialect: {\(map(\.inRules).joined(separator: ", "))}" }

    /// The settings as options of the command, for a sentence.
    package var inOptions: String {
        map { setting in
            let (name, value) = setting.option
            guard let value else { return name }
            return value.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" || $0 == "," })
                ? "\(name) \(value)" : "\(name) '\(value)'"
        }.joined(separator: " ")
    }
}
