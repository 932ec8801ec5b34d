/// The functions of CEL's list and set extensions that return a list or a bool.
///
/// Source: cel-go, "ext/lists.go" and "ext/sets.go".
package enum CELListFunction: Hashable, Sendable {
    /// `list.distinct()`: the elements without later equal ones.
    case distinct
    /// `list.slice(start, end)`: the elements from `start` up to but not including `end`.
    case slice
    /// `list.sort()`: the elements in ascending order.
    case sort
    /// `list.reverse()`.
    case reverse
    /// `sets.contains(list, list)`: whether the first list has all elements of the second one.
    case containsAll
    /// `sets.equivalent(list, list)`: whether each list has all elements of the other one.
    case isEquivalent
    /// `sets.intersects(list, list)`: whether the lists have an equal element.
    case intersects

    /// The methods of lists, by name.
    static let methods: [String: CELListFunction] = ["distinct": .distinct, "slice": .slice, "sort": .sort]
    /// The functions of the namespace `sets`, by name.
    static let sets: [String: CELListFunction] = [
        "contains": .containsAll, "equivalent": .isEquivalent, "intersects": .intersects,
    ]

    /// The result; `nil` if an index is out of range, or if the budget does not allow the result.
    ///
    /// The caller has charged the steps of reading the arguments. Sorting and the table of a set read each element up
    /// to 20 times more for a list of a million elements, and are charged for it.
    ///
    /// - Complexity: O(*n* log *n*) for *n* elements.
    func value(_ values: [CELValue], _ budget: inout CELBudget) -> CELValue? {
        guard case .list(let list) = values[0] else { preconditionFailure("\(self) of \(values)") }
        if case .list(let other) = values.last!, values.count == 2 {
            guard let first = Self.set(list, &budget), let second = Self.set(other, &budget) else { return nil }
            switch self {
            case .containsAll: return .bool(second.isSubset(of: first))
            case .isEquivalent: return .bool(second == first)
            default: return .bool(!second.isDisjoint(with: first))
            }
        }
        switch self {
        case .distinct:
            guard var left = Self.set(list, &budget), budget.hold(CELValue.storage(ofList: list.count)) else {
                return nil
            }
            return .list(list.filter { left.remove($0) != nil })
        case .sort:
            let rounds = list.count.bitWidth - list.count.leadingZeroBitCount
            for _ in 0..<rounds { budget.spend(reading: .list(list)) }
            return budget.hold(2 * CELValue.storage(ofList: list.count)) ? .list(list.sorted(by: CELValue.isLess)) : nil
        case .reverse: return budget.hold(CELValue.storage(ofList: list.count)) ? .list(list.reversed()) : nil
        default:
            guard case .int(let start) = values[1], case .int(let end) = values[2], 0 <= start, start <= end,
                end <= list.count, budget.hold(CELValue.storage(ofList: Int(end - start)))
            else { return nil }
            return .list(Array(list[Int(start)..<Int(end)]))
        }
    }

    /// The elements as a set; `nil` if the budget does not allow it. A set has at most four slots for each element.
    private static func set(_ list: [CELValue], _ budget: inout CELBudget) -> Set<CELValue>? {
        budget.spend(reading: .list(list))
        return budget.hold(4 * CELValue.storage(ofList: list.count)) ? Set(list) : nil
    }
}
