internal import Assay

/// An input, or a set of options, that the job cannot start with.
public struct InputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What would work, where that is known. A program that knows how the job was started can make a command of it.
    public enum Remedy: Hashable, Sendable {
        /// Read it with these settings; several lists are readings that fit equally.
        case read(with: [[DialectSetting]])
        /// Make CSV of it first, with or without a header.
        case convert(ForeignFormat, hasHeader: Bool = true)
        /// Read it without a header.
        case noHeader
        /// Read it without its header, which has a name twice: fields are found by position.
        case byPosition
        /// Set this limit to this value.
        case limit(String, Int)
        /// Replace the outputs that exist.
        case replace
        /// Make this directory first.
        case makeDirectory(String)
        /// Trust the rules.
        case trustRules
    }

    /// What is wrong, and where.
    public var message: String
    /// What to do instead.
    public var hint: String?
    /// The same as data, where it is known.
    public var remedy: Remedy?
    /// The message and the hint without the content of the file, if they show some, such as the names of columns.
    package var unquoted: Unquoted?

    package struct Unquoted: Hashable, Sendable {
        package var message: String
        package var hint: String?
    }

    /// - Parameters:
    ///   - message: what is wrong, and where.
    ///   - hint: what to do instead.
    ///   - remedy: the same as data.
    public init(_ message: String, hint: String? = nil, remedy: Remedy? = nil) {
        self.message = message
        self.hint = hint
        self.remedy = remedy
    }

    /// The message, the hint, and the remedy in the terms of a rule file, on lines of their own.
    public var description: String { description(remedy: remedy?.ruleFileAdvice) }

    package func description(remedy: String?) -> String {
        advice(remedy: remedy).map { "\(message)\n  hint: \($0)" } ?? message
    }

    /// The hint, and the remedy as text.
    package func advice(remedy: String?) -> String? {
        let lines = [hint, remedy].compactMap(\.self)
        return lines.isEmpty ? nil : lines.joined(separator: "\n        ")
    }
}

extension InputError {
    static let encodingAdvice =
        "if it is text, name its encoding: --encoding NAME, or dialect: {encoding: NAME} in the rules"
    static let delimiterAdvice = "name the delimiter: --delimiter, or delimiter in the dialect of the rules"

    /// Adds a line to the hint.
    mutating func advise(_ line: String) { hint = advice(remedy: line) }

    /// Keeps the advice to write JSON Lines with `jq` only if all bytes were read and `jq` does not change a value.
    mutating func advise(jqFor read: HeadBytes) {
        if !read.ended || !JSONForJQ.keeps(read.bytes[...]) { (hint, remedy) = (JSONForJQ.hint, nil) }
    }

    /// Reads the first bytes of a source. A file that Assay does not unpack is an input that the job cannot start with, and not a
    /// fault of reading.
    static func beforeStart<Result>(of source: any Source, _ read: () throws -> Result) throws -> Result {
        do {
            return try read()
        } catch let error as FileError where error.hasLargeWindow {
            throw InputError(
                "\(printable(source.name)) is \(ForeignFormat.largeZstandard.name)",
                remedy: .convert(.largeZstandard))
        }
    }
}

extension InputError.Remedy {
    /// The remedy in the terms of a rule file. (The command has its options for it.)
    package var ruleFileAdvice: String { advice(where: "in the rules") }

    /// - Parameter place: where the dialect of the table is said.
    package func advice(where place: String) -> String {
        switch self {
        case .read(let readings):
            let entries = readings.map(\.inRules).joined(separator: " or ")
            return "read it with \(readings.count > 1 ? "one of these" : "this"), \(place): \(entries)"
        case .convert(let format, _): return format.advice
        case .noHeader: return "if the file has no header line, say so \(place): dialect: {header: false}"
        case .byPosition: return "to name them by position, say so \(place): dialect: {header: false, skip: 1}"
        case .limit(let name, let value): return "if that is right, raise it in the rules: limits: {\(name): \(value)}"
        case .replace: return "remove what is there, choose other names, or say that it may be replaced"
        case .makeDirectory(let path): return "make the directory \(printable(path)) first"
        case .trustRules: return "if you trust the rules, read them after trustRuleFiles() on the limits"
        }
    }
}
