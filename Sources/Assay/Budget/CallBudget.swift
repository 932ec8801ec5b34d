/// The bounds of one call. Values beyond them are undecided.
///
///     let mask = pattern.verdicts(for: names, budget: CallBudget(work: 2_000_000_000, time: .seconds(5)))
///     mask.overBudgetCount        // the values that the budget left undecided
///
/// ``MatchLimits`` bound the work for one value and one rule; this bounds the sum over a call, however many values and
/// rules there are. Work is counted, not timed: with one thread, and without ``time``, the same call leaves the same
/// values undecided on machines with the same processor features and PCRE2.
/// Rules keep the automata of their patterns, so a later call with the same rules needs less work.
public struct CallBudget: Hashable, Sendable {
    /// The most work, in ticks. A tick is nominally a nanosecond of one processor: a byte of a value costs one to 16
    /// for each rule, a step of a row rule 64, and the automaton of a pattern, which is made once, some 100,000 to 10
    /// million. Values that PCRE2 evaluates cost an upper bound, which can be thousands of times the work of a search.
    /// `nil`: no bound.
    public var work: Int?
    /// The most bytes that values of row rules and repaired columns take at the same time, on all threads together.
    /// `nil`: no bound but ``MatchLimits/rowRuleBytes``.
    public var memory: Int?
    /// The most time by the clock: a last resort, because the verdicts then depend on the machine. `nil`: no bound.
    public var time: Duration?

    /// A budget. The parameters are the properties; numbers below 0 count as 0.
    public init(work: Int? = nil, memory: Int? = nil, time: Duration? = nil) {
        self.work = work
        self.memory = memory
        self.time = time
    }
}
