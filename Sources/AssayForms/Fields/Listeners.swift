internal import Assay

/// The listeners to a field's errors. Setting the value of a field validates it only if there are listeners.
///
/// Thread-safe, unlike the field, because a subscription may be cancelled, and a task may end, on any thread.
final class Listeners: Sendable {
    typealias Stream = AsyncStream<[ValidationError]>

    private struct State {
        var nextTicket = 0
        /// The stream of each task; `nil` for a subscriber of the publisher, which gets errors from its subject.
        var members: [Int: Stream.Continuation?] = [:]
    }

    private let state = Lock(State())

    var isEmpty: Bool { state.withLock { $0.members.isEmpty } }

    /// Adds a listener. Returns the ticket for ``leave(_:)``.
    func join(_ stream: Stream.Continuation? = nil) -> Int {
        state.withLock { state in
            state.nextTicket += 1
            state.members[state.nextTicket] = .some(stream)
            return state.nextTicket
        }
    }

    /// Removes a listener. A second call has no effect, because operators may cancel a finished subscription.
    func leave(_ ticket: Int) { state.withLock { _ = $0.members.removeValue(forKey: ticket) } }

    /// A copy of the streams, because a notified listener may end and leave at once.
    var streams: [Stream.Continuation] { state.withLock { $0.members.values.compactMap { $0 } } }
}
