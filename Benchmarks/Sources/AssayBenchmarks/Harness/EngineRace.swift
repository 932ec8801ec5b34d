/// The measurements of all engines on one column.
struct EngineRace {
    /// The property that distinguishes the column from others of its pattern, such as "1 % bad".
    let group: String
    let column: Column
    let measurements: [Measurement]
    private let refusing: [String]

    var pattern: String { column.subject.name }
    var label: String { "\(pattern), \(group)" }

    init(_ column: Column, group: String, engines: [Engine], rounds: Int) throws {
        self.group = group
        self.column = column
        var contenders: [Contender] = []
        var refusing: [String] = []
        for engine in engines {
            let values = engine.sample(of: column)
            switch try engine.enter(column, values) {
            case .runs(let run):
                contenders.append(
                    Contender(name: engine.name, work: values, expected: column.passing(values), run: run))
            case .refusesPattern: refusing.append(engine.name)
            case .absent: break
            }
        }
        self.refusing = refusing
        measurements = try race("column of \(column.subject.name), \(group)", rounds: rounds, contenders)
    }

    /// Nanoseconds of processor time per value; nil if the engine has no measurement.
    subscript(engine: Engine) -> Double? { measurements.first { $0.name == engine.name }?.cpuEach }

    func ratio(_ engine: Engine, to other: Engine) -> Double? {
        guard let time = self[engine], let otherTime = self[other] else { return nil }
        return time / otherTime
    }

    /// Returns the cell of a table. For an engine without a measurement it is never 0.
    func text(_ engine: Engine) -> String {
        if let time = self[engine] { return figure(time) }
        return refusing.contains(engine.name) ? "refused" : "absent"
    }

    func text(_ engine: Engine, to other: Engine) -> String {
        ratio(engine, to: other).map { AssayBenchmarks.ratio($0) } ?? "–"
    }
}

extension [EngineRace] {
    /// One table per group: nanoseconds per value, then the ratios of the other engines.
    var tables: [Table] {
        var groups: [String] = []
        for race in self where !groups.contains(race.group) { groups.append(race.group) }
        return groups.map { group in
            let engines = Engine.all
            let ratios: [(String, Engine, Engine)] = [
                ("call/bare", .call, .bare), ("RE2/call", .re2, .call), ("Hyperscan/call", .hyperscan, .call),
                ("NSRegEx/spans", .firstMatch, .spans), ("Regex/spans", .swiftRegex, .spans),
            ]
            var table = Table(["pattern", "bytes"] + engines.map(\.heading) + ratios.map(\.0), title: group)
            for race in self where race.group == group {
                table.add(
                    [race.pattern, figure(race.column.bytesPerValue)] + engines.map(race.text)
                        + ratios.map { race.text($0.1, to: $0.2) })
            }
            return table
        }
    }

    var raw: [(subject: String, measurements: [Measurement])] { map { ($0.label, $0.measurements) } }

    /// The goals of issue 4 for matching on one thread.
    func goals(_ name: String) -> [Goal] {
        func worst(_ what: String, _ engine: Engine, _ other: Engine, _ bound: Goal.Bound) -> Goal {
            .worst(
                "\(name), \(what)",
                of: compactMap { race in race.ratio(engine, to: other).map { (race.label, $0) } }, bound)
        }
        return [
            worst("C call against the bare loop: each", .call, .bare, .atMost(1.02)),
            worst("times RE2: each", .re2, .call, .atLeast(1)),
            worst("times Hyperscan: each", .hyperscan, .call, .atLeast(1)),
            worst("times cached NSRegularExpression: each", .firstMatch, .spans, .atLeast(30)),
        ]
    }
}
