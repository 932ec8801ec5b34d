internal import CAssay

/// An expression in the form that runs over columns: each operation computes a column from those of its operands.
///
///     end >= start        lessOrEqual ─┬─ field(start)      seconds, seconds ──► a mask
///                                      └─ field(end)
///
/// Numbers have 64 bits here. The interpreter (``CELProgram``) evaluates rows with values that do not fit, and
/// expressions without this form.
final class RowOperation: Sendable {
    /// The kind of the values of a column.
    enum Kind {
        /// A mask.
        case bool
        /// Integers; seconds of times.
        case integer
        /// Numbers of one scale.
        case number
        case text
    }

    enum Form {
        case bool(Bool)
        /// For ``Kind/number`` with a scale.
        case integer(Int64, scale: Int)
        case text(RowText)
        case field(Int)
        case has(Int)
        case clock(CELClock)
        case not, and, or, choose
        /// `isNegated`: whether the result is negated.
        case compare(assay_row_relation, isNegated: Bool)
        /// `bounds`: the interpreter computes rows with results outside these bounds.
        case compute(assay_row_operator, bounds: ClosedRange<Int64>?)
        /// Converts an integer to a number.
        case widen
        /// Whether the texts pass a check.
        case check(Node)
        /// Whether the numbers are in this array, which must be in ascending order.
        case contained([Int64])
        case find(assay_row_place)
        case size
        case part(assay_row_part)
    }

    let form: Form
    let kind: Kind
    let operands: [RowOperation]

    /// The number of operations in the tree, and the number of those that read texts.
    let count: Int
    let textCount: Int

    init(_ form: Form, _ kind: Kind, _ operands: [RowOperation] = []) {
        (self.form, self.kind, self.operands) = (form, kind, operands)
        count = operands.reduce(1) { $0 + $1.count }
        textCount = operands.reduce(operands.contains { $0.kind == .text } ? 1 : 0) { $0 + $1.textCount }
    }

    /// The maximum number of columns that exist at the same time during evaluation.
    var depth: Int { operands.enumerated().map { $0.offset + $0.element.depth }.max() ?? 1 }
}

/// The bytes of a text literal in an expression.
final class RowText: Sendable {
    // SAFETY: written in `init`, freed in `deinit`, read in between.
    nonisolated(unsafe) let bytes: UnsafeMutablePointer<UInt8>
    /// The cell of the text. Some bytes precede it, because functions may read bytes before a cell.
    let cell: assay_cell
    private static let front = 16

    init(_ text: String) {
        let utf8 = Array(text.utf8)
        cell = assay_cell(start: UInt32(Self.front), length: UInt32(utf8.count))
        bytes = .allocate(capacity: Self.front + utf8.count)
        bytes.update(repeating: 0, count: Self.front)
        (bytes + Self.front).update(from: utf8, count: utf8.count)
    }

    deinit { bytes.deallocate() }
}

extension CELType {
    var rowKind: RowOperation.Kind? {
        switch self {
        case .bool: .bool
        case .int, .timestamp, .duration: .integer
        case .number: .number
        case .string: .text
        case .list, .nothing: nil
        }
    }

    /// The seconds that are certain to be in the range of a time type: the years 1 to 9999, and 64 bits of nanoseconds.
    fileprivate var wholeSeconds: ClosedRange<Int64>? {
        switch self {
        case .timestamp: -62_135_596_800...253_402_300_798
        case .duration: -9_223_372_035...9_223_372_035
        default: nil
        }
    }
}

/// Converts the nodes of a program into operations.
struct RowOperationBuilder {
    let program: CELProgram
    let compiler: CheckCompiler

