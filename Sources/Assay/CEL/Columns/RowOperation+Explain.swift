internal import CAssay

extension CompiledSchema {
    /// The execution plans of the rules between columns, in declared order, as lines of text.
    package var rowPlans: [(rule: RowRule, lines: [String])] {
        zip(schema.rows, rowRules).map { rule, compiled in
            let fields = compiled.fields.sorted().map { compiled.program.variables[$0] }
            let columns = fields.map { "\($0.name): \($0.type.name)" }.joined(separator: ", ")
            let steps = compiled.operation.map { $0.lines(compiled.program.variables) }
            return (
                rule,
                [
                    "check    \(rule.check)",
                    "columns  \(columns.isEmpty ? "none" : columns)",
                    "runs     "
                        + (steps == nil
                            ? "record by record: lists, conversions and extensions have no form for columns"
                            : "over columns, up to \(SchemaEvaluator.sliceRows) records at once"),
                ] + (steps ?? []).map { "         " + $0 }
            )
        }
    }
}

extension RowOperation {
    /// The operation and its operands, one per line.
    fileprivate func lines(_ columns: [CELVariable]) -> [String] {
        [name(columns)] + operands.flatMap { operand in operand.lines(columns).map { "  " + $0 } }
    }

    private func name(_ columns: [CELVariable]) -> String {
        switch form {
        case .bool(let bool): "the constant \(bool)"
        case .integer(let integer, scale: 0): "the constant \(integer)"
        case .integer(let integer, let scale): "the constant \(integer) with \(scale) digits behind the point"
        case .text: "a constant text"
        case .field(let field):
            switch kind {
            case .bool: "\(columns[field].name) as a mask"
            case .integer: "\(columns[field].name) as 64-bit integers"
            case .number: "\(columns[field].name) as 64-bit integers of one scale"
            case .text: "\(columns[field].name) as texts"
            }
        case .clock(let clock): "\(clock.rawValue)(), as seconds"
        case .has(let field): "whether \(columns[field].name) has a value"
        case .not: "not"
        case .and: "and"
        case .or: "or"
        case .choose: "choose by the first"
        case .compare(let relation, let isNegated):
            switch relation {
            case .ASSAY_ROW_EQUAL: isNegated ? "not equal" : "equal"
            case .ASSAY_ROW_LESS: "less"
            case .ASSAY_ROW_LESS_OR_EQUAL: "less or equal"
            }
        case .compute(let function, _):
            switch function {
            case .ASSAY_ROW_ADD: "add"
            case .ASSAY_ROW_SUBTRACT: "subtract"
            case .ASSAY_ROW_MULTIPLY: "multiply"
            case .ASSAY_ROW_DIVIDE: "divide"
            case .ASSAY_ROW_MODULO: "modulo"
            }
        case .widen: "as numbers"
        case .check: "matches a pattern, or is in a set"
        case .contained(let numbers): "is one of \(numbers.count) numbers"
        case .find(let place):
            switch place {
            case .ASSAY_ROW_AT_START: "starts with"
            case .ASSAY_ROW_AT_END: "ends with"
            case .ASSAY_ROW_ANYWHERE: "contains"
            }
        case .size: "length in code points"
        case .part: "a part of the time"
        }
    }
}
