package import Assay
package import AssayRules

/// Measures the cost of each rule on each engine, on the user's file and rules.
///
/// A part of the file is read into memory. Each round then checks it completely on one thread, alternating between the
/// engines, so that disturbances of the machine affect both. The fastest round counts. The engines are compared before
/// that: see ``EngineAgreement``.
package struct RuleBench: Sendable {
    /// The result of one rule.
    package struct Row: Hashable, Sendable {
        package var id: String
        /// The engine of the rule; `nil` for a rule without a pattern.
        package var engine: Pattern.Engine?
        /// The plans of its patterns: the engine for each kind of value.
        package var plans: [String]
        /// The values checked per round: present values of the right type.
        package var values: Int
        package var failed: Int
        package var undecided: Int
        /// Nanoseconds per value on the rule's engine.
        package var nanoseconds: Double
        /// Nanoseconds per value on each engine that can run the rule; empty for rules without a pattern.
        package var nanosecondsByEngine: [Pattern.Engine: Double]
        /// The share of the total time of a round.
        package var share: Double
    }

    /// The result of a column's repairs.
    package struct Repairs: Hashable, Sendable {
        package var column: String
        /// The number of values per round.
        package var values: Int
        /// Nanoseconds per value.
        package var nanoseconds: Double
        /// The share of the total time of a round.
        package var share: Double
    }

    package var rows: [Row] = []
    /// The columns with repairs.
    package var repairs: [Repairs] = []
    package var bytes = 0
    package var records = 0
    package var rounds = 0
    /// The engines that checked everything with equal verdicts. The interpreter is missing if a pattern is refused
    /// without JIT.
    package var engines: [Pattern.Engine] = []
    /// The time of the fastest round in nanoseconds. The next property is the share of finding records and columns.
    package var roundNanoseconds = 0.0
    package var readingShare = 0.0

    /// - Parameters:
    ///   - sample: The records, which were read with the same rules.
    ///   - rounds: The number of rounds.
    ///   - now: The time of all runs.
    /// - Throws: ``InputError`` for columns that the rules do not fit; ``NoMemoryError``;
    ///   ``ConservationError`` if the engines disagree.
    package init(_ sample: BenchSample, rules: RuleFile, rounds: Int, now: Timestamp = .now()) throws {
        (bytes, records, self.rounds) = (sample.bytes, sample.records, rounds)

        let schema = try sample.bind(rules, .dfa)
        // Read these before checking, which compiles DFAs; a short sample might have too few values for that.
        let ruleEngines = schema.rules.map(\.engine)
        let plans = schema.rules.map(\.plans)
        let schemas = [(engine: Pattern.Engine.dfa, schema: schema)] + (try Self.others(sample, schema, rules, now))
        engines = schemas.map(\.engine)
        let best = try Self.measureBest(of: rounds, sample, schemas, rules, now)
        guard let fastest = best[.dfa] else { return }
        roundNanoseconds = fastest.total.nanoseconds
        for (index, rule) in schema.rules.enumerated() {
            let timing = fastest.timings[index]
            let values = Double(max(1, timing.values))
            // Skip an engine that cannot run the rule, because it was measured with its substitute.
            let timedSchemas = schemas.filter { $0.schema.rules[index].engine == $0.engine }
            let times = timedSchemas.map { ($0.engine, best[$0.engine]!.timings[index].time.nanoseconds / values) }
            rows.append(
                Row(
                    id: rule.id, engine: ruleEngines[index], plans: plans[index], values: timing.values,
                    failed: fastest.tally.rules[index].failed, undecided: fastest.tally.rules[index].undecided,
                    nanoseconds: timing.time.nanoseconds / values,
                    nanosecondsByEngine: Dictionary(uniqueKeysWithValues: times),
                    share: timing.time.nanoseconds / roundNanoseconds))
        }
        addRepairs(of: schema, fastest)
        readingShare = max(0, 1 - rows.reduce(0) { $0 + $1.share } - repairs.reduce(0) { $0 + $1.share })
    }

    private mutating func addRepairs(of schema: BoundSchema, _ fastest: Measurement) {
        for (column, timing) in zip(schema.columns, fastest.repairTimings) where !column.repairNames.isEmpty {
            repairs.append(
                Repairs(
                    column: column.name, values: timing.values,
                    nanoseconds: timing.time.nanoseconds / Double(max(1, timing.values)),
                    share: timing.time.nanoseconds / roundNanoseconds))
        }
    }

    /// Returns the schema for each of the other engines, after comparing their verdicts.
    private static func others(
        _ sample: BenchSample, _ schema: BoundSchema, _ rules: RuleFile, _ now: Timestamp
    ) throws -> [(engine: Pattern.Engine, schema: BoundSchema)] {
        try Pattern.Engine.allCases.dropFirst().compactMap { engine in
            // Some patterns are refused without JIT because only JIT is correct for them. There is then no second
            // engine to compare.
            guard let other = try? sample.bind(rules, engine) else { return nil }
            var agreement = try EngineAgreement(sample, schema, other, limits: rules.limits.match, now: now)
            try agreement.check()
            return (engine, other)
        }
    }

    /// Returns the fastest of several rounds of each engine.
    private static func measureBest(
        of rounds: Int, _ sample: BenchSample, _ schemas: [(engine: Pattern.Engine, schema: BoundSchema)],
        _ rules: RuleFile, _ now: Timestamp
    ) throws -> [Pattern.Engine: Measurement] {
        var best: [Pattern.Engine: Measurement] = [:]
        for _ in 0..<max(1, rounds) {
            for (engine, schema) in schemas {
                let measured = try measure(sample, schema, rules, now)
                if best[engine].map({ measured.total < $0.total }) ?? true { best[engine] = measured }
            }
        }
        return best
    }

    private struct Measurement {
        var total: Duration
        var timings: [RuleTiming]
        var repairTimings: [RuleTiming]
        var tally: RuleTally
    }

    private static func measure(
        _ sample: BenchSample, _ schema: BoundSchema, _ rules: RuleFile, _ now: Timestamp
    ) throws(NoMemoryError) -> Measurement {
        var evaluator = try SchemaEvaluator(schema, limits: rules.limits.match, timed: true)
        evaluator.setNow(now)
        var total = Duration.zero
        for chunk in sample.chunks {
            let start = ContinuousClock.now
            try sample.forEachSlice(of: chunk) { slice, broken, used in
                slice.evaluate(&evaluator, broken: broken, dialect: sample.dialect, used: &used)
            }
            total += start.duration(to: .now)
        }
        return Measurement(
            total: total, timings: evaluator.timings, repairTimings: evaluator.repairTimings, tally: evaluator.tally)
    }
}

extension Duration {
    fileprivate var nanoseconds: Double { Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9 }
}
