internal import Assay
public import CAssayABI

/// The number of cells of a column that each repair changed.
private final class Changes: Handle {
    static let argument = "changes"

    let cells: UInt64
    let unsettled: UInt64
    let names: [CText]
    let counts: [UInt64]

    init(_ plan: FieldPlan, _ repaired: RepairedValues?) {
        cells = repaired?.changed ?? 0
        unsettled = repaired?.unsettled ?? 0
        names = plan.repairNames
        counts = repaired?.counts ?? Array(repeating: 0, count: names.count)
    }
}

/// The destination of a repaired column.
private struct RepairTarget {
    let array: UnsafeMutablePointer<ArrowArray>
    let schema: UnsafeMutablePointer<ArrowSchema>
    let changes: UnsafeMutablePointer<OpaquePointer?>?

    init(
        _ array: UnsafeMutablePointer<ArrowArray>?, _ schema: UnsafeMutablePointer<ArrowSchema>?,
        _ changes: UnsafeMutablePointer<OpaquePointer?>?
    ) throws(Fault) {
        guard let array else { throw .null("repaired") }
        guard let schema else { throw .null("repaired_schema") }
        (self.array, self.schema, self.changes) = (array, schema, changes)
    }

    func take(_ column: SourceColumn, _ plan: FieldPlan, _ options: CheckOptions, isBinary: Bool) throws {
        try TableVerdicts.expectFew(column.count)
        var options = options
        options.account = nil
        let repaired = try plan.repaired(column, options)
        if let repaired, repaired.changed > 0 {
            let made = try repaired.array(options.allocator)
            made.write(to: array)
            let format = isBinary ? "Z" : "U"
            OutgoingSchema(format: format, name: String(cString: plan.name.pointer), isNullable: true).write(to: schema)
        } else {
            array.initialize(to: ArrowArray())
            schema.initialize(to: ArrowSchema())
        }
        changes?.pointee = Changes(plan, repaired).retained()
    }
}

@c @implementation
public func assay_rules_repair_column(
    _ rules: OpaquePointer?, _ field: Int, _ column: UnsafePointer<assay_column>?, _ count: Int,
    _ options: UnsafePointer<assay_options>?, _ repaired: UnsafeMutablePointer<ArrowArray>?,
    _ repairedSchema: UnsafeMutablePointer<ArrowSchema>?, _ changes: UnsafeMutablePointer<OpaquePointer?>?
) -> UnsafeMutablePointer<assay_fault>? {
    reporting {
        let target = try RepairTarget(repaired, repairedSchema, changes)
        guard let column else { throw Fault.null("column") }
        let rules = try Rules.behind(rules)
        let plan = try rules.plans[rules.field(field)]
        let source = try SourceColumn(assay_column(reading: column), count: checkedRows(count))
        // The values may not be UTF-8, so the array must be binary.
        try target.take(source, plan, CheckOptions(options), isBinary: true)
    }
}

@c @implementation
public func assay_rules_repair_arrow_column(
    _ rules: OpaquePointer?, _ field: Int, _ schema: UnsafePointer<ArrowSchema>?,
    _ array: UnsafePointer<ArrowArray>?, _ options: UnsafePointer<assay_options>?,
    _ repaired: UnsafeMutablePointer<ArrowArray>?, _ repairedSchema: UnsafeMutablePointer<ArrowSchema>?,
    _ changes: UnsafeMutablePointer<OpaquePointer?>?
) -> UnsafeMutablePointer<assay_fault>? {
    reporting {
        let target = try RepairTarget(repaired, repairedSchema, changes)
        let rules = try Rules.behind(rules)
        let plan = try rules.plans[rules.field(field)]
        let node = try ArrowNode(schema)
        let column = try ArrowColumn(node, array).column(TextStyle(type: plan.type))
        try target.take(column, plan, CheckOptions(options), isBinary: node.isBinary)
    }
}

@c @implementation
public func assay_changes_cells(_ changes: OpaquePointer?) -> UInt64 { (try? Changes.behind(changes))?.cells ?? 0 }

@c @implementation
public func assay_changes_unsettled(_ changes: OpaquePointer?) -> UInt64 {
    (try? Changes.behind(changes))?.unsettled ?? 0
}

@c @implementation
public func assay_changes_count(_ changes: OpaquePointer?) -> Int {
    (try? Changes.behind(changes))?.counts.count ?? 0
}

@c @implementation
public func assay_changes_get(
    _ changes: OpaquePointer?, _ index: Int, _ count: UnsafeMutablePointer<assay_change_count>?,
    _ size: Int
) -> Bool {
    guard let changes = try? Changes.behind(changes), let count, changes.counts.indices.contains(index) else {
        return false
    }
    write(
        assay_change_count(repair: changes.names[index].pointer, cells: changes.counts[index]), to: count, size: size)
    return true
}

@c @implementation
public func assay_changes_free(_ changes: OpaquePointer?) { Changes.release(changes) }
