internal import Assay
internal import AssayRules

/// Rules for one column, each with the evidence for it.
struct InferredField {
    let name: String
    /// From 1.
    let position: Int
    /// What the column is; `nil`: any text, of which nothing need be said.
    var type: ValueType?
    var typeEvidence = ""
    /// Texts that mean "no value", where they are more than the empty one.
    var missingValues: [String] = []
    var missingEvidence = ""
    var constraints: [Constraint] = []
    /// Why records of JSON Lines may all be without it; empty: they are not.
    var optionalEvidence = ""
    /// What somebody should know who reads on.
    var notes: [String] = []
    /// Why there are no rules for it, so that it is only mentioned; `nil`: there may be some.
    var reasonForNone: String?

    struct Constraint {
        let key: String
        /// As YAML writes it.
        let value: String
        var evidence: String
    }

    mutating func constrain(_ key: String, _ value: String, _ evidence: String) {
        constraints.append(Constraint(key: key, value: value, evidence: evidence))
    }

    /// - Parameter failed: how many values each rule refused, by the end of its name; empty: nobody has counted.
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
