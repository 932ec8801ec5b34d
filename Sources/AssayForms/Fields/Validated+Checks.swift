public import Assay

extension Validated where Value: Sendable {
    /// Asks a question that takes time about each value that nothing else is wrong with, until the task is cancelled.
    ///
    ///     // SwiftUI; elsewhere a task of the form's own, which is cancelled with it
    ///     .task { await form.$username.check(Rules.isFree, after: .milliseconds(300)) }
    ///
    /// After each change the validators are asked at once, as ever. Only a value that they and the relations accept is asked
    /// about, after a delay in which it does not change. The last value wins: a change cancels the question about the value
    /// before, and an answer that still comes is dropped. Until there is an answer the field ``isChecking``; then what is wrong
    /// is among its ``errors``, and those who listen are told. Nothing (`nil`) is not asked about, nor what a field that is
    /// validated only when something was entered has of nothing.
    ///
    /// When the closure throws, or a timeout passes, an error says that the value could not be checked; it is undecided
    /// (`Reason.isUndecided`), so that a form may let it pass and leave it to the server; set the value again to ask again. A
    /// value that was set before the task began is asked about as well, when it begins. When the task ends, what was answered
    /// stays true of the value until it changes, or until a task that began later has an answer. Runs on the caller's actor, which
    /// the field belongs to; the question itself runs on none.
    ///
    /// - Parameters:
    ///   - delay: how long a value must stay before it is asked about.
    ///   - clock: what measures the delay; another one for tests.
    public nonisolated(nonsending) func check<Ticker: Clock>(
        _ requirement: AsyncRequirement<Value>, after delay: Duration = .zero, clock: Ticker = ContinuousClock()
    ) async where Ticker.Duration == Duration {
        let (events, sender) = AsyncStream.makeStream(of: CheckEvent.self)
        var ticket = 0
        changeChecks { ticket = $0.begin(sender, isWaiting: hasChanged) }
        var question: Task<Void, Never>?
        // The change of the value that the question is about.
        var asked: Int?
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
                // Several changes may have come before the first was heard of.
                if value != nil && asked == change { continue }
                question?.cancel()
                asked = nil
                guard let value else { continue }
                asked = change
                question = Task {
                    do {
                        if delay > .zero { try await clock.sleep(for: delay) }
                        let reasons = try await requirement.failures(in: value)
                        sender.yield(.answered(reasons, change))
                    } catch {
                        // One that was cancelled has nothing to say: there is a newer one, or nobody asks any more.
                        if !Task.isCancelled { sender.yield(.answered([.unanswered], change)) }
                    }
                }
            case .answered(let reasons, let change):
                // It may have come while the value changed.
                if change != checks.change { continue }
                changeChecks { $0.answer(ticket, reasons) }
                publish()
            }
        }
    }
}

extension Validated {
    /// Whether an answer is awaited about the present value: not yet the time to send the form.
    public var isChecking: Bool { checkable != nil && checks.isWaiting }

    /// The value, if questions that take time are to be asked about it.
    private var checkable: Value? {
        guard let value = wrappedValue, policy == .always || isEntered(value), ownErrors.isEmpty else { return nil }
        return value
    }
}

/// What a task that asks about values hears.
enum CheckEvent: Sendable {
    /// The value, or what it is compared with.
    case changed
    /// The reasons against the value that there was after so many changes.
    case answered([ValidationError], Int)
}

/// The questions about a field that take time: who asks them, and what was answered about the present value.
struct Checks {
    private struct Check {
        /// `nil`: who asked does so no more, and only the answer is left.
        var sender: AsyncStream<CheckEvent>.Continuation?
        /// The reasons against the present value; `nil`: not known yet.
        var reasons: [ValidationError]?
    }

    private var nextTicket = 0
    private var checks: [Int: Check] = [:]

    /// How often the value was set.
    private(set) var change = 0

    var isWaiting: Bool { checks.values.contains { $0.reasons == nil } }

    /// In the order in which the checks began.
    var reasons: [ValidationError] { checks.sorted { $0.key < $1.key }.flatMap { $0.value.reasons ?? [] } }

    mutating func begin(_ sender: AsyncStream<CheckEvent>.Continuation, isWaiting: Bool) -> Int {
        nextTicket += 1
        checks[nextTicket] = Check(sender: sender, reasons: isWaiting ? nil : [])
        return nextTicket
    }

    func isWaiting(_ ticket: Int) -> Bool { checks[ticket]?.reasons == nil }

    /// What was answered is about the value before.
    mutating func forget() {
        change += 1
        checks = checks.filter { $0.value.sender != nil }
        for ticket in checks.keys { checks[ticket]?.reasons = nil }
    }

    func tellChange() {
        for check in checks.values { check.sender?.yield(.changed) }
    }

    /// Answers of tasks that ended before this one began are no longer needed: a view that came back asks the same again.
    mutating func answer(_ ticket: Int, _ reasons: [ValidationError]) {
        checks[ticket]?.reasons = reasons
        checks = checks.filter { $0.key >= ticket || $0.value.sender != nil }
    }

    /// Ends the questions of a task, and keeps the answer about the present value.
    mutating func end(_ ticket: Int) {
        checks[ticket]?.sender = nil
        if checks[ticket]?.reasons?.isEmpty != false { checks[ticket] = nil }
    }
}
