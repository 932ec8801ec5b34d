extension CELType {
    /// The type that values of both types have, if there is one: that of numbers for ints and numbers.
    func joined(_ other: CELType) -> CELType? {
        switch (self, other) {
        case (.nothing, _): other
        case (_, .nothing): self
        case (.int, .number), (.number, .int): .number
        case (.list(let first), .list(let second)): first.joined(second).map { .list($0) }
        default: self == other ? self : nil
        }
    }

    /// Whether its values come one before another.
    var isOrdered: Bool {
        if case .list = self { false } else { true }
    }
}

extension CELNode {
    /// The same values, as ones of a type that ``CELType/joined(_:)`` has found.
    ///
    /// - Parameter depth: how many macros are around.
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
        // What has no values may be called anything.
        default: return CELNode(form, type, range)
        }
    }
}
