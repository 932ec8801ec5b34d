internal import Assay

/// An input, or a set of options, with which a job cannot start.
public struct InputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A known solution. A program that knows how the job was started can turn it into a command.
    public enum Remedy: Hashable, Sendable {
        /// Read the input with these settings. Several lists are readings that fit equally well.
        case read(with: [[DialectSetting]])
        /// Convert it to CSV first, with or without a header.
        case convert(ForeignFormat, hasHeader: Bool = true)
        /// Read it without a header.
        case noHeader
        /// Read it without its header, which has a duplicate name. Fields are then found by position.
        case byPosition
        /// Set this limit to this value.
        case limit(String, Int)
        /// Replace existing outputs.
        case replace
        /// Create this directory first.
        case makeDirectory(String)
        /// Trust the rules.
        case trustRules
    }

    /// The error and its place.
    public var message: String
    /// A suggestion.
    public var hint: String?
    /// The suggestion as data, if it is one of the known remedies.
    public var remedy: Remedy?
    /// The message and the hint without content of the file, such as column names, if they contain some.
    package var unquoted: Unquoted?

    package struct Unquoted: Hashable, Sendable {
        package var message: String
        package var hint: String?
    }

    /// - Parameters:
    ///   - message: The error and its place.
    ///   - hint: A suggestion.
    ///   - remedy: The suggestion as data.
    public init(_ message: String, hint: String? = nil, remedy: Remedy? = nil) {
        self.message = message
        self.hint = hint
        self.remedy = remedy
    }

    /// The message, the hint, and the remedy in the terms of a rule file, each on its own lines.
    public var description: String { description(remedy: remedy?.ruleFileAdvice) }

    package func description(remedy: String?) -> String {
        advice(remedy: remedy).map { "\(message)\n  hint: \($0)" } ?? message
    }

    /// Returns the hint, and the remedy as text.
    package func advice(remedy: String?) -> String? {
        let lines = [hint, remedy].compactMap(\.self)
        return lines.isEmpty ? nil : lines.joined(separator: "\n        ")
    }
}

extension InputError {
    static let encodingAdvice =
        "if it is text, name its encoding: --encoding NAME, or dialect: {encoding: NAME} in the rules"
    static let delimiterAdvice = "name the delimiter: --delimiter, or delimiter in the dialect of the rules"

    /// Advice in options of the command, and the same for callers of a library, who have none.
    private static let optionsInRules = [
        ("--encoding NAME, or dialect: {encoding: NAME} in the rules", "dialect: {encoding: NAME} in the rules"),
        ("name it: --encoding NAME", "name it: dialect: {encoding: NAME} in the rules"),
        ("--delimiter, or delimiter in the dialect of the rules", "delimiter in the dialect of the rules"),
        (
            "; if both are the same, add --delimiter",
            "; if both are the same, name the delimiter in the dialect of the rules"
        ),
        (
            "; if it ends them in both, add --line-terminator cr, and if it is data, --line-terminator lf",
            "; if it ends them in both, the dialect of the rules has lineTerminator: cr, and if it is data, lf"
        ),
        ("; if both are CSV, add --format csv", ""),
        ("; if it is CSV, add --format csv", ""),
        ("; if the table is CSV, add --format csv", ""),
        (InputFormat.advice, ""),
    ]

    /// The error for callers of a library: the hint does not name options of the command.
    package var withoutOptions: InputError {
        var error = self
        for (option, rules) in Self.optionsInRules {
            guard let hint = error.hint, let range = hint.firstRange(of: option) else { continue }
            error.hint = String(hint[..<range.lowerBound]) + rules + String(hint[range.upperBound...])
        }
        let lines = error.hint?.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) } ?? []
        error.hint = lines.isEmpty ? nil : lines.joined(separator: "\n")
        return error
    }

    /// Adds a line to the hint.
    mutating func advise(_ line: String) { hint = advice(remedy: line) }

    /// Keeps the advice to write JSON Lines with `jq` only if all bytes were read and `jq` does not change a value.
    mutating func advise(jqFor read: HeadBytes) {
        if !read.ended || !JSONForJQ.keeps(read.bytes[...]) { (hint, remedy) = (JSONForJQ.hint, nil) }
    }

    /// Reads the first bytes of a source. Turns the error for a file that Assay does not decompress into an
    /// ``InputError``, because it is not a read error.
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
    /// The remedy in the terms of a rule file. (The command has its own options for it.)
    package var ruleFileAdvice: String { advice(where: "in the rules") }

    /// - Parameter place: The place of the table's dialect, such as "in the rules".
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
