internal import Assay

extension Limits {
    /// A limit that users can set: `--limit field-bytes=2M`.
    package struct Setting: Sendable {
        package let name: String
        /// One sentence for help, without a full stop.
        package let summary: String
        /// The valid values.
        package let range: ClosedRange<Int>
        /// Whether the limit counts bytes, so that `K`, `M` or `G` may follow the number.
        package let isBytes: Bool
        let value: any WritableKeyPath<Limits, Int> & Sendable

        /// Returns the value in `limits`.
        package func value(in limits: Limits) -> Int { limits[keyPath: value] }
    }

    /// All limits, in the order of help.
    package static let settings: [Setting] = [
        Setting(
            name: "field-bytes", summary: "longest field, in bytes of the file", range: 1...512 << 20, isBytes: true,
            value: \.fieldBytes),
        Setting(
            name: "record-bytes", summary: "longest record, in bytes of the file", range: 1...512 << 20, isBytes: true,
            value: \.recordBytes),
        Setting(
            name: "columns", summary: "most columns of a file", range: 1...1_000_000, isBytes: false, value: \.columns),
        Setting(
            name: "rule-file-bytes", summary: "largest rule file", range: 1...64 << 20, isBytes: true,
            value: \.ruleFileBytes),
        Setting(
            name: "depth", summary: "deepest nesting of a rule file", range: 4...256, isBytes: false, value: \.depth),
        Setting(
            name: "rules", summary: "the maximum number of rules in a rule file, including checks inside rules",
            range: 1...1_000_000,
            isBytes: false, value: \.rules),
        Setting(
            name: "pattern-bytes", summary: "longest pattern", range: 1...1 << 20, isBytes: true,
            value: \.patternBytes),
        Setting(
            name: "match-base", summary: "steps that matching any value may take", range: 1...1_000_000_000,
            isBytes: false, value: \.match.baseSteps),
        Setting(
            name: "match-per-byte", summary: "steps that matching may take for each byte of the value, in addition",
            range: 0...1_000_000, isBytes: false, value: \.match.stepsPerByte),
        Setting(
            name: "heap-kib", summary: "memory for backtracking without JIT, in KiB", range: 0...4 << 20,
            isBytes: false,
            value: \.match.heapKiB),
        Setting(
            name: "jit-stack-bytes", summary: "stack of each thread for matching with JIT",
            range: 32 << 10...MatchLimits.maxJitStackBytes,
            isBytes: true, value: \.match.jitStackBytes),
        Setting(
            name: "row-rule-bytes", summary: "memory that a row rule may use for one record", range: 1...4 << 30,
            isBytes: true, value: \.match.rowRuleBytes),
    ]

    /// The names of all limits.
    public static let names: [String] = settings.map(\.name)

    /// The limits that apply before the rule file has been read, so that a rule file cannot set them.
    static let beforeReading = ["rule-file-bytes", "depth", "rules"]

    /// Sets a limit by its name: `set("field-bytes", to: "2M")`.
    ///
    /// - Parameter text: A whole number; for bytes also with `K`, `M` or `G` (1,024, 1,024², 1,024³), or `KiB` and so
    ///   on.
    /// - Throws: ``LimitError`` if the name is unknown or the value out of range. ``check()`` verifies conditions
    ///   between limits, because they are set one by one.
    public mutating func set(_ name: String, to text: String) throws(LimitError) {
        guard let setting = Self.settings.first(where: { $0.name == name }) else {
            let advice = closestName(to: name, among: Self.names).map { "did you mean '\($0)'?" }
            throw LimitError(
                name: name, message: "unknown limit \(name.quoted)",
                suggestion: advice ?? "known are \(Self.names.joined(separator: ", "))")
        }
        guard let value = Self.number(text, isBytes: setting.isBytes) else {
            throw LimitError(
                name: name, message: "\(text.quoted) is not a value of \(name)",
                suggestion: setting.isBytes ? "write a whole number such as 65536, 64K or 4M" : "write a whole number")
        }
        guard setting.range.contains(value) else {
            throw setting.refusal(of: text.visible)
        }
        self[keyPath: setting.value] = value
    }

