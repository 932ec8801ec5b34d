public import Assay
public import AssayRules
internal import CAssay

/// Measures, for somebody's own file and rules, what each rule costs on each engine.
///
/// Some of the file is read into memory; every round then judges all of it on one thread, with each engine in turn, so that
/// what disturbs the machine disturbs both. The best round counts. The engines must count the same failures, but for what
/// a limit stopped.
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
    /// The time of the best round in nanoseconds, and the part of it that finding records and columns takes.
    public var roundNanoseconds = 0.0
    public var readingShare = 0.0

    /// - Parameters:
    ///   - mostBytes: how much of the file is used.
    ///   - rounds: how often it is judged.
    /// - Throws: what ``Cleaner/run(_:to:progress:)`` throws; ``ConservationError`` when the engines disagree.
    public init(_ source: any Source, rules: RuleFile, mostBytes: Int = 64 << 20, rounds: Int = 5) throws {
        let head = try TableHead(source, dialect: rules.dialect, limits: rules.limits)
        let dialect = rules.dialect.cValue(endsAtCR: head.endsAtCR)
        let reader = RecordReader(
            source: source, dialect: dialect, limits: rules.limits, prefix: head.rest, sourceEnded: head.sourceEnded,
            offset: head.prefix.count, lines: head.lines, most: nil,
            rules: rules.schema.fields.reduce(0) { $0 + $1.rules.count + 2 })
        var chunks: [Chunk] = []
        while bytes < mostBytes {
            let chunk = reader.makeChunk()
            guard try reader.next(chunk) else { break }
            bytes += Int(chunk.batch.pointee.consumed)
            records += chunk.recordCount
            chunks.append(chunk)
        }
        self.rounds = rounds
        if records == 0 {
            throw InputError("\(printable(source.name)) has no records to measure", hint: "choose a file with data")
        }

        let schemas = [
            try Self.bind(rules, .jit, head, source: source.name),
            // Some patterns are only right with JIT, and refused without: then there is nothing to compare.
            try? Self.bind(rules, .interpreter, head, source: source.name),
        ].compactMap(\.self)
        var best: [Measurement?] = [nil, nil]
        for _ in 0..<max(1, rounds) {
            for (index, schema) in schemas.enumerated() {
                let measured = Self.measure(chunks, schema, rules, dialect, columnCount: head.columnCount)
                if best[index].map({ measured.total < $0.total }) ?? true { best[index] = measured }
            }
        }
        guard let jit = best[0] else { return }
        let interpreter = best[1]
        roundNanoseconds = jit.total.nanoseconds
        for (index, rule) in schemas[0].rules.enumerated() {
            let one = jit.tally.rules[index]
            let other = interpreter?.tally.rules[index] ?? one
            // Only what a limit stopped may differ between engines.
            guard one.undecided + other.undecided > 0 || one == other else {
                throw ConservationError(
                    message: "rule \(rule.id): \(one.failed) values failed with JIT and \(other.failed) without")
            }
            let timing = jit.timings[index]
            let values = Double(max(1, timing.values))
            rows.append(
                Row(
                    id: rule.id, engine: rule.engine, values: timing.values, failed: one.failed,
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

    private static func bind(
        _ rules: RuleFile, _ engine: Pattern.Engine, _ head: TableHead, source: String
    ) throws -> BoundSchema {
        let schema = try CompiledSchema(
            rules.schema, engine: engine, maxPatternBytes: rules.limits.patternBytes)
        return try BoundSchema(schema, head, source: source)
    }

    private static func measure(
        _ chunks: [Chunk], _ schema: BoundSchema, _ rules: RuleFile, _ dialect: assay_dialect, columnCount: Int
    ) -> Measurement {
        var judge = SchemaJudge(schema, limits: rules.limits.match, timed: true)
        var total = Duration.zero
        for chunk in chunks {
            let start = ContinuousClock.now
            var used = UInt32(chunk.count)
            for first in stride(from: 0, to: chunk.entries, by: SchemaJudge.sliceRows) {
                let rows = min(SchemaJudge.sliceRows, chunk.entries - first)
                let slice = Slice(chunk, first: first, rows: rows, columnCount: columnCount)
                slice.withBroken { broken, _ in
                    slice.judge(&judge, broken: broken, dialect: dialect, used: &used)
                }
            }
            total += start.duration(to: .now)
        }
        return Measurement(total: total, timings: judge.timings, tally: judge.tally)
    }
}

extension Duration {
    fileprivate var nanoseconds: Double { Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9 }
}
