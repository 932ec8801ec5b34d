/// A range check for comparable values. NaN is in no range.
final class RangeNode<Value: Comparable & Sendable>: RequirementNode {
    let min: Value?
    let max: Value?
    let minIsExclusive: Bool
    let maxIsExclusive: Bool
    let failure: Reason

    init(min: Value?, max: Value?, minIsExclusive: Bool, maxIsExclusive: Bool) {
        self.min = min
        self.max = max
        self.minIsExclusive = minIsExclusive
        self.maxIsExclusive = maxIsExclusive
        let check = Check.range(
            min: min.map { Bound(Self.text($0), isExclusive: minIsExclusive) },
            max: max.map { Bound(Self.text($0), isExclusive: maxIsExclusive) }, as: Self.type ?? .any)
        failure = Reason(failing: check)
        phrase = check.phrase
        // Data only if the engine compares the values as Swift does, which requires a numeric type and valid bounds.
        self.check = Self.type != nil && (try? CompiledCheck(check)) != nil ? check : nil
    }

    let phrase: Phrase
    let check: Check?
    var expression: RuleExpression? { check.map(RuleExpression.check) }

    private static var type: ValueType? {
        guard let type = (Value.self as? any CellConvertible.Type)?.cellType else { return nil }
        return type == .integer || type == .number ? type : nil
    }

    private static func text(_ value: Value) -> String { cellText(value) ?? "\(value)".withDateInISO8601 }

    func evaluate(_ value: Value) -> Evaluation {
        // NaN is the only value that differs from itself.
        guard value == value else { return .failed(reason: failure) }
        if let min, minIsExclusive ? !(value > min) : !(value >= min) { return .failed(reason: failure) }
        if let max, maxIsExclusive ? !(value < max) : !(value <= max) { return .failed(reason: failure) }
        return .confirmed
    }

    var traceSkeleton: RequirementTrace { RequirementTrace(name: failure.rule ?? "range") }

    var fastPath: any Evaluator<Value> {
        IntRange(self) as? any Evaluator<Value> ?? DoubleRange(self) as? any Evaluator<Value> ?? self
    }
}

// Evaluators for the usual types, because a comparison through the generic type takes ten times as long.

final class IntRange: Evaluator {
    let range: ClosedRange<Int>
    let failure: Reason

    /// `nil` if the node is about another type or accepts no values.
    init?(_ node: RangeNode<some Any>) {
        guard let node = node as? RangeNode<Int> else { return nil }
        let min = (node.min ?? .min).addingReportingOverflow(node.min != nil && node.minIsExclusive ? 1 : 0)
        let max = (node.max ?? .max).subtractingReportingOverflow(node.max != nil && node.maxIsExclusive ? 1 : 0)
        guard !min.overflow, !max.overflow, min.partialValue <= max.partialValue else { return nil }
        range = min.partialValue...max.partialValue
        failure = node.failure
    }

    func evaluate(_ value: Int) -> Evaluation { range.contains(value) ? .confirmed : .failed(reason: failure) }
}

final class DoubleRange: Evaluator {
    let min: Double
    let max: Double
    let failure: Reason

    /// `nil` if the node is about another type, or has an exclusive bound without a next number.
    init?(_ node: RangeNode<some Any>) {
        guard let node = node as? RangeNode<Double> else { return nil }
        if let min = node.min, node.minIsExclusive, min >= .infinity { return nil }
        if let max = node.max, node.maxIsExclusive, max <= -.infinity { return nil }
        min = node.min.map { node.minIsExclusive ? $0.nextUp : $0 } ?? -.infinity
        max = node.max.map { node.maxIsExclusive ? $0.nextDown : $0 } ?? .infinity
        failure = node.failure
    }

    /// NaN is in no range.
    func evaluate(_ value: Double) -> Evaluation {
        value >= min && value <= max ? .confirmed : .failed(reason: failure)
    }
}

/// A requirement that an integer is a multiple of another one, which is greater than 0.
final class MultipleNode<Value: BinaryInteger & Sendable>: RequirementNode {
    let divisor: Value
    let failure: Reason
    let check: Check?
    let phrase: Phrase

    init(_ divisor: Value) {
        self.divisor = divisor
        // A number, as in rule files for integers.
        let check = Check.multiple(of: "\(divisor)")
        failure = Reason(failing: check)
        phrase = check.phrase
        self.check = (Value.self as? any CellConvertible.Type)?.cellType == .integer ? check : nil
    }

    var expression: RuleExpression? { check.map(RuleExpression.check) }

    func evaluate(_ value: Value) -> Evaluation {
        value.isMultiple(of: divisor) ? .confirmed : .failed(reason: failure)
    }

    var traceSkeleton: RequirementTrace { RequirementTrace(name: "number.multipleOf") }
}

extension String {
    /// `2024-02-29T00:00:00Z` for `2024-02-29 00:00:00 +0000`, the description of Foundation's `Date`; any other text
    /// unchanged.
    fileprivate var withDateInISO8601: String {
        let shape = String(map { "0"..."9" ~= $0 ? "0" : $0 })
        return shape == "0000-00-00 00:00:00 +0000" && hasSuffix(" +0000")
            ? "\(prefix(10))T\(dropFirst(11).prefix(8))Z" : self
    }
}

/// A requirement that the value is in a set.
final class SetNode<Value: Hashable & Sendable>: RequirementNode {
    private let values: ByteEqualSet<Value>
    private let count: Int
    let failure: Reason
    let check: Check?
    let columnNode: Node?

    init(_ values: Set<Value>) {
        self.values = ByteEqualSet(values)
        count = values.count
        // NaN never equals a member of the set, but its text would, so a set with NaN is not data.
        let texts = values.filter { $0 == $0 }.compactMap { cellText($0) }.sorted()
        if texts.count == values.count, let type = (Value.self as? any CellConvertible.Type)?.cellType {
            let check = texts.isEmpty ? Check.any([]) : .oneOf(texts, as: type)
            columnNode = (try? CompiledCheck(check))?.node
            self.check = columnNode == nil ? nil : check
        } else {
            columnNode = nil
            check = nil
        }
        failure = check.map(Reason.init(failing:)) ?? Reason(oneOf: values.map { "\($0)" }.sorted())
    }

    var expression: RuleExpression? { check.map(RuleExpression.check) }

    func evaluate(_ value: Value) -> Evaluation { values.contains(value) ? .confirmed : .failed(reason: failure) }

    var traceSkeleton: RequirementTrace { RequirementTrace(name: failure.rule ?? "set") }

    var phrase: Phrase { check?.phrase ?? .plain("one of \(count) values") }
}

/// A property that must be true.
final class PropertyNode<Value>: RequirementNode {
    let keyPath: any KeyPath<Value, Bool> & Sendable
    let failure = Reason(rule: "value.require")

    init(_ keyPath: any KeyPath<Value, Bool> & Sendable) { self.keyPath = keyPath }

    func evaluate(_ value: Value) -> Evaluation {
        value[keyPath: keyPath] ? .confirmed : .failed(reason: failure)
    }

    var traceSkeleton: RequirementTrace { RequirementTrace(name: "value.require") }

    var phrase: Phrase { .plain("true") }

    var expression: RuleExpression? {
        if keyPath as AnyKeyPath == \Bool.self as AnyKeyPath { return .check(.isTrue) }
        return (Value.self as? any RuleRecord.Type)?.name(of: keyPath).map(RuleExpression.require)
    }
}
