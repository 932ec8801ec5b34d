internal import Assay

extension RuleFile {
    /// The ids of all rules that can have findings, which thresholds can name. `RunResult` counts by the same ids.
    package var ruleIDs: [String] {
        let sorted = schema.fields.filter { $0.sorted != nil }.map(\.sortedID)
        return schema.fields.flatMap { field in
            // In JSON Lines, every field has a rule for its type, even a field that accepts any text.
            let type = [nil, "default"].contains(field.type.format) ? "type" : field.type.ruleCode
            return ["required", type].map { "\(field.name).\($0)" } + field.rules.map(\.id)
        } + schema.rows.map(\.id) + schema.keys.map(\.id) + schema.foreignKeys.map(\.id) + sorted
            + Self.structureIDs
    }

    /// The ids of findings about malformed records.
    package static let structureIDs = [
        "structure.fields", "structure.quote", "structure.json", "structure.blank", "structure.too-long", "encoding",
    ]
}
