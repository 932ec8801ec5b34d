internal import Assay
internal import AssayRules
internal import CAssay

/// The columns of a table that have repairs, and what is done with changes; decided once for a run.
struct RepairPlan: Sendable {
    /// A column whose cells may change.
    struct Column: Sendable {
        let name: String
        /// Where it stands in the table, from 0; of JSON Lines: which path it is.
        let position: Int
        /// Under what its repairs are counted.
        let repairs: [String]
        /// How JSON has its values.
        let style: assay_json_style
    }

    /// Those of plain columns by their place in the bound schema, then those of lists.
    let columns: [Column]
    /// How many of them are plain.
    let plainCount: Int
    let dialect: assay_dialect
    let isJSON: Bool
    /// The longest field of CSV.
    let fieldBytes: Int
    /// How changes are written; `nil`: they are only counted.
    let format: FindingFormat?
    let showValues: Bool
    /// Changes kept as values.
    let kept: Int
    /// The names of the files; one: they are not named.
    let inputs: [String]

    /// `nil`: no column has repairs.
    init?(_ table: PreparedTable, _ outputs: Outputs, dialect: assay_dialect) {
        let fields = table.cleaner.rules.schema.fields
        let places = FieldPlaces(fields.lazy.map(\.name))
        let lists = table.json?.lists ?? []
        guard table.hasRepairs else { return nil }
        func columns(_ bound: BoundSchema) -> [Column] {
            bound.columns.map { column in
                let field = places[column.name].map { fields[$0] }
                let missing = (field?.repair ?? []).enumerated().reduce(UInt32(0)) { bits, repair in
                    if case .missing = repair.element { bits | 1 << UInt32(repair.offset) } else { bits }
                }
                let isLiteral = [.integer, .number, .boolean].contains(field?.type.kind)
                return Column(
                    name: column.name, position: column.position, repairs: column.repairNames,
                    style: assay_json_style(
                        is_literal: isLiteral, has_no_text: isLiteral && table.cleaner.rules.jsonTypes != .text,
                        missing: missing))
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
