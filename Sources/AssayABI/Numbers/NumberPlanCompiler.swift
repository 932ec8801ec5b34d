internal import Assay
internal import CAssay

/// Searches the bounds of a field's rules among the numbers of a column.
///
/// The verdict on the text of a number is the only definition of a rule. Because a bound divides the ordered numbers
/// into two parts, a binary search over these verdicts finds the last number that fails and the first one that passes.
/// This also covers forms of text, time zones and the rounding of decimal bounds.
struct NumberPlanCompiler {
    private let field: Field
    private let fieldPlan: FieldPlan
    private let column: NumberColumn
    private let texts: NumberTexts
    /// The type as which texts are compared. A fraction is not an integer, but a bound divides numbers with fractions
    /// as it divides integers.
    private let comparedType: ValueType
    private let support: NumberSupport
    /// The texts of missing values.
    private let missing: [String]

    /// Rules with more values keep the text path, unless the values are integers, which need no search.
    private static let maxSearchedValues = 64

    /// A rule for which the verdicts on texts must be used.
    private struct NotCovered: Error {}

    init?(_ plan: FieldPlan, _ column: NumberColumn) {
        (fieldPlan, self.column, field, missing) = (plan, column, plan.description, plan.missingValues)
        guard let support = NumberSupport(of: field.type, column) else { return nil }
        self.support = support
        comparedType = support.mustBeWhole ? .number : field.type
        guard let texts = NumberTexts(column, as: comparedType) else { return nil }
        self.texts = texts
    }

    func plan() -> NumberPlan? {
        let known = excludingMissing()
        guard let known, (try? expectType(known)) != nil else { return nil }
        var tests: [NumberPlan.Test] = []
        // The rules of the description are last, after `required` and the type.
        let first = fieldPlan.schema.rules.count - field.rules.count
        for (index, rule) in field.rules.enumerated() {
            guard !fieldPlan.schema.rules[first + index].hasFailureReasons,
                let ranges = try? ranges(of: rule.check, within: support.ordinals)
            else { return nil }
            tests.append(NumberPlan.Test(rule: first + index, ranges: ranges.map(column.domain.range)))
        }
        return NumberPlan(
            known: known.map(column.domain.range),
            knowsAll: known == [column.domain.ordinals] && column.domain.isComplete,
            mustBeWhole: support.mustBeWhole, tests: tests)
    }

    // MARK: - Verdicts on texts

    private func compile(_ check: Check) throws(NotCovered) -> CompiledCheck {
        do { return try CompiledCheck(check) } catch { throw NotCovered() }
    }

    private func passes(_ check: CompiledCheck, _ ordinal: Int128) throws(NotCovered) -> Bool {
        switch check.verdict(of: texts.text(ordinal)) {
        case .pass: return true
        case .fail: return false
        case .undecided: throw NotCovered()
        }
    }

