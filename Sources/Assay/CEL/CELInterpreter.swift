extension CELProgram {
    /// What comes of the expression for one row: the plain version, which says what is right.
    ///
    /// The work is bounded: an expression that goes through too much is undecided as a whole (``CELInterpreter/budget``).
    ///
    /// - Parameter field: the cell of a variable, by its place: its value, or why there is none.
    package func outcome(_ field: (Int) -> CELOutcome) -> CELOutcome {
        var interpreter = CELInterpreter(program: self)
        let outcome = interpreter.outcome(of: root, field)
        return interpreter.steps > CELInterpreter.budget ? .undecided : outcome
    }
}

/// Runs an expression, node by node.
///
/// Where several arguments of a function have no value, absent wins over undecided: whatever the other were, the result would be absent.
/// Not so in `&&`, `||`, `all` and `exists`, which the other may decide: there undecided wins. The order of evaluation does not matter.
/// `all` and `exists` are `&&` and `||` over the elements, so that in a list that is written out, as in `[a, b].all(q, q >= 0)`, each
/// element has a value or none for itself.
struct CELInterpreter {
    /// The most steps of one evaluation. Each node is a step; a string is another one for each 64 bytes that are read or
    /// written, a list one for each element.
    static let budget = 1_000_000

    /// The steps of a match without a DFA, whose work is bounded by the match limits only: tens of milliseconds at worst.
    private static let matchSteps = 20_000

    let program: CELProgram
    private(set) var steps = 0
    /// What the macros around are at, the outermost first.
    private var locals: [CELOutcome] = []

    init(program: CELProgram) { self.program = program }

    /// What comes of a node and what is below it.
    mutating func outcome(of node: CELNode, _ field: (Int) -> CELOutcome) -> CELOutcome {
        steps += 1
        if steps > Self.budget { return .undecided }
        switch node.form {
        case .literal(let value): return .value(value)
        case .field(let index): return field(index)
        case .local(let index): return locals[index]
        case .has(let index): return .value(.bool(field(index) != .absent))
        case .list(let elements): return values(of: elements, field).mapped { .value(.list($0)) }
        case .call(.and, let arguments): return decided(arguments, by: false, field)
        case .call(.or, let arguments): return decided(arguments, by: true, field)
        case .call(.conditional, let arguments): return conditional(arguments, field)
        case .call(let function, let arguments):
            return values(of: arguments, field).mapped { result(of: function, $0) }
        case .macro(let macro, let list, let local, let body, let map):
            precondition(local == locals.count, "locals are numbered by the macros around them")
            if case .list(let nodes) = list.form, macro == .all || macro == .exists {
                let elements = nodes.map { self.outcome(of: $0, field) }
                return result(of: macro, elements, body, map, field)
            }
            let outcome = outcome(of: list, field)
            guard case .value(.list(let elements)) = outcome else { return outcome }
            return result(of: macro, elements.lazy.map { .value($0) }, body, map, field)
        }
    }

    /// `&&` and `||`: the value that decides wins over errors.
    private mutating func decided(
        _ arguments: [CELNode], by decisive: Bool, _ field: (Int) -> CELOutcome
    ) -> CELOutcome {
        var error: CELOutcome?
        for argument in arguments {
            let outcome = outcome(of: argument, field)
            if outcome == .value(.bool(decisive)) { return outcome }
            error = error.worse(outcome, first: .undecided)
        }
        return error ?? .value(.bool(!decisive))
    }

    /// `? :`: one of two, and only that is run.
    private mutating func conditional(_ arguments: [CELNode], _ field: (Int) -> CELOutcome) -> CELOutcome {
        switch outcome(of: arguments[0], field) {
        case .value(let condition): outcome(of: arguments[condition == .bool(true) ? 1 : 2], field)
        case let error: error
        }
    }

    /// The values of some nodes, or why there are none.
    private mutating func values(of nodes: [CELNode], _ field: (Int) -> CELOutcome) -> Values {
        var values: [CELValue] = []
        var error: CELOutcome?
        values.reserveCapacity(nodes.count)
        for node in nodes {
            let outcome = outcome(of: node, field)
            if case .value(let value) = outcome { values.append(value) } else { error = error.worse(outcome) }
        }
        return error.map { .error($0) } ?? .values(values)
    }

    /// What a function makes of its arguments, if the budget allows to read them.
    private mutating func result(of function: CELFunction, _ values: [CELValue]) -> CELOutcome {
        if function.readsAll {
            for value in values { charge(value) }
            if case .matches(let pattern) = function, case .none = program.patterns[pattern].dfa {
                steps += Self.matchSteps
            }
            if steps > Self.budget { return .undecided }
        }
        return program.value(of: function, values).map { .value($0) } ?? .undecided
    }

    /// Counts the steps of reading a value, up to the budget: few lists can be the elements of one another very often.
    private mutating func charge(_ value: CELValue) {
        switch value {
        case .string(let text): steps += text.utf8.count / 64
        case .list(let elements):
            steps += elements.count
            for element in elements where steps <= Self.budget { charge(element) }
        default: break
        }
    }

    /// What a macro makes of the elements of a list. It stops early where the answer is known; otherwise it asks for all of
    /// them, so that the worst error is found.
    private mutating func result(
        of macro: CELMacro, _ elements: some Sequence<CELOutcome>, _ body: CELNode, _ map: CELNode?,
        _ field: (Int) -> CELOutcome
    ) -> CELOutcome {
        var error: CELOutcome?
        var kept: [CELValue] = []
        func keep(_ outcome: CELOutcome) {
            if case .value(let value) = outcome { kept.append(value) }
        }
        for element in elements {
            locals.append(element)
            defer { locals.removeLast() }
            let outcome = outcome(of: body, field)
            guard case .value(let value) = outcome else {
                error = error.worse(outcome, first: macro == .all || macro == .exists ? .undecided : .absent)
                continue
            }
            switch macro {
            case .all: if value == .bool(false) { return outcome }
            case .exists: if value == .bool(true) { return outcome }
            case .existsOne, .filter: if value == .bool(true) { keep(element) }
            case .map:
                guard let map else {
                    kept.append(value)
                    continue
                }
                guard value == .bool(true) else { continue }
                let mapped = self.outcome(of: map, field)
                if case .value(let value) = mapped { kept.append(value) } else { error = error.worse(mapped) }
            }
        }
        if let error { return error }
        return switch macro {
        case .all: .value(.bool(true))
        case .exists: .value(.bool(false))
        case .existsOne: .value(.bool(kept.count == 1))
        case .filter, .map: .value(.list(kept))
        }
    }
}

/// The arguments of a function, or why it has none.
private enum Values {
    case values([CELValue])
    case error(CELOutcome)

    /// What a function makes of them; without them, why there are none.
    func mapped(_ transform: ([CELValue]) -> CELOutcome) -> CELOutcome {
        switch self {
        case .values(let values): transform(values)
        case .error(let error): error
        }
    }
}

extension CELOutcome? {
    /// The worse of two errors; a value is none.
    ///
    /// - Parameter first: the worst.
    fileprivate func worse(_ outcome: CELOutcome, first: CELOutcome = .absent) -> CELOutcome? {
        if self == first || outcome == first { return first }
        if case .value = outcome { return self }
        return outcome
    }
}

extension CELFunction {
    /// Whether it goes through all of its arguments.
    fileprivate var readsAll: Bool {
        switch self {
        case .index: false
        default: true
        }
    }
}
