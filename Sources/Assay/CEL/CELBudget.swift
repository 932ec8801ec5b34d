/// The work and the memory of one evaluation, counted before they are used. A limit that is reached stops the evaluation.
///
///     l.map(x, x + 'a').size()
///       │      │           ╰─ an int holds no memory: back to the mark of this node
///       │      ╰─ temporary: each text, and the list that grows
///       ╰─ kept: a cell is read once and stays
///
/// Steps only add up. Memory is a bound on the values that are held at the same time: values that share storage count once where
/// they share a cell, and more often otherwise.
package struct CELBudget: Sendable {
    /// The most steps of one evaluation. Each node is a step; a text is another one for each 64 bytes that are read or written, a
    /// list one for each element.
    package static let maxSteps = 1_000_000

    package private(set) var steps = 0
    /// The most steps of this one.
    private let limit: Int
    /// The most bytes that are held at the same time.
    package let maxBytes: Int
    /// Bytes of cells, which are held to the end.
    private var kept = 0
    /// Bytes of the other values, as a mark that ``release(to:keeping:)`` goes back to.
    package private(set) var temporary = 0
    /// The most bytes that were held at the same time so far.
    package private(set) var peak = 0
    /// The limit that stopped the evaluation.
    package private(set) var exhausted: CELResource?

    package init(maxBytes: Int, maxSteps: Int = Self.maxSteps) {
        self.maxBytes = maxBytes
        limit = min(maxSteps, Self.maxSteps)
    }

    /// Whether the evaluation may go on.
    var isLeft: Bool { exhausted == nil }

    /// Counts steps that are about to be made.
    ///
    /// - Returns: whether they may be made.
    @discardableResult
    package mutating func spend(_ count: Int) -> Bool {
        guard isLeft else { return false }
        guard count <= limit - steps else {
            steps = limit
            exhausted = .work
            return false
        }
        steps += count
        return true
    }

    /// Counts the steps of reading a value, up to the limit: few lists can be the elements of one another very often.
    mutating func spend(reading value: CELValue) {
        switch value {
        case .string(let text): spend(text.utf8.count / 64)
        case .list(let elements):
            guard spend(elements.count) else { return }
            for element in elements {
                guard element.hasStorage else { continue }
                spend(reading: element)
                if !isLeft { return }
            }
        default: break
        }
    }

    /// Counts bytes that are about to be held.
    ///
    /// - Parameter extra: bytes that are held for a moment beside them.
    /// - Returns: whether they may be held.
    @discardableResult
    package mutating func hold(_ bytes: Int, extra: Int = 0) -> Bool {
        guard isLeft else { return false }
        let total = kept + temporary + bytes
        guard total + extra <= maxBytes else {
            exhausted = .memory
            return false
        }
        temporary += bytes
        peak = max(peak, total + extra)
        return true
    }

    /// Counts a text that is about to be written, by its bytes.
    package mutating func holdText(_ count: Int) -> Bool { spend(count / 64) && hold(CELValue.storage(ofText: count)) }

    /// Appends to a list that only this function appends to, if its growth fits. It has room for four elements, then for eight, and
    /// so on, because the limit must be the same on every machine.
    package mutating func append(_ value: CELValue, to list: inout [CELValue]) -> Bool {
        if list.isEmpty || (list.count >= 4 && list.count.nonzeroBitCount == 1) {
            let room = max(4, 2 * list.count)
            let (old, new) = (CELValue.storage(ofList: list.count), CELValue.storage(ofList: room))
            // Both are held while the elements move.
            guard hold(new - old, extra: old) else { return false }
            list.reserveCapacity(room)
        }
        list.append(value)
        return true
    }

    /// Goes back to the memory that was held at a mark, plus the memory of the outcome.
    mutating func release(to mark: Int, keeping outcome: CELOutcome) {
        switch outcome {
        // Its elements keep the memory that was counted for them.
        case .value(.list): break
        case .value(.string(let text)): temporary = min(temporary, mark + CELValue.storage(ofText: text.utf8.count))
        default: temporary = mark
        }
    }

    /// Reads a cell, whose memory is held to the end. A cell that is beyond a limit does not stop the evaluation, because `has(x)`
    /// needs no value: the outcome names the limit.
    mutating func read(_ cell: (inout CELBudget) -> CELOutcome) -> CELOutcome {
        guard isLeft else { return .undecided }
        var reading = self
        let outcome = cell(&reading)
        steps = reading.steps
        if let exhausted = reading.exhausted { return .exhausted(exhausted) }
        kept += reading.temporary - temporary
        peak = reading.peak
        return outcome
    }

    /// Ends the evaluation at a limit.
    mutating func stop(at resource: CELResource) { exhausted = exhausted ?? resource }
}

/// A resource that each evaluation has a limit of.
package enum CELResource: Int, Hashable, Sendable, CaseIterable {
    case work, memory
}

extension CELValue {
    /// The bytes that a text takes beside its value. The value itself has room for 15.
    static func storage(ofText count: Int) -> Int { count <= 15 ? 0 : (32 + count + 16) & ~15 }

    /// The bytes that a list of `count` elements takes, without the memory of the elements.
    static func storage(ofList count: Int) -> Int { count == 0 ? 0 : 32 + count * MemoryLayout<CELValue>.stride }

    /// Whether it may hold memory beside itself.
    fileprivate var hasStorage: Bool {
        switch self {
        case .string, .list: true
        default: false
        }
    }
}
