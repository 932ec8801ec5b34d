public import Assay
public import AssayRules

/// Measures, for somebody's own file and rules, what each rule costs on each engine.
///
/// Some of the file is read into memory; every round then judges all of it on one thread, with each engine in turn, so that
/// what disturbs the machine disturbs both. The best round counts. Before that the engines are held against each other:
/// see ``EngineAgreement``.
public struct RuleBench: Sendable {
    /// One rule's line.
    public struct Row: Hashable, Sendable {
        public var id: String
        /// What it runs on: `nil` for a rule without a pattern, which no engine is needed for.
        public var engine: Pattern.Engine?
        /// Values judged in a round: those that are there and of the right type.
        public var values: Int
        public var failed: Int
        /// Nanoseconds a value, as the rules run, and on the interpreter.
        public var nanoseconds: Double
        public var interpreterNanoseconds: Double?
        /// Its part of the whole time of a round.
        public var share: Double
    }

    public var rows: [Row] = []
    public var bytes = 0
    public var records = 0
    public var rounds = 0
    /// Whether the interpreter could judge, too, and every verdict was the same. `false`: some pattern is refused without JIT.
    public var enginesAgree = false
    /// The time of the best round in nanoseconds, and the part of it that finding records and columns takes.
    public var roundNanoseconds = 0.0
    public var readingShare = 0.0

    /// - Parameters:
    ///   - mostBytes: how much of the file is used.
    ///   - rounds: how often it is judged.
    ///   - guessesDelimiter: as in ``CleanerOptions/guessesDelimiter``.
    /// - Throws: what ``Cleaner/run(_:to:progress:)`` throws; ``ConservationError`` when the engines disagree.
    public init(
        _ source: any Source, rules: RuleFile, mostBytes: Int = 64 << 20, rounds: Int = 5, guessesDelimiter: Bool = true
    ) throws {
        let sample = try BenchSample(
            source, rules: rules, mostBytes: mostBytes, guessesDelimiter: guessesDelimiter)
        (bytes, records, self.rounds) = (sample.bytes, sample.records, rounds)

        let schema = try sample.bind(rules, .jit)
        // Some patterns are only right with JIT, and refused without: then there is nothing to compare.
        let interpreted = try? sample.bind(rules, .interpreter)
        if let interpreted {
            var agreement = EngineAgreement(sample, schema, interpreted, limits: rules.limits.match)
            try agreement.check()
            enginesAgree = true
        }
        let schemas = [schema, interpreted].compactMap(\.self)
        var best: [Measurement?] = [nil, nil]
        for _ in 0..<max(1, rounds) {
            for (index, schema) in schemas.enumerated() {
                let measured = Self.measure(sample, schema, rules)
                if best[index].map({ measured.total < $0.total }) ?? true { best[index] = measured }
            }
        }
        guard let jit = best[0] else { return }
        let interpreter = best[1]
        roundNanoseconds = jit.total.nanoseconds
        for (index, rule) in schema.rules.enumerated() {
            let timing = jit.timings[index]
            let values = Double(max(1, timing.values))
            rows.append(
                Row(
                    id: rule.id, engine: rule.engine, values: timing.values, failed: jit.tally.rules[index].failed,
                    nanoseconds: timing.time.nanoseconds / values,
                    interpreterNanoseconds: rule.engine == .jit
                        ? interpreter.map { $0.timings[index].time.nanoseconds / values } : nil,
                    share: timing.time.nanoseconds / roundNanoseconds))
        }
        readingShare = max(0, 1 - rows.reduce(0) { $0 + $1.share })
    }

    private struct Measurement {
        var total: Duration
        var timings: [RuleTiming]
        var tally: RuleTally
    }

    private static func measure(_ sample: BenchSample, _ schema: BoundSchema, _ rules: RuleFile) -> Measurement {
        var judge = SchemaJudge(schema, limits: rules.limits.match, timed: true)
        var total = Duration.zero
        for chunk in sample.chunks {
            let start = ContinuousClock.now
            var used = UInt32(chunk.count)
            sample.forEachSlice(of: chunk) { slice, broken in
                slice.judge(&judge, broken: broken, dialect: sample.dialect, used: &used)
            }
            total += start.duration(to: .now)
        }
        return Measurement(total: total, timings: judge.timings, tally: judge.tally)
    }
}

extension Duration {
    fileprivate var nanoseconds: Double { Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9 }
}
