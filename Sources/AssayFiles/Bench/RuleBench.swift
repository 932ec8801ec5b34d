package import Assay
package import AssayRules

/// Measures, for somebody's own file and rules, what each rule costs on each engine.
///
/// Some of the file is read into memory; every round then judges all of it on one thread, with each engine in turn, so that
/// what disturbs the machine disturbs both. The best round counts. Before that the engines are held against each other:
/// see ``EngineAgreement``.
package struct RuleBench: Sendable {
    /// One rule's line.
    package struct Row: Hashable, Sendable {
        package var id: String
        /// What it runs on: `nil` for a rule without a pattern, which no engine is needed for.
        package var engine: Pattern.Engine?
        /// The plans of its patterns: which engine judges which values.
        package var plans: [String]
        /// Values judged in a round: those that are there and of the right type.
        package var values: Int
        package var failed: Int
        package var undecided: Int
        /// Nanoseconds a value, as the rules run.
        package var nanoseconds: Double
        /// The same on each engine that can judge the rule; empty where none is needed.
        package var nanosecondsByEngine: [Pattern.Engine: Double]
        /// Its part of the whole time of a round.
        package var share: Double
    }

    /// The line of the repairs of a column.
    package struct Repairs: Hashable, Sendable {
        package var column: String
        /// Values that were looked at in a round.
        package var values: Int
        /// Nanoseconds a value.
        package var nanoseconds: Double
        /// Their part of the whole time of a round.
        package var share: Double
    }

    package var rows: [Row] = []
    /// Of the columns that have some.
    package var repairs: [Repairs] = []
    package var bytes = 0
    package var records = 0
    package var rounds = 0
    /// The engines that judged everything, and gave the same verdicts. The interpreter is not among them where some pattern is
    /// refused without JIT.
    package var engines: [Pattern.Engine] = []
    /// The time of the best round in nanoseconds, and the part of it that finding records and columns takes.
    package var roundNanoseconds = 0.0
    package var readingShare = 0.0

    /// - Parameters:
    ///   - mostBytes: how much of the file is used.
    ///   - rounds: how often it is judged.
    /// - Throws: what ``Cleaner/run(_:to:progress:)`` throws; ``LimitError``; ``NoMemoryError``; ``ConservationError`` when the
    ///   engines disagree.
    package init(
        _ source: any Source, rules: RuleFile, format: InputFormat? = nil, formatIsImplied: Bool = false,
        mostBytes: Int = 64_000_000, rounds: Int = 5
    ) throws {
        try rules.limits.check()
        let sample = try BenchSample(
            source, rules: rules, format: format, formatIsImplied: formatIsImplied, mostBytes: mostBytes)
        (bytes, records, self.rounds) = (sample.bytes, sample.records, rounds)

        let schema = try sample.bind(rules, .dfa)
        // Asked before anything is judged: that makes the DFAs, for which a short sample would have too few values.
        let ruleEngines = schema.rules.map(\.engine)
        let plans = schema.rules.map(\.plans)
        var schemas = [(engine: Pattern.Engine.dfa, schema: schema)]
        for engine in Pattern.Engine.allCases.dropFirst() {
            // Some patterns are only right with JIT, and refused without: then there is nothing to compare.
            guard let other = try? sample.bind(rules, engine) else { continue }
            var agreement = try EngineAgreement(sample, schema, other, limits: rules.limits.match)
            try agreement.check()
            schemas.append((engine, other))
        }
        engines = schemas.map(\.engine)
        var best: [Pattern.Engine: Measurement] = [:]
        for _ in 0..<max(1, rounds) {
            for (engine, schema) in schemas {
                let measured = try Self.measure(sample, schema, rules)
                if best[engine].map({ measured.total < $0.total }) ?? true { best[engine] = measured }
            }
        }
        guard let fastest = best[.dfa] else { return }
        roundNanoseconds = fastest.total.nanoseconds
        for (index, rule) in schema.rules.enumerated() {
            let timing = fastest.timings[index]
            let values = Double(max(1, timing.values))
            // An engine that the rule cannot run on was measured as the one it runs on instead.
            let judged = schemas.filter { $0.schema.rules[index].engine == $0.engine }
            let times = judged.map { ($0.engine, best[$0.engine]!.timings[index].time.nanoseconds / values) }
            rows.append(
                Row(
                    id: rule.id, engine: ruleEngines[index], plans: plans[index], values: timing.values,
                    failed: fastest.tally.rules[index].failed, undecided: fastest.tally.rules[index].undecided,
                    nanoseconds: timing.time.nanoseconds / values,
                    nanosecondsByEngine: Dictionary(uniqueKeysWithValues: times),
                    share: timing.time.nanoseconds / roundNanoseconds))
        }
        for (column, timing) in zip(schema.columns, fastest.repairTimings) where !column.repairNames.isEmpty {
            repairs.append(
                Repairs(
                    column: column.name, values: timing.values,
                    nanoseconds: timing.time.nanoseconds / Double(max(1, timing.values)),
                    share: timing.time.nanoseconds / roundNanoseconds))
        }
        readingShare = max(0, 1 - rows.reduce(0) { $0 + $1.share } - repairs.reduce(0) { $0 + $1.share })
    }

    private struct Measurement {
        var total: Duration
        var timings: [RuleTiming]
        var repairTimings: [RuleTiming]
        var tally: RuleTally
    }

    private static func measure(_ sample: BenchSample, _ schema: BoundSchema, _ rules: RuleFile) throws(NoMemoryError)
        -> Measurement
    {
        var judge = try SchemaJudge(schema, limits: rules.limits.match, timed: true)
        var total = Duration.zero
        for chunk in sample.chunks {
            let start = ContinuousClock.now
            try sample.forEachSlice(of: chunk) { slice, broken, used in
                slice.judge(&judge, broken: broken, dialect: sample.dialect, used: &used)
            }
            total += start.duration(to: .now)
        }
        return Measurement(total: total, timings: judge.timings, repairTimings: judge.repairTimings, tally: judge.tally)
    }
}

extension Duration {
    fileprivate var nanoseconds: Double { Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9 }
}
