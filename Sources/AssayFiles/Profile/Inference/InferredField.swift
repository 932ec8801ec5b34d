internal import Assay
internal import AssayRules

/// The proposed rules of one column, each with its evidence.
struct InferredField {
    let name: String
    /// The position in the table, from 1.
    let position: Int
    /// The type of the column; `nil` for any text, which needs no rule.
    var type: ValueType?
    var typeEvidence = ""
    /// The repairs that make the values fit the type.
    var repairs: [Repair] = []
    /// Texts that mean "no value", in addition to the empty text.
    var missingValues: [String] = []
    var missingEvidence = ""
    var constraints: [Constraint] = []
    /// The reason why the field may be absent from all JSON Lines records; empty if it may not.
    var optionalEvidence = ""
    /// The number of values with spaces at the ends.
    var padded = 0
    /// Notes for the reader of the rule file.
    var notes: [String] = []
    /// Tighter rules that some values fail, as comments.
    var candidates: [Candidate] = []
    /// The reason why the column has no rules and is only mentioned; `nil` if it may have rules.
    var reasonForNone: String?

    /// The values that the rules of a column must accept.
    enum Fit {
        /// All values of well-formed records.
        case all
        /// Most values: the type of the profile, and forms that few values fail.
        case typical
        /// As ``typical``, with the most specific type. Its rules are tried as candidates for tighter ones.
        case tightest
    }

    /// The values that a rule rejects, with the first one.
    struct Failure {
        let count: Int
        let example: String?
        let record: Int?

        /// Such as `3 values fail, such as 'x' in record 17`.
        var text: String {
            var text = count == 1 ? "1 value fails" : "\(grouped(count)) values fail"
            if let example {
                text += (count == 1 ? ": " : ", such as ") + "'\(printable(example.prefix(40)))'"
                if example.unicodeScalars.count > 40 { text += "…" }
            }
            if let record { text += " in record \(grouped(record))" }
            return text
        }
    }

    /// A tighter rule in YAML, and the values that it would reject.
    struct Candidate {
        /// The lines of the rule, without indentation.
        let lines: [String]
        let evidence: String

        init(lines: [String], _ failure: Failure) { (self.lines, evidence) = (lines, failure.text) }
    }

    struct Constraint {
        let key: String
        /// The value in YAML.
        let value: String
        var evidence: String

        var line: String { "\(key): \(value)" }
    }

    func has(_ constraint: Constraint) -> Bool { constraints.contains { $0.line == constraint.line } }

    /// The words for missing values in YAML.
    private var missingLine: String? {
        missingValues.isEmpty ? nil : "missingValues: \(Self.list([""] + missingValues))  # \(missingEvidence)"
    }

    /// The type of the field for a comment. Words for missing values belong to it, because without them the type would
    /// reject them.
    ///
    /// - Parameter other: The field with the comment, which may have the words already.
    func typeLines(for other: InferredField) -> [String] {
        guard let type else { return [] }
        let words = missingValues == other.missingValues ? nil : missingLine
        return Self.lines(of: type) + [words].compactMap { $0 }
    }

    /// Whether two fields accept the same values.
    func hasSameRules(as other: InferredField) -> Bool {
        type == other.type && missingValues == other.missingValues && repairs == other.repairs
            && constraints.map(\.line) == other.constraints.map(\.line)
    }

    mutating func constrain(_ key: String, _ value: String, _ evidence: String) {
        constraints.append(Constraint(key: key, value: value, evidence: evidence))
    }

    /// The field in YAML.
    ///
    /// - Parameter failures: The values that each rule rejected, by the last part of its name; empty if not counted.
    func text(_ failures: [String: Failure]) -> String {
        func comment(_ evidence: String, _ rule: String) -> String {
            let count = failures[rule]?.count ?? 0
            let fails = count > 0 ? "\(grouped(count)) \(count == 1 ? "fails" : "fail")" : ""
            let parts = [evidence, fails].filter { !$0.isEmpty }.joined(separator: "; ")
            return parts.isEmpty ? "" : "  # " + parts
        }
        if let reasonForNone { return "  # - name: \(YAMLScalar.text(name))  # \(reasonForNone)\n" }
        var text = "  - name: \(YAMLScalar.text(name))\n"
        if !optionalEvidence.isEmpty { text += "    optional: true  # \(optionalEvidence)\n" }
        if let type {
            let evidence = comment(typeEvidence, type.kind == .string ? "format" : "type")
            for (index, line) in Self.lines(of: type).enumerated() {
                text += "    \(line)\(index == 0 ? evidence : "")\n"
            }
        }
        if !repairs.isEmpty { text += "    repair: [\(repairs.map(\.name).joined(separator: ", "))]\n" }
        if let missingLine { text += "    \(missingLine)\n" }
        if !constraints.isEmpty { text += "    constraints:\n" }
        for constraint in constraints {
            text += "      \(constraint.line)\(comment(constraint.evidence, constraint.key))\n"
        }
        for candidate in candidates {
            for (index, line) in candidate.lines.enumerated() {
                text += "    # \(index == 0 ? "tighter: " : "         ")\(line)"
                text += index == 0 ? "  # \(candidate.evidence)\n" : "\n"
            }
        }
        if padded > 0 && repairs.isEmpty {
            text += "    # repair: [trim] would mend \(grouped(padded)) with spaces at the ends\n"
        }
        for note in notes { text += "    # \(note)\n" }
        return text
    }

    /// A type or format in the lines of a field.
    static func lines(of type: ValueType) -> [String] {
        var lines: [String] = []
        if type.kind == .string, let format = type.format {
            lines.append("format: \(YAMLScalar.text(format))")
        } else {
            lines.append("type: \(type.kind.rawValue)")
            if let format = type.format { lines.append("format: \(quoted(format))") }
        }
        if let decimal = type.decimalChar { lines.append("decimalChar: \(quoted(decimal))") }
        if let group = type.groupChar { lines.append("groupChar: \(quoted(group))") }
        if let values = type.trueValues { lines.append("trueValues: \(list(values))") }
        if let values = type.falseValues { lines.append("falseValues: \(list(values))") }
        return lines
    }

    static func quoted(_ text: String) -> String { "'" + text.replacingEach("'", by: "''") + "'" }

    static func list(_ values: [String]) -> String {
        "[" + values.map { $0.isEmpty ? "''" : YAMLScalar.text($0) }.joined(separator: ", ") + "]"
    }
}
