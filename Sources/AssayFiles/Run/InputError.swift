/// An input, or a set of options, that the job cannot start with.
public struct InputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What would work, where that is known. Whoever knows how the job was started can make a command of it.
    public enum Remedy: Hashable, Sendable {
        /// Read it with this delimiter.
        case delimiter(UInt8)
        /// Have it read by another program, which writes CSV: `zcat` followed by the name of the file. Then with this
        /// delimiter, if there is one. `test` says first whether the file is whole, as `gzip -t` does: what comes through
        /// a pipe ends early without anybody being told.
        case filter([String], delimiter: UInt8? = nil, test: String? = nil)
        /// Have another program make a file of it first, where none is yet.
        case convert(command: String, result: String)
        /// Read it without a header.
        case noHeader
        /// Read it without quotes.
        case noQuotes
        /// Set this limit to this value.
        case limit(String, Int)
        /// Replace the outputs that exist.
        case replace
    }

    public var message: String
    /// What to do instead.
    public var hint: String?
    public var remedy: Remedy?

    public init(_ message: String, hint: String? = nil, remedy: Remedy? = nil) {
        self.message = message
        self.hint = hint
        self.remedy = remedy
    }

    public var description: String { description(remedy: remedy?.inWords) }

    package func description(remedy: String?) -> String {
        advice(remedy: remedy).map { "\(message)\n  hint: \($0)" } ?? message
    }

    /// The hint, and the remedy in somebody's words.
    package func advice(remedy: String?) -> String? {
        let lines = [hint, remedy].compactMap(\.self)
        return lines.isEmpty ? nil : lines.joined(separator: "\n        ")
    }
}

extension InputError.Remedy {
    /// What to do, in the words of the rule file. (The command has its options for it.)
    package var inWords: String {
        func dialect(_ delimiter: UInt8) -> String {
            let spelled = delimiter == UInt8(ascii: "\t") ? "tab" : "'\(String(UnicodeScalar(delimiter)))'"
            return "dialect: {delimiter: \(spelled)}"
        }
        switch self {
        case .delimiter(let delimiter): return "if that is the delimiter, say so in the rules: \(dialect(delimiter))"
        case .filter(let words, let delimiter, _):
            let then = delimiter.map { ", and say in the rules: \(dialect($0))" } ?? ""
            return "make CSV of it first: \(words.joined(separator: " ")) FILE > OTHER\(then)"
        case .convert(let command, let result): return "make \(printable(result)) of it first: \(command)"
        case .noHeader: return "if the file has no header line, say so in the rules: dialect: {header: false}"
        case .noQuotes:
            return "if quotes are ordinary text in this file, say so in the rules: dialect: {quoteChar: none}"
        case .limit(let name, let value): return "if that is right, raise it in the rules: limits: {\(name): \(value)}"
        case .replace: return "remove what is there, choose other names, or say that it may be replaced"
        }
    }
}
