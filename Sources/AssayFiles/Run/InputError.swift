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
    /// The setting that overrides the cause of this error, if there is one.
    package var override: Override?
    /// A version of message and hint without content of the file, such as column names. `nil` if they do not contain
    /// any.
    package var unquoted: Unquoted?

    /// A setting that lets the run continue when Assay's guess about the file, or its memory limit for keys, would stop
    /// it. It is data, not text, because library callers have no command-line options, and some settings do not exist
    /// in a dialect.
    package enum Override: Hashable, Sendable {
        case encoding, compression, format, delimiter, lineTerminator
        /// For a table whose keys need more memory than they may have.
        case keyMemory
        /// For a file that is UTF-8, although this encoding was named.
        case contradicted(String)
    }

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

    package init(_ message: String, hint: String? = nil, remedy: Remedy? = nil, override: Override?) {
        self.init(message, hint: hint, remedy: remedy)
        self.override = override
    }

    /// The message, the hint, and the remedy in the terms of a rule file, each on its own lines.
    public var description: String {
        description(adding: [override?.advice(where: "in the rules"), remedy?.ruleFileAdvice])
    }

    /// - Parameter lines: The override and the remedy as text.
    package func description(adding lines: [String?]) -> String {
        advice(adding: lines).map { "\(message)\n  hint: \($0)" } ?? message
    }

    /// Returns the hint and these lines.
    package func advice(adding lines: [String?]) -> String? {
        let lines = ([hint] + lines).compactMap(\.self)
        return lines.isEmpty ? nil : lines.joined(separator: "\n        ")
    }
}

extension InputError {
    /// Keeps the advice to write JSON Lines with `jq` only if all bytes were read and `jq` does not change a value.
    mutating func advise(jqFor read: HeadBytes) {
        if !read.ended || !JSONForJQ.keeps(read.bytes[...]) { (hint, remedy) = (JSONForJQ.hint, nil) }
    }

    /// Reads the first bytes of a source. Throws an ``InputError`` instead of a ``FileError`` if Assay does not
    /// decompress such files, or if the file may be text that only begins like compressed data, because reading did not
    /// fail.
    ///
    /// - Parameter mayBeText: Whether a file with the first bytes of compressed data may be text.
    static func beforeStart<Result>(
        of source: any Source, mayBeText: Bool = false, _ read: () throws -> Result
    ) throws -> Result {
        do {
            return try read()
        } catch let error as FileError where error.hasLargeWindow {
            throw InputError(
                "\(printable(source.name)) is \(ForeignFormat.largeZstandard.name)",
                remedy: .convert(.largeZstandard), override: mayBeText ? .compression : nil)
        } catch let error as FileError where mayBeText && error.damage != nil {
            throw InputError(
                "\(printable(source.name)) has the first bytes of Zstandard data, and cannot be unpacked",
                override: .compression)
        }
    }
}

extension InputError.Override {
    /// The setting in the terms of a rule file, or `nil` if a rule file has no such setting.
    ///
    /// - Parameter place: The place of the table's dialect, such as "in the rules".
    package func advice(where place: String) -> String? {
        switch self {
        case .encoding: "if it is text, name its encoding \(place): dialect: {encoding: NAME}"
        case .compression, .format: nil
        case .keyMemory: "allow more memory for keys"
        case .delimiter: "name the delimiter \(place): dialect: {delimiter: CHARACTER}"
        case .lineTerminator:
            "if a bare CR ends records, say so \(place): dialect: {lineTerminator: \"\\r\"}; if it is data: "
                + "{lineTerminator: \"\\n\"}"
        case .contradicted(let name):
            "name no encoding \(place), or UTF-8; to read it as \(name), add trustEncoding: true to the dialect"
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
        case .replace: return "remove the existing files, choose other names, or allow replacement"
        case .makeDirectory(let path): return "make the directory \(printable(path)) first"
        case .trustRules: return "if you trust the rules, read them after trustRuleFiles() on the limits"
        }
    }
}
