/// Reads a member of a record for CEL expressions.
struct MemberReader<Record>: Sendable {
    let variable: CELVariable
    let outcome: @Sendable (Record, inout CELBudget) -> CELOutcome
}

/// A part of a record that holds an optional cell or several cells.
private protocol CellPart: RuleCodable {
    associatedtype Cell: CellConvertible

    static func celType(of cell: CELType) -> CELType
    func outcome(_ budget: inout CELBudget, _ cell: (Cell, inout CELBudget) -> CELOutcome) -> CELOutcome
}

extension Optional: CellPart where Wrapped: CellConvertible {
    static func celType(of cell: CELType) -> CELType { cell }

    func outcome(_ budget: inout CELBudget, _ cell: (Wrapped, inout CELBudget) -> CELOutcome) -> CELOutcome {
        map { cell($0, &budget) } ?? .absent
    }
}

extension Array: CellPart where Element: CellConvertible {
    static func celType(of cell: CELType) -> CELType { .list(cell) }

    func outcome(_ budget: inout CELBudget, _ cell: (Element, inout CELBudget) -> CELOutcome) -> CELOutcome {
        var values: [CELValue] = []
        for element in self {
            guard budget.spend(1), case .value(let value) = cell(element, &budget), budget.append(value, to: &values)
            else { return .undecided }
        }
        return .value(.list(values))
    }
}

extension RuleRecord {
    /// Returns the compiled expression of a rule. Its variables are members of this type.
    ///
    /// - Throws: The first mistake in the expression.
    package static func celProgram(_ text: String) throws(CELMistake) -> CELProgram {
        let readers = (try? cellReaders()) ?? []
        return try CELProgram(compiling: text, variables: readers.map(\.variable))
    }

    /// The members that expressions can use.
    static func cellReaders() throws(CompileError) -> [MemberReader<Self>] {
        var readers: [MemberReader<Self>] = []
        for member in members {
            if let reader = try member.part.reader(member.name) { readers.append(reader) }
        }
        return readers
    }
}

extension RulePart {
    /// The reader of the part; `nil` if the part does not hold cells.
    fileprivate func reader(_ name: String) throws(CompileError) -> MemberReader<Record>? {
        func ofCell<Cell: CellConvertible>(_: Cell.Type) throws(CompileError) -> MemberReader<Record>? {
            guard let part = TypedPart<Record, Cell>(self) else { return nil }
            let read = try Self.reader(of: Cell.self)
            return MemberReader(variable: CELVariable(name, Cell.cellType.celType)) {
                read($0[keyPath: part.keyPath], &$1)
            }
        }
        func ofPart<Container: CellPart>(_: Container.Type) throws(CompileError) -> MemberReader<Record>? {
            guard let part = TypedPart<Record, Container>(self) else { return nil }
            let read = try Self.reader(of: Container.Cell.self)
            let type = Container.celType(of: Container.Cell.cellType.celType)
            return MemberReader(variable: CELVariable(name, type)) {
                $0[keyPath: part.keyPath].outcome(&$1, read)
            }
        }
        if let type = Part.self as? any CellConvertible.Type { return try ofCell(type) }
        if let type = Part.self as? any CellPart.Type { return try ofPart(type) }
        return nil
    }

    private static func reader<Cell: CellConvertible>(
        of type: Cell.Type
    ) throws(CompileError) -> @Sendable (Cell, inout CELBudget) -> CELOutcome {
        let variable = try RowVariable(Cell.cellType)
        return { variable.outcome(of: $0.cellText, &$1) }
    }
}
