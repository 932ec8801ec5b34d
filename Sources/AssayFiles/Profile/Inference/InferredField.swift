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
    /// Texts that mean "no value", in addition to the empty text.
    var missingValues: [String] = []
    var missingEvidence = ""
    var constraints: [Constraint] = []
    /// The reason why the field may be absent from all JSON Lines records; empty if it may not.
    var optionalEvidence = ""
    /// Notes for the reader of the rule file.
    var notes: [String] = []
    /// The reason why the column has no rules and is only mentioned; `nil` if it may have rules.
    var reasonForNone: String?

    struct Constraint {
        let key: String
        /// The value in YAML.
        let value: String
        var evidence: String
    }

    mutating func constrain(_ key: String, _ value: String, _ evidence: String) {
        constraints.append(Constraint(key: key, value: value, evidence: evidence))
    }

    /// - Parameter failed: The number of values that each rule rejected, by the last part of its name; empty if not
    ///   counted.
    func text(failed: [String: Int]) -> String {
        func comment(_ evidence: String, _ rule: String) -> String {
            let count = failed[rule] ?? 0
            let fails = count > 0 ? "\(grouped(count)) \(count == 1 ? "fails" : "fail")" : ""
            let said = [evidence, fails].filter { !$0.isEmpty }.joined(separator: "; ")
            return said.isEmpty ? "" : "  # " + said
        }
        if let reasonForNone { return "  # - name: \(YAMLScalar.text(name))  # \(reasonForNone)\n" }
        var text = "  - name: \(YAMLScalar.text(name))\n"
        if !optionalEvidence.isEmpty { text += "    optional: true  # \(optionalEvidence)\n" }
        if let type {
            let evidence = comment(typeEvidence, type.kind == .string ? "format" : "type")
            if type.kind == .string, let format = type.format {
                text += "    format: \(YAMLScalar.text(format))\(evidence)\n"
            } else {
                text += "    type: \(type.kind.rawValue)\(evidence)\n"
                if let format = type.format { text += "    format: \(Self.quoted(format))\n" }
            }
            if let decimal = type.decimalChar { text += "    decimalChar: \(Self.quoted(decimal))\n" }
            if let group = type.groupChar { text += "    groupChar: \(Self.quoted(group))\n" }
            if let values = type.trueValues { text += "    trueValues: \(Self.list(values))\n" }
            if let values = type.falseValues { text += "    falseValues: \(Self.list(values))\n" }
        }
        if !missingValues.isEmpty {
            text += "    missingValues: \(Self.list([""] + missingValues))  # \(missingEvidence)\n"
        }
        if !constraints.isEmpty { text += "    constraints:\n" }
        for constraint in constraints {
            text += "      \(constraint.key): \(constraint.value)\(comment(constraint.evidence, constraint.key))\n"
        }
        for note in notes { text += "    # \(note)\n" }
        return text
    }

    static func quoted(_ text: String) -> String { "'" + text.replacingEach("'", by: "''") + "'" }

    static func list(_ values: [String]) -> String {
        "[" + values.map { $0.isEmpty ? "''" : YAMLScalar.text($0) }.joined(separator: ", ") + "]"
    }
}
