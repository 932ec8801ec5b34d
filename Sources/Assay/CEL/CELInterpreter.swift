extension CELProgram {
    /// The outcome of the expression for one row. This is the plain version, which defines the correct result.
    ///
    /// Work and memory are bounded: an expression that reaches a limit of ``CELBudget`` is undecided as a whole, and
    /// the outcome names the limit.
    ///
    /// - Parameters:
    ///   - maxBytes: The maximum memory of values that exist at the same time.
    ///   - now: The time of the run; `nil`: the clock is read if the expression needs it.
    ///   - cell: The outcome of the cell of a variable, by its place: a value, or the reason for its absence. It is
    ///     called at most once for each variable, and must count the memory of the value.
    package func outcome(
        maxBytes: Int = MatchLimits.usualRowRuleBytes, now: Timestamp? = nil,
        _ cell: (Int, inout CELBudget) -> CELOutcome
    ) -> CELOutcome {
        var interpreter = CELInterpreter(program: self, now: now, maxBytes: maxBytes)
        return interpreter.outcome(cell)
    }
}

/// Evaluates an expression, node by node.
///
/// If several arguments of a function have no value, absent takes precedence over undecided, because the result would
/// be absent for any value of the other arguments. In `&&`, `||`, `all` and `exists`, undecided takes precedence,
/// because the other argument could decide the result. The order of evaluation does not matter. `all` and `exists` are
/// `&&` and `||` over the elements. The elements of a list literal, as in `[a, b].all(q, q >= 0)`, are therefore
/// present or missing independently. An undecided element makes the list undecided, as in CEL.
package struct CELInterpreter {
    let program: CELProgram
    /// The time of the run; `nil` if the expression does not need it.
    private let now: Timestamp?
    package private(set) var budget: CELBudget
    /// The cells that were read, by their places in ``CELProgram/fields``.
    private var cells: [CELOutcome?] = []
    /// The current elements of the enclosing macros, outermost first.
    private var locals: [CELOutcome] = []

    package init(
        program: CELProgram, now: Timestamp? = nil, maxBytes: Int = MatchLimits.usualRowRuleBytes,
        maxSteps: Int = CELBudget.maxSteps
    ) {
        self.program = program
        self.now = program.usesNow ? now ?? .current : nil
        budget = CELBudget(maxBytes: maxBytes, maxSteps: maxSteps)
    }

    /// The outcome of the whole expression.
    package mutating func outcome(_ cell: (Int, inout CELBudget) -> CELOutcome) -> CELOutcome {
        let outcome = outcome(of: program.root, cell)
        return budget.exhausted.map { .exhausted($0) } ?? outcome
    }

    /// The outcome of a node and its descendants.
    mutating func outcome(of node: CELNode, _ cell: (Int, inout CELBudget) -> CELOutcome) -> CELOutcome {
        guard budget.spend(1) else { return .undecided }
        let mark = budget.temporary
        let outcome = run(node, cell)
        budget.release(to: mark, keeping: outcome)
        return outcome
    }

    private mutating func run(_ node: CELNode, _ cell: (Int, inout CELBudget) -> CELOutcome) -> CELOutcome {
        switch node.form {
        case .literal(let value): return .value(value)
        case .field(let index):
            let outcome = read(index, cell)
            if case .exhausted(let resource) = outcome { budget.stop(at: resource) }
            return outcome
        case .local(let index): return locals[index]
        case .has(let index): return .value(.bool(read(index, cell) != .absent))
        case .clock(let clock):
            guard let now else { preconditionFailure("a program knows whether it needs the time") }
            return .value(.timestamp(clock.value(at: now)))
        case .list(let elements):
            guard budget.hold(CELValue.storage(ofList: elements.count)) else { return .undecided }
            return values(of: elements, cell).mapped { .value(.list($0)) }
        case .call(.and, let arguments): return decided(arguments, by: false, cell)
        case .call(.or, let arguments): return decided(arguments, by: true, cell)
        case .call(.conditional, let arguments): return conditional(arguments, cell)
        case .call(let function, let arguments):
            return values(of: arguments, cell).mapped { result(of: function, $0) }
        case .macro(let macro, let list, let local, let body, let map):
            precondition(local == locals.count, "locals are numbered by the macros around them")
            if case .list(let nodes) = list.form, macro == .all || macro == .exists {
                return result(of: macro, eachOf: nodes, body, cell)
            }
            let outcome = outcome(of: list, cell)
            guard case .value(.list(let elements)) = outcome else { return outcome }
            return result(of: macro, elements.lazy.map { .value($0) }, body, map, cell)
        }
    }

    /// The outcome of a cell. Each cell is read once.
    private mutating func read(_ index: Int, _ cell: (Int, inout CELBudget) -> CELOutcome) -> CELOutcome {
        if cells.isEmpty { cells = Array(repeating: nil, count: program.fields.count) }
        let place = program.place(ofField: index)
        if let known = cells[place] { return known }
        let outcome = budget.read { cell(index, &$0) }
        cells[place] = outcome
        return outcome
    }

    /// `&&` and `||`: the decisive value takes precedence over errors.
    private mutating func decided(
        _ arguments: [CELNode], by decisive: Bool, _ cell: (Int, inout CELBudget) -> CELOutcome
    ) -> CELOutcome {
        var error: CELOutcome?
        for argument in arguments where budget.isLeft {
            let outcome = outcome(of: argument, cell)
            if outcome == .value(.bool(decisive)) { return outcome }
            error = error.worse(outcome, first: .undecided)
        }
        return error ?? .value(.bool(!decisive))
    }

    /// `? :`: evaluates only one of the two branches.
    private mutating func conditional(
        _ arguments: [CELNode], _ cell: (Int, inout CELBudget) -> CELOutcome
    ) -> CELOutcome {
        switch outcome(of: arguments[0], cell) {
        case .value(let condition): outcome(of: arguments[condition == .bool(true) ? 1 : 2], cell)
        case let error: error
        }
    }

    /// The values of some nodes, or the worst error.
    private mutating func values(
        of nodes: [CELNode], _ cell: (Int, inout CELBudget) -> CELOutcome
    ) -> Values {
        var values: [CELValue] = []
        var error: CELOutcome?
        values.reserveCapacity(nodes.count)
        for node in nodes where budget.isLeft {
            let outcome = outcome(of: node, cell)
            if case .value(let value) = outcome { values.append(value) } else { error = error.worse(outcome) }
        }
        if !budget.isLeft { return .error(.undecided) }
        return error.map { .error($0) } ?? .values(values)
    }

    /// The result of a function, if the budget allows reading the arguments and holding the result.
    private mutating func result(of function: CELFunction, _ values: [CELValue]) -> CELOutcome {
        for value in values where function.reads(value) { budget.spend(reading: value) }
        budget.hold(function.storage(of: values))
        if case .isFormat(let format) = function { budget.spend(program.formats[format].steps) }
        guard budget.isLeft else { return .undecided }
        if case .matches(let pattern) = function, case .string(let text) = values[0] {
            return matches(program.patterns[pattern], text)
        }
        return program.value(of: function, values, &budget).map { .value($0) } ?? .undecided
    }

    /// Whether a text matches. The work of PCRE2 is charged after the match, because the match limits bound it.
    private mutating func matches(_ pattern: Pattern, _ text: String) -> CELOutcome {
        let (verdict, ticks) = pattern.countedVerdict(of: text)
        guard budget.spend(ticks / BudgetAccount.ticksPerStep), verdict != .undecided else { return .undecided }
        return .value(.bool(verdict == .pass))
    }

    /// `all` and `exists` of a list literal.
    private mutating func result(
        of macro: CELMacro, eachOf nodes: [CELNode], _ body: CELNode, _ cell: (Int, inout CELBudget) -> CELOutcome
    ) -> CELOutcome {
        guard budget.hold(nodes.count * MemoryLayout<CELOutcome>.stride) else { return .undecided }
        var elements: [CELOutcome] = []
        elements.reserveCapacity(nodes.count)
        for node in nodes where budget.isLeft { elements.append(outcome(of: node, cell)) }
        if !budget.isLeft || elements.contains(.undecided) { return .undecided }
        return result(of: macro, elements, body, nil, cell)
    }

    /// The result of a macro over the elements of a list. It stops early if the answer is known or the budget is
    /// exhausted. Otherwise it processes all elements, so that it finds the worst error.
    private mutating func result(
        of macro: CELMacro, _ elements: some Sequence<CELOutcome>, _ body: CELNode, _ map: CELNode?,
        _ cell: (Int, inout CELBudget) -> CELOutcome
    ) -> CELOutcome {
        var error: CELOutcome?
        var kept: [CELValue] = []
        var count = 0
        for element in elements {
            locals.append(element)
            defer { locals.removeLast() }
            let outcome = outcome(of: body, cell)
            guard budget.isLeft else { return .undecided }
            guard case .value(let value) = outcome else {
                error = error.worse(outcome, first: macro == .all || macro == .exists ? .undecided : .absent)
                continue
            }
            switch macro {
            case .all: if value == .bool(false) { return outcome }
            case .exists: if value == .bool(true) { return outcome }
            case .existsOne: if value == .bool(true) { count += 1 }
            case .filter:
                if value == .bool(true), case .value(let element) = element { _ = budget.append(element, to: &kept) }
            case .map:
                var mapped = outcome
                if let map {
                    guard value == .bool(true) else { continue }
                    mapped = self.outcome(of: map, cell)
                }
                if case .value(let value) = mapped {
                    _ = budget.append(value, to: &kept)
                } else {
                    error = error.worse(mapped)
                }
            }
            guard budget.isLeft else { return .undecided }
        }
        if let error { return error }
        return switch macro {
        case .all: .value(.bool(true))
        case .exists: .value(.bool(false))
        case .existsOne: .value(.bool(count == 1))
        case .filter, .map: .value(.list(kept))
        }
    }
}

