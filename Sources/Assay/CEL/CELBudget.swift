/// The work and the memory of one evaluation, counted before their use. A limit stops the evaluation.
///
///     l.map(x, x + 'a').size()
///       │      │           ╰─ an int has no storage: back to the mark of this node
///       │      ╰─ temporary: each text, and the growing list
///       ╰─ kept: a cell is read once and stays
///
/// Steps only increase. The memory limit bounds the values that exist at the same time. Values with shared storage
/// count once if they share a cell, and several times otherwise.
package struct CELBudget: Sendable {
    /// The maximum number of steps of one evaluation. Each node is a step. A text adds one step for each 64 bytes that
    /// are read or written, a list one for each element.
    package static let maxSteps = 1_000_000

    package private(set) var steps = 0
    /// The maximum number of steps of this evaluation.
    private let limit: Int
    /// The maximum number of bytes that are held at the same time.
    package let maxBytes: Int
    /// The bytes of cells, which are held until the end.
    private var kept = 0
    /// The bytes of all other values. A node uses the value before its evaluation as the mark for
    /// ``release(to:keeping:)``.
    package private(set) var temporary = 0
    /// The maximum number of bytes held at the same time so far.
    package private(set) var peak = 0
    /// The limit that stopped the evaluation.
    package private(set) var exhausted: CELResource?

    package init(maxBytes: Int, maxSteps: Int = Self.maxSteps) {
        self.maxBytes = maxBytes
        limit = min(maxSteps, Self.maxSteps)
    }

    /// Whether the evaluation may continue.
    var isLeft: Bool { exhausted == nil }

    /// Counts steps before they run.
    ///
    /// - Returns: Whether they may run.
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

    /// Counts the steps of reading a value, up to the limit, because a few lists can repeat one another as elements
    /// very often.
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

    /// Counts bytes before their allocation.
    ///
    /// - Parameter extra: Bytes that are held temporarily in addition.
    /// - Returns: Whether they may be allocated.
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

    /// Counts a text before it is written, by its length in bytes.
    package mutating func holdText(_ count: Int) -> Bool { spend(count / 64) && hold(CELValue.storage(ofText: count)) }

    /// Appends to a list if its growth fits the limit. Only this function may append to the list. The capacity is four
    /// elements, then eight, and so on, because the limit must be the same on every machine.
    package mutating func append(_ value: CELValue, to list: inout [CELValue]) -> Bool {
        if list.isEmpty || (list.count >= 4 && list.count.nonzeroBitCount == 1) {
            let room = max(4, 2 * list.count)
            let (old, new) = (CELValue.storage(ofList: list.count), CELValue.storage(ofList: room))
            // Both buffers are held while the elements move.
            guard hold(new - old, extra: old) else { return false }
            list.reserveCapacity(room)
        }
        list.append(value)
        return true
    }

    /// Returns to the memory held at a mark, plus the memory of the outcome.
    mutating func release(to mark: Int, keeping outcome: CELOutcome) {
        switch outcome {
        // The elements keep their counted memory.
        case .value(.list): break
        case .value(.string(let text)): temporary = min(temporary, mark + CELValue.storage(ofText: text.utf8.count))
        default: temporary = mark
        }
    }

    /// Reads a cell. Its memory is held until the end. A cell that exceeds a limit does not stop the evaluation,
    /// because `has(x)` needs no value: the outcome names the limit.
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

/// A limited resource of an evaluation.
package enum CELResource: Int, Hashable, Sendable, CaseIterable {
    case work, memory
}

extension CELValue {
    /// The bytes that a text uses in addition to its value, which has room for 15.
    static func storage(ofText count: Int) -> Int { count <= 15 ? 0 : (32 + count + 16) & ~15 }

    /// The bytes that a list of `count` elements uses, without the storage of the elements.
    static func storage(ofList count: Int) -> Int { count == 0 ? 0 : 32 + count * MemoryLayout<CELValue>.stride }

    /// Whether the value may have storage in addition to itself.
    fileprivate var hasStorage: Bool {
        switch self {
        case .string, .list: true
        default: false
        }
    }
}

extension CompiledCheck {
    /// The steps of `isFormat` in addition to those of reading the text. A type reads a text once or twice; only
    /// `regex` compiles it as a pattern.
    var steps: Int {
        if case .type(let type) = description, type.format?.hasPrefix("regex") == true { return 10_000 }
        return 16
    }
}
