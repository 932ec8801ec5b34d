extension CELProgram {
    /// The result of a function of values, which must have the types that the checker found; `nil`: undecided.
    ///
    /// For all functions except `&&`, `||` and `?:`, which do not need all of their arguments.
    ///
    /// - Parameter budget: Allows the results of the extensions' functions. The caller has charged those of all others.
    package func value(
        of function: CELFunction, _ values: [CELValue], _ budget: inout CELBudget
    ) -> CELValue? {
        switch function {
        case .and, .or, .conditional: preconditionFailure("\(function) has no values for all of its arguments")
        case .not: .bool(values[0] != .bool(true))
        case .equal: .bool(values[0] == values[1])
        case .notEqual: .bool(values[0] != values[1])
        case .less: .bool(CELValue.isLess(values[0], values[1]))
        case .lessOrEqual: .bool(!CELValue.isLess(values[1], values[0]))
        case .greater: .bool(CELValue.isLess(values[1], values[0]))
        case .greaterOrEqual: .bool(!CELValue.isLess(values[0], values[1]))
        case .add, .subtract, .multiply, .divide, .modulo, .negate: arithmetic(function, values)
        case .contained, .index: listAccess(function, values)
        case .size, .startsWith, .endsWith, .contains: text(function, values)
        case .matches(let pattern): matches(patterns[pattern], values[0])
        case .isFormat(let format): isFormat(formats[format], values[0])
        case .math(let function): function.value(values[0])
        case .text(let function): function.value(values, &budget)
        case .lists(let function): function.value(values, &budget)
        case .toInt, .toNumber, .toString, .toBool, .toTimestamp, .toDuration: values[0].converted(by: function)
        case .part(let part): timePart(part, values)
        }
    }

    /// `+ - * / %`, and unary minus.
    private func arithmetic(_ function: CELFunction, _ values: [CELValue]) -> CELValue? {
        switch (function, values[0], values.last!) {
        case (.negate, .int(let value), _): value == .min ? nil : .int(-value)
        case (.negate, .number(let value), _): value.negated.map { .number($0) }
        case (_, .int(let first), .int(let second)): integer(function, first, second).map { .int($0) }
        case (_, .number(let first), .number(let second)): number(function, first, second).map { .number($0) }
        case (.add, .string(let first), .string(let second)): .string(joined(first, second))
        case (.add, .list(let first), .list(let second)): .list(joined(first, second))
        case (.add, .timestamp(let time), .duration(let duration)): timestamp(time.adding(duration))
        case (.subtract, .timestamp(let time), .duration(let duration)): timestamp(time.subtracting(duration))
        case (.subtract, .timestamp(let first), .timestamp(let second)): duration(first.subtracting(second))
        case (.add, .duration(let first), .duration(let second)): duration(first.adding(second))
        case (.subtract, .duration(let first), .duration(let second)): duration(first.subtracting(second))
        default: preconditionFailure("\(function) of \(values)")
        }
    }

    // Without `reserveCapacity`, `+` may allocate twice the size of the result.

    private func joined(_ first: String, _ second: String) -> String {
        var text = ""
        text.reserveCapacity(first.utf8.count + second.utf8.count)
        text += first
        text += second
        return text
    }

    private func joined(_ first: [CELValue], _ second: [CELValue]) -> [CELValue] {
        var list: [CELValue] = []
        list.reserveCapacity(first.count + second.count)
        list += first
        list += second
        return list
    }

    /// The result of an operator on 64-bit ints; `nil` on overflow.
    private func integer(_ function: CELFunction, _ first: Int64, _ second: Int64) -> Int64? {
        let (result, overflow) =
            switch function {
            case .add: first.addingReportingOverflow(second)
            case .subtract: first.subtractingReportingOverflow(second)
            case .multiply: first.multipliedReportingOverflow(by: second)
            case .divide: first.dividedReportingOverflow(by: second)
            default: first.remainderReportingOverflow(dividingBy: second)
            }
        return overflow ? nil : result
    }

    /// The result of an operator on decimal numbers.
    private func number(_ function: CELFunction, _ first: CELNumber, _ second: CELNumber) -> CELNumber? {
        switch function {
        case .add: first.adding(second)
        case .subtract: first.subtracting(second)
        case .multiply: first.multiplied(by: second)
        default: first.divided(by: second)
        }
    }

    /// The result, if it is a valid timestamp.
    private func timestamp(_ time: CELTime?) -> CELValue? {
        time.flatMap { $0.isTimestamp ? .timestamp($0) : nil }
    }

    /// The result, if it is a valid duration.
    private func duration(_ time: CELTime?) -> CELValue? {
        time.flatMap { $0.isDuration ? .duration($0) : nil }
    }

    /// `in`, and `list[index]`.
    private func listAccess(_ function: CELFunction, _ values: [CELValue]) -> CELValue? {
        switch (values[0], values[1]) {
        case (let value, .list(let elements)): .bool(elements.contains(value))
        case (.list(let elements), .int(let index)):
            Int(exactly: index).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
        default: preconditionFailure("\(function) of \(values)")
        }
    }

    /// `size`, `startsWith`, `endsWith` and `contains`.
    private func text(_ function: CELFunction, _ values: [CELValue]) -> CELValue? {
        switch (function, values[0], values.last!) {
        case (.size, .string(let text), _): .int(Int64(text.unicodeScalars.count))
        case (.size, .list(let elements), _): .int(Int64(elements.count))
        case (.startsWith, .string(let text), .string(let start)): .bool(text.utf8.starts(with: start.utf8))
        case (.endsWith, .string(let text), .string(let end)):
            .bool(text.utf8.suffix(end.utf8.count).elementsEqual(end.utf8))
        case (.contains, .string(let text), .string(let part)):
            .bool(withUTF8(of: text) { text in withUTF8(of: part) { text.contains(bytes: $0) } })
        default: preconditionFailure("\(function) of \(values)")
        }
    }

    /// Whether a pattern matches; `nil` if a limit stops the search.
    private func matches(_ pattern: Pattern, _ value: CELValue) -> CELValue? {
        guard case .string(let text) = value else { preconditionFailure("a pattern is matched with a string") }
        return switch pattern.verdict(of: text) {
        case .pass: .bool(true)
        case .fail: .bool(false)
        case .undecided: nil
        }
    }

    /// Whether a text has a format; `nil` if a limit stops the check.
    private func isFormat(_ format: CompiledCheck, _ value: CELValue) -> CELValue? {
        guard case .string(let text) = value else { preconditionFailure("a format is that of a string") }
        return switch format.verdict(of: text) {
        case .pass: .bool(true)
        case .fail: .bool(false)
        case .undecided: nil
        }
    }

    /// A part of a timestamp, in a time zone if there is one, or of a duration.
    private func timePart(_ part: CELTimePart, _ values: [CELValue]) -> CELValue? {
        switch (values[0], values.last!) {
        case (.duration(let time), _): return time.part(ofDuration: part).map { .int($0) }
        case (.timestamp(let time), .string(let zone)):
            guard let offsets = zones[zone] else { preconditionFailure("the checker has found the time zone \(zone)") }
            return .int(time.part(part, in: offsets))
        case (.timestamp(let time), _): return .int(time.part(part))
        default: preconditionFailure("\(part) of \(values)")
        }
    }
}
