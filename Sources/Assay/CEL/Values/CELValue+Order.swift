extension CELValue {
    /// Whether two values of one type are equal. Strings are equal only if their UTF-8 is the same, while `String`
    /// compares by canonical equivalence.
    package static func == (first: CELValue, second: CELValue) -> Bool {
        switch (first, second) {
        case (.bool(let first), .bool(let second)): first == second
        case (.int(let first), .int(let second)): first == second
        case (.number(let first), .number(let second)): first == second
        case (.string(let first), .string(let second)): first.utf8.elementsEqual(second.utf8)
        case (.timestamp(let first), .timestamp(let second)): first == second
        case (.duration(let first), .duration(let second)): first == second
        case (.list(let first), .list(let second)): first == second
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .string(let value): withUTF8(of: value) { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .timestamp(let value), .duration(let value): hasher.combine(value)
        case .list(let values): hasher.combine(values)
        }
    }

    /// Whether one value is before another of its type: false before true, strings by their code points.
    ///
    /// - Precondition: Both values have the same type, which has an order.
    package static func isLess(_ first: CELValue, _ second: CELValue) -> Bool {
        switch (first, second) {
        case (.bool(let first), .bool(let second)): !first && second
        case (.int(let first), .int(let second)): first < second
        case (.number(let first), .number(let second)): first < second
        // UTF-8 has the order of code points.
        case (.string(let first), .string(let second)): first.utf8.lexicographicallyPrecedes(second.utf8)
        case (.timestamp(let first), .timestamp(let second)): first < second
        case (.duration(let first), .duration(let second)): first < second
        default: preconditionFailure("values that are compared have one type, which has an order")
        }
    }
}
