public import Assay
public import AssayRules

/// The report of a run: the counts, and all data that is needed to repeat it.
public struct RunReport: Sendable {
    /// The version of the report's format. It increases when a reader of the old format would misread the new one.
    public static let formatVersion = 1

    /// The paths of the inputs, one per table or all files of one table; `-` for standard input.
    public var inputs: [String]
    /// The first input.
    public var input: String { inputs[0] }
    /// The paths of the outputs.
    public var paths: OutputPaths
    /// The counts.
    public var result: RunResult
    /// The rules that were run.
    public var rules: RuleFile
    /// The requested engine.
    public var engine: Pattern.Engine
    /// The maximum number of records; `nil` if it was unlimited.
    public var head: Int?
    /// The sample of checked records; `nil` if all were checked.
    package var sample: RecordSample?
    /// The first findings, up to the number that the reports need.
    package var knownFindings: [Finding] = []
    /// Whether another process wrote to the input while it was read.
    public var inputChanged: Bool
    /// The time from start to end, in seconds.
    public var seconds: Double
    /// The number of cells in all outputs that got an apostrophe against formulas. `nil` if this was not requested.
    package var guardedCells: Int?

    package init(
        inputs: [String], paths: OutputPaths, result: RunResult, rules: RuleFile, engine: Pattern.Engine,
        head: Int? = nil, sample: RecordSample? = nil, knownFindings: [Finding] = [], inputChanged: Bool = false,
        seconds: Double
    ) {
        self.inputs = inputs
        self.paths = paths
        self.result = result
        self.rules = rules
        self.engine = engine
        self.head = head
        self.sample = sample
        self.knownFindings = knownFindings
        self.inputChanged = inputChanged
        self.seconds = seconds
    }

    /// Returns the report as JSON. `Docs/assay-report.schema.json` describes its format. It contains no values of the
    /// data, except in aggregates of rules on the table, with ``CleanerOptions/showValues``.
    public func json() -> String { value.pretty + "\n" }

    /// Returns the report in a format. All formats have the figures of ``json()``. Only JSON has the duration and the
    /// number of threads, so that in other formats the same input gives the same bytes. Values of the data are
    /// only in HTML and in aggregates of rules on the table, and only with ``CleanerOptions/showValues``.
    public func text(as format: ReportFormat) -> String {
        switch format {
        case .json: json()
        case .html: html()
        case .markdown: markdown()
        case .sarif: sarif()
        case .junit: junit()
        case .prometheus: prometheus()
        case .annotations: annotations()
        }
    }

    private var value: JSONValue {
        let info = EngineInfo.current
        var members: [(String, JSONValue)] = [
            ("version", .integer(Self.formatVersion)),
            ("assay", .string(assayVersion)),
            (
                "engine",
                .object([
                    ("pcre2", .string(info.pcre2)), ("unicode", .string(info.unicode)),
                    ("dfa", .bool(engine == .dfa)), ("jit", .bool(info.jit && engine != .interpreter)),
                ])
            ),
            ("inputs", .array(zip(inputs, result.inputs).map(inputValue))),
            ("sample", sampleValue),
            ("absentFields", .array(result.absentFields.map { .string($0) })),
            ("columns", .array(result.columns.map(columnValue))),
            ("rows", .array(result.rows.map(ruleValue))),
            (
                "keys",
                .array(
                    result.keys.map { .object([("id", .string($0.id)), ("refused", .integer($0.failed))]) })
            ),
            ("references", .array(result.references.map(referenceValue))),
            ("structure", structureValue(result.structure)),
            ("lineBreaks", result.lineBreaks.value(names: result.header)),
            ("positions", positionsValue),
            (
                "findings",
                .object([("total", .integer(result.findings)), ("dropped", .integer(result.findingsDropped))])
            ),
            ("changes", .integer(result.changes)),
            ("table", .array(result.tableRules.map(\.reportValue))),
            ("thresholds", .array(result.thresholds.map(\.reportValue))),
            ("limits", limitsValue),
            ("rules", .text(rules.json())),
            ("threads", .integer(result.threads)),
            ("seconds", .number((seconds * 1000).rounded() / 1000)),
        ]
        if let now = result.now { members.append(("now", .string(now.description))) }
        if result.overBudget > 0 { members.append(("overBudget", .integer(result.overBudget))) }
        if let guardedCells { members.append(("guardedCells", .integer(guardedCells))) }
        return .object(members)
    }