    /// The known numbers that do not mean a missing value. `nil` if a text could mean one and is not
    /// recognized here.
    private func excludingMissing() -> [ClosedRange<Int128>]? {
        var known = [support.ordinals]
        for text in missing {
            // The text of each number, date and time has a digit.
            if !text.utf8.contains(where: { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) { continue }
            guard case .integer = column.format else { return nil }
            guard let value = Int128(text), value.description == text else { continue }
            known = known.flatMap { range in
                guard range.contains(value) else { return [range] }
                var parts: [ClosedRange<Int128>] = []
                if range.lowerBound < value { parts.append(range.lowerBound...value - 1) }
                if value < range.upperBound { parts.append(value + 1...range.upperBound) }
                return parts
            }
        }
        return known
    }

    /// Verifies, at the ends of the known numbers and between them, that the texts are of the type.
    private func expectType(_ known: [ClosedRange<Int128>]) throws(NotCovered) {
        let type = try compile(.type(comparedType))
        for range in known {
            for ordinal in [range.lowerBound, middle(range.lowerBound, range.upperBound), range.upperBound] {
                guard try passes(type, ordinal) else { throw NotCovered() }
            }
        }
    }

    // MARK: - Bounds

    /// The numbers that pass a check. The ranges are ascending and have gaps between them.
    private func ranges(
        of check: Check, within all: ClosedRange<Int128>
    ) throws(NotCovered) -> [ClosedRange<Int128>] {
        let found: [ClosedRange<Int128>]
        let whole: Check
        switch check {
        case .range(let min, let max, let type) where type == field.type && support.isOrdered:
            whole = .range(min: min, max: max, as: comparedType)
            found = try range(min: min, max: max, within: all).map { [$0] } ?? []
        case .oneOf(let values, let type) where type == field.type && support.isOrdered:
            whole = .oneOf(values, as: comparedType)
            found = try ranges(of: values, within: all)
        default: throw NotCovered()
        }
        try verify(found, of: try compile(whole), within: all)
        return found
    }

    private func range(
        min: Bound?, max: Bound?, within all: ClosedRange<Int128>
    ) throws(NotCovered) -> ClosedRange<Int128>? {
        var (low, high) = (all.lowerBound, all.upperBound)
        if let min {
            let check = try compile(.range(min: min, max: nil, as: comparedType))
            guard try passes(check, high) else { return nil }
            low = try firstThat(within: all) { (ordinal) throws(NotCovered) in try passes(check, ordinal) }
        }
        if let max {
            let check = try compile(.range(min: nil, max: max, as: comparedType))
            guard try passes(check, all.lowerBound) else { return nil }
            if try !passes(check, high) {
                high = try firstThat(within: all) { (ordinal) throws(NotCovered) in try !passes(check, ordinal) } - 1
            }
        }
        return low <= high ? low...high : nil
    }

    /// The first number with a property that the last number has, and that all numbers after the first one have.
    private func firstThat(
        within all: ClosedRange<Int128>, _ hasProperty: (Int128) throws(NotCovered) -> Bool
    ) throws(NotCovered) -> Int128 {
        var (low, high) = (all.lowerBound, all.upperBound)
        while low < high {
            let middle = middle(low, high)
            if try hasProperty(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The numbers that equal one of some values.
    private func ranges(
        of values: [String], within all: ClosedRange<Int128>
    ) throws(NotCovered) -> [ClosedRange<Int128>] {
        var found: [ClosedRange<Int128>] = []
        var searched = 0
        for value in values {
            if case .integer = column.format, let integer = Int128(value) {
                if all.contains(integer) { found.append(integer...integer) }
                continue
            }
            searched += 1
            if searched > Self.maxSearchedValues { throw NotCovered() }
            if let equal = try range(min: Bound(value), max: Bound(value), within: all) { found.append(equal) }
        }
        found.sort { $0.lowerBound < $1.lowerBound }
        return found.reduce(into: []) { merged, range in
            if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
    }

    /// Verifies the verdicts on both sides of each end of the ranges, and at the ends of all numbers.
    private func verify(
        _ ranges: [ClosedRange<Int128>], of check: CompiledCheck, within all: ClosedRange<Int128>
    ) throws(NotCovered) {
        func expect(_ ordinal: Int128, _ verdict: Bool) throws(NotCovered) {
            guard all.contains(ordinal) else { return }
            guard try passes(check, ordinal) == verdict else { throw NotCovered() }
        }
        for range in ranges {
            try expect(range.lowerBound - 1, false)
            try expect(range.lowerBound, true)
            try expect(range.upperBound, true)
            try expect(range.upperBound + 1, false)
        }
        for ordinal in [all.lowerBound, all.upperBound, middle(all.lowerBound, all.upperBound)] {
            try expect(ordinal, ranges.contains { $0.contains(ordinal) })
        }
    }
}

/// The mean, rounded down. The sum could overflow.
private func middle(_ low: Int128, _ high: Int128) -> Int128 { (low & high) + ((low ^ high) >> 1) }

/// The texts of single numbers, in the form of a column.
private final class NumberTexts {
    private let domain: NumberDomain
    private let memory: UnsafeMutableRawPointer
    private let writer: any ValueWriter
    private var text = TextBuffer()

    init?(_ column: NumberColumn, as type: ValueType) {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
        guard let writer = TextStyle(type: type).writer(column.format, UnsafeRawPointer(memory), start: 0) else {
            memory.deallocate()
            return nil
        }
        (self.memory, self.writer, domain) = (memory, writer, column.domain)
    }

    deinit { memory.deallocate() }

    func text(_ ordinal: Int128) -> String {
        domain.store(ordinal, to: memory)
        text.removeAll()
        writer.append(0, to: &text)
        return String(decoding: UnsafeBufferPointer(start: text.bytes, count: text.count), as: UTF8.self)
    }
}