/// The arguments of a function, or the worst error.
private enum Values {
    case values([CELValue])
    case error(CELOutcome)

    /// The result of a function of the values, or the error.
    func mapped(_ transform: ([CELValue]) -> CELOutcome) -> CELOutcome {
        switch self {
        case .values(let values): transform(values)
        case .error(let error): error
        }
    }
}

extension CELOutcome? {
    /// The worse of two errors; a value is not an error.
    ///
    /// - Parameter first: The worst error.
    fileprivate func worse(_ outcome: CELOutcome, first: CELOutcome = .absent) -> CELOutcome? {
        if self == first || outcome == first { return first }
        if case .value = outcome { return self }
        return outcome
    }
}

extension CELFunction {
    /// Whether the function reads all of an argument.
    fileprivate func reads(_ value: CELValue) -> Bool {
        switch (self, value) {
        case (.index, _), (.size, .list): false
        default: true
        }
    }

    /// The maximum number of bytes of the result, without those of its arguments.
    fileprivate func storage(of values: [CELValue]) -> Int {
        switch (self, values[0], values.last!) {
        case (.add, .string(let first), .string(let second)):
            CELValue.storage(ofText: first.utf8.count + second.utf8.count)
        case (.add, .list(let first), .list(let second)): CELValue.storage(ofList: first.count + second.count)
        case (.toString, .string, _): 0
        case (.toString, _, _): CELValue.storage(ofText: CELNumber.maxTextBytes)
        default: 0
        }
    }
}