    private func inputValue(_ path: String, _ counts: RunResult.Input) -> JSONValue {
        .object([
            ("path", .string(path)), ("format", .string(result.format.rawValue)),
            ("compression", .optional(counts.compression?.rawValue)),
            (
                "encoding",
                .object([
                    ("name", .string(counts.encoding.name)), ("origin", .string(counts.encoding.origin.rawValue)),
                    ("nonASCIIBytes", .optional(counts.encoding.origin == .guess ? counts.encoding.evidence : nil)),
                    ("words", .optional(counts.encoding.origin == .guess ? counts.encoding.words : nil)),
                ])
            ),
            (
                "delimiter",
                result.format == .csv
                    ? .object([("text", .string(result.delimiter)), ("chosen", .bool(result.choseDelimiter))]) : .null
            ),
            ("bytes", .integer(counts.bytes)), ("records", .integer(counts.records)),
            ("clean", .integer(counts.clean)), ("rejected", .integer(counts.rejected)),
            ("undecided", .integer(counts.undecided)), ("skippedBlankLines", .integer(counts.skippedBlankLines)),
            ("head", .optional(head)),
            ("changedWhileRead", .bool(inputChanged)),
            (
                "outputs",
                .object([
                    ("clean", .optional(paths.clean)), ("rejects", .optional(paths.rejects)),
                    ("findings", .optional(paths.findings)), ("changes", .optional(paths.changes)),
                ])
            ),
        ])
    }

    private func referenceValue(_ reference: RunResult.Reference) -> JSONValue {
        .object([
            ("id", .string(reference.id)), ("resource", .string(reference.resource)),
            ("records", .integer(reference.records)), ("structure", structureValue(reference.structure)),
            ("encodingGuess", .optional(reference.encodingGuess?.name)),
        ])
    }

    private func structureValue(_ structure: RunResult.Structure) -> JSONValue {
        .object([
            ("fields", .integer(structure.fields)), ("quote", .integer(structure.quote)),
            ("tooLong", .integer(structure.tooLong)), ("encoding", .integer(structure.encoding)),
            ("json", .integer(structure.json)), ("blank", .integer(structure.blank)),
        ])
    }

    private var positionsValue: JSONValue {
        let rejected = result.positions.rejected.map(String.init).joined(separator: ", ")
        return .object([
            ("recordsEach", .integer(result.positions.recordsEach)), ("rejected", .text("[\(rejected)]")),
        ])
    }

    private var sampleValue: JSONValue {
        guard let sample else { return .null }
        let (percent, count): (JSONValue, JSONValue) =
            switch sample.amount {
            case .percent(let percent): (.number(percent), .null)
            case .count(let count): (.null, .integer(count))
            }
        return .object([
            ("percent", percent), ("count", count), ("seed", .text(String(sample.seed))),
            ("read", .integer(result.records + result.leftOut)),
        ])
    }

    private func columnValue(_ column: RunResult.Column) -> JSONValue {
        let repairs = column.repairs.map { repair in
            JSONValue.object([("name", .string(repair.name)), ("changed", .integer(repair.changed))])
        }
        return .object(
            [
                ("name", .string(column.name)), ("missing", .integer(column.missing)),
                ("rejected", .integer(column.rejectedInAll)),
                ("rules", .array(column.rules.map(ruleValue))),
            ] + (repairs.isEmpty ? [] : [("repairs", .array(repairs)), ("unsettled", .integer(column.unsettled))]))
    }

    private func ruleValue(_ rule: RunResult.Rule) -> JSONValue {
        .object([
            ("id", .string(rule.id)), ("failed", .integer(rule.failed)), ("warned", .integer(rule.warned)),
            ("undecided", .integer(rule.undecided)),
        ])
    }

    private var limitsValue: JSONValue {
        .object(Limits.settings.map { ($0.name, .integer($0.value(in: rules.limits))) })
    }
}
