public import Assay

extension Validated where Value: Sendable {
    /// Runs an asynchronous requirement on each value that has no other errors, until the task is cancelled.
    ///
    ///     // SwiftUI; elsewhere, a task that the form cancels
    ///     .task { await form.$username.check(Rules.isFree, after: .milliseconds(300)) }
    ///
    /// After each change, the validators run at once, as usual. The requirement runs only for values that validators
    /// and relations accept, after a delay in which the value does not change. A change cancels the check of the
    /// previous value, and a late result is dropped. Until there is a result, ``isChecking`` is true. Failures are then
    /// added to the field's ``errors``, and listeners are notified. `nil` is not checked, and with
    /// ``ValidationPolicy/ifNotEmpty``, empty values are not checked.
    ///
    /// If the requirement throws or reaches its timeout, the field has an undecided error (`Reason.isUndecided`),
    /// because the value could not be checked. A form may accept such a value and leave the check to the server. Set
    /// the value again to retry. A value that was set before the task began is checked when the task begins. After the
    /// task ends, its result applies to the value until the value changes, or until a task that began later has a
    /// result. Runs on the caller's actor, which must be that of the field; the requirement itself runs outside it.
    ///
    /// - Parameters:
    ///   - delay: The time for which a value must not change before it is checked.
    ///   - clock: The clock that measures the delay. Tests can pass another one.
    public nonisolated(nonsending) func check<Ticker: Clock>(
        _ requirement: AsyncRequirement<Value>, after delay: Duration = .zero, clock: Ticker = ContinuousClock()
    ) async where Ticker.Duration == Duration {
        let (events, sender) = AsyncStream.makeStream(of: CheckEvent.self)
        var ticket = 0
        changeChecks { ticket = $0.begin(sender, isWaiting: hasChanged) }
        var question: Task<Void, Never>?
        // The change count of the value that `question` checks.
        var requested: Int?
        defer {
            question?.cancel()
            changeChecks { $0.end(ticket) }
        }
        sender.yield(.changed)
        for await event in events {
            switch event {
            case .changed:
                let change = checks.change
                let value = checks.isWaiting(ticket) ? checkable : nil
                // This change may have been handled already, because the value can change several times before the
                // first event is handled.
                if value != nil && requested == change { continue }
                question?.cancel()
                requested = nil
                guard let value else { continue }
                requested = change
                question = Task {
                    do {
                        if delay > .zero { try await clock.sleep(for: delay) }
                        let reasons = try await requirement.failures(in: value)
                        sender.yield(.answered(reasons, change))
                    } catch {
                        // A cancelled check has no result: the value changed, or the task ended.
                        if !Task.isCancelled { sender.yield(.answered([.unanswered], change)) }
                    }
                }
            case .answered(let reasons, let change):
                // The value may have changed since the check began.
                if change != checks.change { continue }
                changeChecks { $0.answer(ticket, reasons) }
                publish()
            }
        }
    }
}

extension Validated {
    /// Whether a result for the current value is pending. Do not send the form yet.
    public var isChecking: Bool { checkable != nil && checks.isWaiting }

    /// The value, if asynchronous requirements should check it; otherwise `nil`.
    private var checkable: Value? {
        guard let value = wrappedValue, policy == .always || isEntered(value), ownErrors.isEmpty else { return nil }
        return value
    }
}

/// An event for a task that checks values.
enum CheckEvent: Sendable {
    /// The value changed, or another value changed with which a relation compares it.
    case changed
    /// The reasons against the value with the given change count.
    case answered([ValidationError], Int)
}

/// The asynchronous checks of a field, with their results for the current value.
struct Checks {
    private struct Check {
        /// The task's event stream; `nil` if the task has ended and only its result remains.
        var sender: AsyncStream<CheckEvent>.Continuation?
        /// The reasons against the current value; `nil` if they are not known yet.
        var reasons: [ValidationError]?
    }

    private var nextTicket = 0
    private var checks: [Int: Check] = [:]

    /// The number of times that the value was set.
    private(set) var change = 0

    var isWaiting: Bool { checks.values.contains { $0.reasons == nil } }

    /// The reasons, in the order in which the checks began.
    var reasons: [ValidationError] { checks.sorted { $0.key < $1.key }.flatMap { $0.value.reasons ?? [] } }

    mutating func begin(_ sender: AsyncStream<CheckEvent>.Continuation, isWaiting: Bool) -> Int {
        nextTicket += 1
        checks[nextTicket] = Check(sender: sender, reasons: isWaiting ? nil : [])
        return nextTicket
    }

    func isWaiting(_ ticket: Int) -> Bool { checks[ticket]?.reasons == nil }

    /// Discards results, because they are about the previous value.
    mutating func forget() {
        change += 1
        checks = checks.filter { $0.value.sender != nil }
        for ticket in checks.keys { checks[ticket]?.reasons = nil }
    }

    func reportChange() {
        for check in checks.values { check.sender?.yield(.changed) }
    }

    /// Stores a result. Results of ended tasks that began before this one are removed, because a view that reappears
    /// runs the same check again.
    mutating func answer(_ ticket: Int, _ reasons: [ValidationError]) {
        checks[ticket]?.reasons = reasons
        checks = checks.filter { $0.key >= ticket || $0.value.sender != nil }
    }

    /// Ends the check of a task and keeps its failures for the current value.
    mutating func end(_ ticket: Int) {
        checks[ticket]?.sender = nil
        if checks[ticket]?.reasons?.isEmpty != false { checks[ticket] = nil }
    }
}
