internal import Assay

/// Who wants to hear of a field's errors. A field validates only while there is somebody.
///
/// Thread-safe, as the field is not: a subscription may be cancelled, and a task end, on any thread.
final class Listeners: Sendable {
    typealias Stream = AsyncStream<[ValidationError]>

    private struct State {
        var nextTicket = 0
        /// A stream for each task; nothing for a subscriber of the publisher, which is told by its subject.
        var members: [Int: Stream.Continuation?] = [:]
    }

    private let state = Lock(State())

    var isEmpty: Bool { state.withLock { $0.members.isEmpty } }

    /// The ticket is what to leave with.
    func join(_ stream: Stream.Continuation? = nil) -> Int {
        state.withLock { state in
            state.nextTicket += 1
            state.members[state.nextTicket] = .some(stream)
            return state.nextTicket
        }
    }

    /// To leave twice is to leave once: operators may cancel what has ended.
    func leave(_ ticket: Int) { state.withLock { _ = $0.members.removeValue(forKey: ticket) } }

    /// The streams, copied: one that is told may end, and leave, at once.
    var streams: [Stream.Continuation] { state.withLock { $0.members.values.compactMap { $0 } } }
}
