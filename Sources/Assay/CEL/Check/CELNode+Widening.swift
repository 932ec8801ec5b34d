extension CELType {
    /// The common type of both types, if there is one: `number` for `int` and `number`.
    func joined(_ other: CELType) -> CELType? {
        switch (self, other) {
        case (.nothing, _): other
        case (_, .nothing): self
        case (.int, .number), (.number, .int): .number
        case (.list(let first), .list(let second)): first.joined(second).map { .list($0) }
        default: self == other ? self : nil
        }
    }

    /// Whether its values have an order.
    var isOrdered: Bool {
        if case .list = self { false } else { true }
    }
}

extension CELNode {
    /// The same values in a type that ``CELType/joined(_:)`` has returned.
    ///
    /// - Parameter depth: The number of enclosing macros.
    func widened(to type: CELType, depth: Int = 0) -> CELNode {
        if self.type == type { return self }
        switch (form, self.type, type) {
        case (.literal(.int(let value)), _, .number): return CELNode(.literal(.number(CELNumber(value))), type, range)
        case (_, .int, .number): return CELNode(.call(.toNumber, [self]), type, range)
        case (.list(let elements), _, .list(let element)):
            return CELNode(.list(elements.map { $0.widened(to: element, depth: depth) }), type, range)
        case (_, .list(let narrow), .list(let element)) where narrow != .nothing:
            let local = CELNode(.local(depth), narrow, range)
            let body = local.widened(to: element, depth: depth + 1)
            return CELNode(.macro(.map, list: self, local: depth, body: body, map: nil), type, range)
        // A node without values may have any type.
        default: return CELNode(form, type, range)
        }
    }
}