    /// The operation of a node; `nil` if it has no form for columns.
    func operation(_ node: CELNode) -> RowOperation? {
        guard let kind = node.type.rowKind else { return nil }
        if let constant = constant(node) { return constant }
        switch node.form {
        case .field(let field): return RowOperation(.field(field), kind)
        case .has(let field): return RowOperation(.has(field), .bool)
        case .clock(let clock): return RowOperation(.clock(clock), kind)
        case .call(.contained, let arguments): return contained(arguments)
        case .call(.conditional, let arguments):
            guard kind != .text, let operands = operations(arguments) else { return nil }
            return RowOperation(.choose, kind, operands)
        case .call(let function, let arguments):
            guard let operands = operations(arguments) else { return nil }
            return call(function, arguments, operands, node.type, kind)
        case .literal, .local, .list, .macro: return nil
        }
    }

    private func operations(_ nodes: [CELNode]) -> [RowOperation]? {
        let operations = nodes.compactMap(operation)
        return operations.count == nodes.count ? operations : nil
    }

    /// The value of a node that depends on no column.
    private func known(_ node: CELNode) -> CELValue? {
        var interpreter = CELInterpreter(program: program)
        guard !node.needsRow, case .value(let value) = interpreter.outcome(of: node, { _, _ in .absent }) else {
            return nil
        }
        return value
    }

    /// The constant value of a node, which is computed at compile time.
    private func constant(_ node: CELNode) -> RowOperation? {
        guard let value = known(node) else { return nil }
        switch value {
        case .bool(let bool): return RowOperation(.bool(bool), .bool)
        case .int(let int): return RowOperation(.integer(int, scale: 0), .integer)
        case .number(let number):
            guard number.scale <= ASSAY_ROW_MAX_SCALE, let coefficient = Int64(exactly: number.coefficient) else {
                return nil
            }
            return RowOperation(.integer(coefficient, scale: number.scale), .number)
        case .string(let text): return RowOperation(.text(RowText(text)), .text)
        case .timestamp(let time), .duration(let time):
            return time.nanoseconds == 0 ? RowOperation(.integer(time.seconds, scale: 0), .integer) : nil
        case .list: return nil
        }
    }

    private func call(
        _ function: CELFunction, _ arguments: [CELNode], _ operands: [RowOperation], _ type: CELType,
        _ kind: RowOperation.Kind
    ) -> RowOperation? {
        let types = arguments.map(\.type)
        let swapped = Array(operands.reversed())
        switch function {
        case .and, .or:
            let form: RowOperation.Form = function == .and ? .and : .or
            return operands.dropFirst().reduce(operands[0]) { RowOperation(form, .bool, [$0, $1]) }
        case .not: return RowOperation(.not, .bool, operands)
        case .equal: return RowOperation(.compare(.ASSAY_ROW_EQUAL, isNegated: false), .bool, operands)
        case .notEqual: return RowOperation(.compare(.ASSAY_ROW_EQUAL, isNegated: true), .bool, operands)
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            // Leave `false < true` to the interpreter, because it is rare.
            if types[0] == .bool { return nil }
            let isStrict = function == .less || function == .greater
            let isSwapped = function == .greater || function == .greaterOrEqual
            return RowOperation(
                .compare(isStrict ? .ASSAY_ROW_LESS : .ASSAY_ROW_LESS_OR_EQUAL, isNegated: false), .bool,
                isSwapped ? swapped : operands)
        case .add where kind != .text, .subtract:
            return RowOperation(
                .compute(function == .add ? .ASSAY_ROW_ADD : .ASSAY_ROW_SUBTRACT, bounds: type.wholeSeconds), kind,
                operands)
        case .multiply: return RowOperation(.compute(.ASSAY_ROW_MULTIPLY, bounds: nil), kind, operands)
        case .divide where kind == .integer:
            return RowOperation(.compute(.ASSAY_ROW_DIVIDE, bounds: nil), kind, operands)
        case .modulo: return RowOperation(.compute(.ASSAY_ROW_MODULO, bounds: nil), kind, operands)
        case .negate:
            let zero = RowOperation(.integer(0, scale: 0), kind)
            return RowOperation(.compute(.ASSAY_ROW_SUBTRACT, bounds: type.wholeSeconds), kind, [zero] + operands)
        case .toNumber where types[0] == .int: return RowOperation(.widen, .number, operands)
        case .toNumber where types[0] == .number, .toInt where types[0] == .int, .toString where types[0] == .string,
            .toTimestamp where types[0] == .timestamp, .toDuration where types[0] == .duration,
            .toBool where types[0] == .bool:
            return operands[0]
        case .size where types[0] == .string: return RowOperation(.size, .integer, operands)
        case .startsWith: return RowOperation(.find(.ASSAY_ROW_AT_START), .bool, operands)
        case .endsWith: return RowOperation(.find(.ASSAY_ROW_AT_END), .bool, operands)
        case .contains: return RowOperation(.find(.ASSAY_ROW_ANYWHERE), .bool, operands)
        case .matches(let pattern):
            return RowOperation(.check(.leaf(Leaf(program.patterns[pattern]))), .bool, [operands[0]])
        case .isFormat(let format): return RowOperation(.check(program.formats[format].node), .bool, operands)
        case .part(let part) where types == [.timestamp]: return timePart(part, operands)
        default: return nil
        }
    }