    /// Removes the ceiling for one limit of ``match`` in rule files.
    package mutating func trustRuleFiles(with setting: Setting) {
        var ceiling = Limits()
        ceiling.match = matchCeiling
        ceiling[keyPath: setting.value] = setting.range.upperBound
        matchCeiling = ceiling.match
    }

    /// Returns the maximum that a rule file may set. `nil` allows the whole range.
    func maxInRuleFile(_ setting: Setting) -> Int? {
        guard setting.boundsWork else { return nil }
        var ceiling = Limits()
        ceiling.match = matchCeiling
        return max(setting.value(in: ceiling), setting.value(in: self))
    }

    /// Verifies that the limits are in their ranges and consistent.
    ///
    /// - Throws: ``LimitError``, including if a field could be longer than its record.
    public func check() throws(LimitError) {
        for setting in Self.settings where !setting.range.contains(setting.value(in: self)) {
            throw setting.refusal(of: "\(setting.value(in: self))")
        }
        if fieldBytes > recordBytes {
            // Suggest changing the limit that still has its default.
            let isFieldUsual = fieldBytes == Limits().fieldBytes
            throw LimitError(
                name: "field-bytes", message: "field-bytes (\(fieldBytes)) is more than record-bytes (\(recordBytes))",
                suggestion: isFieldUsual
                    ? "set field-bytes=\(recordBytes) too" : "set record-bytes=\(fieldBytes) too")
        }
    }

    /// Parses a number of bytes such as `512M`. Returns `nil` if it is invalid.
    package static func bytes(_ text: String) -> Int? { number(text, isBytes: true) }

    private static func number(_ text: String, isBytes: Bool) -> Int? {
        var digits = Substring(text)
        var factor = 1
        if isBytes {
            if digits.hasSuffix("iB") { digits.removeLast(2) }
            switch digits.last {
            case "K", "k": factor = 1 << 10
            case "M", "m": factor = 1 << 20
            case "G", "g": factor = 1 << 30
            default: if digits.count < text.count { return nil }
            }
            if factor > 1 { digits.removeLast() }
        }
        let isNumber =
            !digits.isEmpty && digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isNumber else { return nil }
        // A number that does not fit an Int is out of every range.
        let (value, isTooLarge) = (Int(digits) ?? .max).multipliedReportingOverflow(by: factor)
        return isTooLarge ? .max : value
    }
}

extension Limits.Setting {
    /// Whether the limit bounds the work for one value. Such limits have a ceiling in rule files, and a run reports
    /// when a file raises them.
    package var boundsWork: Bool {
        ["match-base", "match-per-byte", "heap-kib", "jit-stack-bytes", "row-rule-bytes"].contains(name)
    }

    /// Returns a value in the syntax of `set`: 1 MiB is `1M`.
    package func text(_ value: Int) -> String {
        guard isBytes, value > 0 else { return String(value) }
        for (suffix, size) in [("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10)] where value % size == 0 {
            return "\(value / size)\(suffix)"
        }
        return String(value)
    }

    /// Returns the error for a value that is out of range.
    fileprivate func refusal(of value: String) -> LimitError {
        LimitError(
            name: name, message: "\(name) is from \(text(range.lowerBound)) to \(text(range.upperBound)), not \(value)",
            suggestion: nil)
    }
}

/// An invalid name or value of a limit.
public struct LimitError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the limit, such as `field-bytes`.
    public var name: String
    /// A sentence without a full stop.
    public var message: String
    /// The suggested replacement, if known.
    public var suggestion: String?

    /// Creates an error from its properties.
    public init(name: String, message: String, suggestion: String?) {
        self.name = name
        self.message = message
        self.suggestion = suggestion
    }

    public var description: String { suggestion.map { "\(message); \($0)" } ?? message }

    /// The ``description``, under the name that Foundation uses for messages to people.
    public var localizedDescription: String { description }
}
