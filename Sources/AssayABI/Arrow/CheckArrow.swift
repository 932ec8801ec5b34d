internal import Assay
internal import AssayFiles
internal import AssayRules
public import CAssayABI

@c @implementation
public func assay_rules_check_arrow_column(
    _ rules: OpaquePointer?, _ field: Int, _ schema: UnsafePointer<ArrowSchema>?,
    _ array: UnsafePointer<ArrowArray>?, _ options: UnsafePointer<assay_options>?,
    _ result: UnsafeMutablePointer<OpaquePointer?>?
) -> UnsafeMutablePointer<assay_fault>? {
    reporting {
        guard let result else { throw Fault.null("result") }
        let rules = try Rules.behind(rules)
        let options = try CheckOptions(options)
        let checked = try rules.check(array, ArrowNode(schema), field: rules.field(field), options: options)
        result.pointee = CheckResult(try checked.settled(), isOneColumn: true, options: options).retained()
    }
}

@c @implementation
public func assay_rules_check_arrow_table(
    _ rules: OpaquePointer?, _ schema: UnsafePointer<ArrowSchema>?, _ array: UnsafePointer<ArrowArray>?,
    _ options: UnsafePointer<assay_options>?, _ result: UnsafeMutablePointer<OpaquePointer?>?
) -> UnsafeMutablePointer<assay_fault>? {
    reporting {
        guard let result else { throw Fault.null("result") }
        let options = try CheckOptions(options)
        let checked = try Rules.behind(rules).check(array, ArrowNode(schema), field: nil, options: options)
        result.pointee = CheckResult(try checked.settled(), isOneColumn: false, options: options).retained()
    }
}

extension Rules {
    /// Checks an Arrow array with the rules of one field, or a record batch with all rules.
    func check(
        _ array: UnsafePointer<ArrowArray>?, _ node: ArrowNode, field: Int?, options: CheckOptions
    ) throws -> CheckedTable {
        let root = try ArrowColumn(node, array)
        if let field {
            let column = try root.column(TextStyle(type: plans[field].type))
            return try check(column, field: field, options: options)
        }
        try lookForColumns(node)
        let leaves = try root.leaves()
        return try check(leaves.map(\.name), rows: root.count, options: options) { position, type in
            try leaves[position].column.column(TextStyle(type: type))
        }
    }

    /// Verifies that a table of this type has the columns that the rules name, in types that rules can check.
    ///
    /// - Throws: a fault if this is not the type of a record batch, or if a column is missing or of a type that rules
    ///   cannot check.
    func lookForColumns(_ node: ArrowNode) throws(Fault) {
        guard node.format == .structure else {
            throw Fault(ASSAY_FAULT_ARROW, "the array is not a record batch", hint: "a record batch is of type struct")
        }
        try refuseTableRules()
        let leaves = node.leaves()
        for column in try bind(leaves.map(\.name)).columns {
            let leaf = leaves[column.position]
            try leaf.node.mustBeCheckable("the column '\(leaf.name)'")
        }
    }
}

extension ArrowNode {
    /// The columns, in the order of ``ArrowColumn/leaves(_:)``.
    func leaves(_ outer: [String] = []) -> [(name: String, node: ArrowNode)] {
        let names = namesInside(outer)
        return children.enumerated().flatMap { index, child in
            if child.format == .structure {
                return child.leaves(outer + [child.name]).filter { !names.hides($0.name, outer) }
            }
            return [(names.all[index], child)]
        }
    }

    /// The names of the columns of a struct, as rules refer to them: `outer.inner`, escaped as in paths.
    func namesInside(_ outer: [String]) -> ColumnNames {
        ColumnNames(children.map { RecordPath.columnName(outer + [$0.name]) })
    }

    /// - Throws: a fault if rules cannot check this type.
    func mustBeCheckable(_ path: String) throws(Fault) {
        switch format {
        case .structure: throw .arrow(path, "is a struct, which no rule can judge, while its columns can be")
        case .other(let type):
            throw Fault(
                ASSAY_FAULT_ARROW,
                "\(printable(path)) is of the Arrow type \(printable(type)), which no rule can judge",
                hint: "leave the column out of the rules, or convert it to text first")
        default: break
        }
    }
}

/// The names of the columns of a table or struct.
struct ColumnNames {
    let all: [String]
    private let known: Set<ByteEqualString>

    init(_ names: [String]) {
        all = names
        known = Set(names.map(ByteEqualString.init))
    }

    /// Returns whether a column of the table itself has the same name as this column inside a struct. Rules then find
    /// only the column of the table.
    ///
    /// - Parameter outer: the enclosing structs; empty for the columns of the table itself.
    func hides(_ inner: String, _ outer: [String]) -> Bool { outer.isEmpty && known.contains(ByteEqualString(inner)) }
}