    private func timePart(_ part: CELTimePart, _ operands: [RowOperation]) -> RowOperation? {
        let parts: [CELTimePart: assay_row_part] = [
            .getFullYear: .ASSAY_ROW_YEAR, .getMonth: .ASSAY_ROW_MONTH, .getDate: .ASSAY_ROW_DAY,
            .getDayOfWeek: .ASSAY_ROW_DAY_OF_WEEK, .getDayOfYear: .ASSAY_ROW_DAY_OF_YEAR, .getHours: .ASSAY_ROW_HOUR,
            .getMinutes: .ASSAY_ROW_MINUTE, .getSeconds: .ASSAY_ROW_SECOND,
        ]
        return parts[part].map { RowOperation(.part($0), .integer, operands) }
    }

    /// Whether a value is in a constant list.
    private func contained(_ arguments: [CELNode]) -> RowOperation? {
        guard let value = operation(arguments[0]), case .list(let list) = known(arguments[1]) else { return nil }
        var (texts, numbers): ([String], [Int64]) = ([], [])
        for element in list {
            switch element {
            case .string(let text): texts.append(text)
            case .int(let int): numbers.append(int)
            case .timestamp(let time), .duration(let time):
                if time.nanoseconds == 0 { numbers.append(time.seconds) }
            case .bool, .number, .list: return nil
            }
        }
        switch value.kind {
        case .text:
            if texts.isEmpty { return nil }
            guard let node = try? compiler.compile(.oneOf(texts)) else { return nil }
            return RowOperation(.check(node), .bool, [value])
        case .integer: return RowOperation(.contained(numbers.sorted()), .bool, [value])
        case .bool, .number: return nil
        }
    }
}

extension CELNode {
    /// Whether the value may differ between rows or runs. True for all macros and their variables, which are not
    /// evaluated here.
    var needsRow: Bool {
        switch form {
        case .literal: false
        case .field, .local, .has, .clock, .macro: true
        case .call(_, let arguments): arguments.contains(where: \.needsRow)
        case .list(let elements): elements.contains(where: \.needsRow)
        }
    }

    /// Whether `now()` or `today()` is a part of the node.
    var usesNow: Bool {
        switch form {
        case .literal, .field, .local, .has: false
        case .clock: true
        case .call(_, let arguments): arguments.contains(where: \.usesNow)
        case .list(let elements): elements.contains(where: \.usesNow)
        case .macro(_, let list, _, let body, let map): list.usesNow || body.usesNow || map?.usesNow == true
        }
    }

    /// The columns that the node refers to.
    var fields: Set<Int> {
        switch form {
        case .literal, .local, .clock: []
        case .field(let field), .has(let field): [field]
        case .call(_, let arguments): arguments.reduce(into: []) { $0.formUnion($1.fields) }
        case .list(let elements): elements.reduce(into: []) { $0.formUnion($1.fields) }
        case .macro(_, let list, _, let body, let map): list.fields.union(body.fields).union(map?.fields ?? [])
        }
    }
}
