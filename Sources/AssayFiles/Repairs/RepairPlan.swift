internal import Assay
internal import AssayRules
internal import CAssay

/// The columns of a table that have repairs, and the output of changes. Decided once for a run.
struct RepairPlan: Sendable {
    /// A column with repairs.
    struct Column: Sendable {
        let name: String
        /// The position in the table, from 0; for JSON Lines, the index of the path.
        let position: Int
        /// The names under which its repairs are counted.
        let repairs: [String]
        /// The representation of its values in JSON.
        let style: assay_json_style
    }

    /// Plain columns in the order of the bound schema, followed by list columns.
    let columns: [Column]
    /// The number of plain columns.
    let plainCount: Int
    let dialect: assay_dialect
    let isJSON: Bool
    /// The maximum size of a CSV field.
    let fieldBytes: Int
    /// The format of changes. `nil` if they are only counted.
    let format: FindingFormat?
    let showValues: Bool
    /// The maximum number of changes to keep as values.
    let kept: Int
    /// The names of the files. A single file is not named in changes.
    let inputs: [String]

    /// Returns `nil` if no column has repairs.
    init?(_ table: PreparedTable, _ outputs: Outputs, dialect: assay_dialect) {
        let fields = table.cleaner.rules.schema.fields
        let places = FieldPlaces(fields.lazy.map(\.name))
        let lists = table.json?.lists ?? []
        guard table.hasRepairs else { return nil }
        func columns(_ bound: BoundSchema) -> [Column] {
            bound.columns.map { column in
                let field = places[column.name].map { fields[$0] }
                let isLiteral = [.integer, .number, .boolean].contains(field?.type.kind)
                return Column(
                    name: column.name, position: column.position, repairs: column.repairNames,
                    style: assay_json_style(
                        is_literal: isLiteral, has_no_text: isLiteral && table.cleaner.rules.jsonTypes != .text,
                        missing: (field?.repair ?? []).missingBits))
            }
        }
        let plain = columns(table.bound)
        self.columns = plain + lists.flatMap(columns)
        plainCount = plain.count
        self.dialect = dialect
        isJSON = table.json != nil
        fieldBytes = table.cleaner.rules.limits.fieldBytes
        let options = table.cleaner.options
        format = outputs.changes == nil ? nil : outputs.changesAsCSV ? .csv : .jsonLines
        showValues = options.showValues || outputs.changesShowValues
        kept = options.keptChanges
        inputs = table.parts.map(\.source.name)
    }
}
