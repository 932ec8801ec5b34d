import Assay

extension CELProgram {
    /// The outcome of the expression for cells given as values.
    func outcome(_ cell: (Int) -> CELOutcome) -> CELOutcome { outcome { index, _ in cell(index) } }
}

/// Runs an expression as cel-spec describes it, without limits: it evaluates all nodes, and lists are loops over their
/// elements.
struct CELPlainEvaluator {
    let program: CELProgram
    let cells: [CELOutcome]
    /// The number of nodes evaluated so far.
    private(set) var visits = 0
    private var locals: [CELOutcome] = []
    /// The time of the run, on the first day of 1970.
    static let now = Timestamp(secondsSince1970: 82_800, nanoseconds: 5)!

    init(_ program: CELProgram, _ cells: [CELOutcome]) { (self.program, self.cells) = (program, cells) }

    mutating func outcome() -> CELOutcome { outcome(of: program.root) }

    private mutating func outcome(of node: CELNode) -> CELOutcome {
        visits += 1
        switch node.form {
        case .literal(let value): return .value(value)
        case .field(let index): return cells[index]
        case .local(let index): return locals[index]
        case .has(let index): return .value(.bool(cells[index] != .absent))
        case .clock(let clock): return .value(.timestamp(clock == .now ? Self.now.time : CELTime(seconds: 0)))
        case .list(let nodes): return all(nodes.map { outcome(of: $0) }) { .list($0) }
        case .call(.and, let nodes): return connective(nodes.map { outcome(of: $0) }, decisive: false)
        case .call(.or, let nodes): return connective(nodes.map { outcome(of: $0) }, decisive: true)
        case .call(.conditional, let nodes):
            let condition = outcome(of: nodes[0])
            guard case .value(let value) = condition else { return condition }
            return outcome(of: nodes[value == .bool(true) ? 1 : 2])
        case .call(let function, let nodes): return all(nodes.map { outcome(of: $0) }) { result(of: function, $0) }
        case .macro(let macro, let list, _, let body, let map): return result(of: macro, list, body, map)
        }
    }

    /// Applies a function if all its arguments are values.
    private func all(_ outcomes: [CELOutcome], _ function: ([CELValue]) -> CELValue?) -> CELOutcome {
        var values: [CELValue] = []
        for outcome in outcomes { if case .value(let value) = outcome { values.append(value) } }
        if outcomes.contains(.absent) { return .absent }
        return values.count < outcomes.count ? .undecided : function(values).map { .value($0) } ?? .undecided
    }

    private func connective(_ outcomes: [CELOutcome], decisive: Bool) -> CELOutcome {
        if outcomes.contains(.value(.bool(decisive))) { return .value(.bool(decisive)) }
        return outcomes.contains(.undecided)
            ? .undecided : outcomes.contains(.absent) ? .absent : .value(.bool(!decisive))
    }

    /// Functions of lists and texts in their simplest form. For the other functions, uses the program.
    private func result(of function: CELFunction, _ values: [CELValue]) -> CELValue? {
        switch (function, values[0], values.last!) {
        case (.add, .list(let first), .list(let second)): .list(first + second)
        case (.add, .string(let first), .string(let second)): .string(first + second)
        case (.index, .list(let list), .int(let index)):
            index >= 0 && index < list.count ? list[Int(index)] : nil
        case (.contained, let value, .list(let list)): .bool(list.contains { $0 == value })
        case (.size, .list(let list), _): .int(Int64(list.count))
        default: unlimited(function, values)
        }
    }

    private func unlimited(_ function: CELFunction, _ values: [CELValue]) -> CELValue? {
        var budget = CELBudget(maxBytes: .max / 2)
        return program.value(of: function, values, &budget)
    }

    private mutating func result(
        of macro: CELMacro, _ list: CELNode, _ body: CELNode, _ map: CELNode?
    ) -> CELOutcome {
        var elements: [CELOutcome]
        if case .list(let nodes) = list.form, macro == .all || macro == .exists {
            // Each element may be missing separately, but an error applies to the whole list.
            elements = nodes.map { outcome(of: $0) }
            if elements.contains(.undecided) { return .undecided }
        } else {
            let outcome = outcome(of: list)
            guard case .value(.list(let values)) = outcome else { return outcome }
            elements = values.map { .value($0) }
        }
        func outcomes(_ node: CELNode, _ elements: [CELOutcome]) -> [CELOutcome] {
            elements.map { element in
                locals.append(element)
                defer { locals.removeLast() }
                return outcome(of: node)
            }
        }
        let found = outcomes(body, elements)
        let chosen = zip(elements, found).filter { $1 == .value(.bool(true)) }.map(\.0)
        switch macro {
        case .all: return connective(found, decisive: false)
        case .exists: return connective(found, decisive: true)
        case .existsOne: return all(found) { _ in .bool(chosen.count == 1) }
        case .filter: return all(found) { _ in all(chosen) { .list($0) }.value }
        case .map:
            guard let map else { return all(found) { .list($0) } }
            // An error in a condition applies to the whole result, like an error in a mapped element.
            let mapped = outcomes(map, chosen)
            return all(found.filter { !$0.isValue } + mapped) { .list($0) }
        }
    }
}

extension CELOutcome {
    fileprivate var value: CELValue? { if case .value(let value) = self { value } else { nil } }
    fileprivate var isValue: Bool { value != nil }
}
