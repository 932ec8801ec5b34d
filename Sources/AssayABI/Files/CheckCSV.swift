internal import Assay
internal import AssayEvaluation
internal import AssayFiles
internal import AssayRules
public import CAssayABI

/// A file in memory.
private final class MemorySource: Source {
    let name = "the text"
    let byteCount: Int?
    // SAFETY: the caller lends the bytes for the call; they are only read.
    nonisolated(unsafe) private let bytes: UnsafeBufferPointer<UInt8>
    private let place = Lock(0)

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        byteCount = bytes.count
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        place.withLock { place in
            let part = bytes[place...].prefix(buffer.count)
            buffer.copyBytes(from: part)
            place += part.count
            return part.count
        }
    }
}

@c @implementation
public func assay_rules_check_csv(
    _ rules: OpaquePointer?, _ bytes: UnsafePointer<UInt8>?, _ count: Int, _ options: UnsafePointer<assay_options>?,
    _ result: UnsafeMutablePointer<OpaquePointer?>?
) -> UnsafeMutablePointer<assay_fault>? {
    reporting {
        guard let result else { throw Fault.null("result") }
        let rules = try Rules.behind(rules)
        try rules.refuseTableRules()
        let options = try CheckOptions(options)
        let text = bytes.map { UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) }
        let source = MemorySource(try borrowedBytes(text, count, "bytes"))
        let run = try rules.cleaner(options) { $0.keptFindings = .max }.run(source, progress: options.runProgress)
        result.pointee = CheckResult(run, options: options).retained()
    }
}

extension Rules {
    /// A cleaner with these rules, which uses the threads of the options.
    ///
    /// - Parameter path: the path of the file, whose name may determine the delimiter.
    func cleaner(
        _ options: CheckOptions, path: String? = nil, dialect: Dialect? = nil,
        _ adjust: (inout CleanerOptions) -> Void = { _ in }
    ) throws -> Cleaner {
        if options.keys.seen != nil || options.keys.secret != nil {
            throw Fault(
                ASSAY_FAULT_ARGUMENT,
                "assay_options.seen and key_secret are for columns and Arrow: CSV is a table of its own")
        }
        if options.keys.references != nil {
            throw Fault(
                ASSAY_FAULT_ARGUMENT,
                "assay_options.references is for columns and Arrow: the foreign keys of CSV refer to files")
        }
        var settings = CleanerOptions()
        settings.threads = options.threads
        settings.memory = options.keys.memory
        settings.budget = options.budget
        settings.now = options.now
        // As in the command, the rules have precedence over the file name, and the name over detection.
        var file = file
        if let dialect { file.dialect = dialect }
        if file.dialect.delimiter == nil, let path {
            file.dialect.delimiter = Dialect.delimiter(suggestedBy: path)
        }
        adjust(&settings)
        return try Cleaner(rules: file, schema: schema, options: settings)
    }
}

extension CheckOptions {
    /// The caller's progress callback as a callback of the cleaner.
    var runProgress: (@Sendable (RunProgress) -> BulkControl)? {
        guard let progress else { return nil }
        return { [self] state in
            let total = UInt64(state.totalBytes ?? 0)
            // Count only the bytes of the input.
            let bytes: Int
            switch state.stage {
            case .records, .writing: bytes = state.bytes
            case .references, .waiting, .keys: bytes = 0
            }
            return progress(progressContext, UInt64(bytes), total) ? .proceed : .cancel
        }
    }
}

extension CheckResult {
    /// The result of checking CSV.
    fileprivate convenience init(_ run: RunResult, options: CheckOptions) {
        var totals = assay_totals()
        totals.records = UInt64(run.records)
        totals.clean = UInt64(run.clean)
        totals.rejected = UInt64(run.rejected)
        totals.undecided = UInt64(run.undecided)
        totals.findings = UInt64(run.findings)

        var texts = KnownTexts()
        let findings = run.firstFindings.map { finding in
            ListedFinding(
                rule: texts.rule(finding), isUndecided: finding.code == "undecided",
                record: options.firstRecord + finding.record, line: finding.line, offset: finding.offset)
        }
        func count(_ rule: RunResult.Rule, column: String?) -> RuleCount {
            RuleCount(
                rule: RuleTexts(
                    ReportedRule(column: column, id: rule.id, code: "", message: "", severity: rule.severity)),
                failed: UInt64(rule.failed + rule.warned), undecided: UInt64(rule.undecided))
        }
        var counts = run.columns.flatMap { column in column.rules.map { count($0, column: column.name) } }
        counts += run.rows.map { count($0, column: nil) }
        let columns = Set(run.columns.map { ByteEqualString($0.name) })
        counts += run.keys.map { rule in
            let fields = rule.keyColumns
            let isColumn = fields.count == 1 && columns.contains(ByteEqualString(fields[0]))
            return count(rule, column: isColumn ? fields[0] : nil)
        }
        for (id, count) in run.structure.byCode {
            let rule = ReportedRule(structure: id, "")
            counts.append(RuleCount(rule: RuleTexts(rule), failed: UInt64(count), undecided: 0))
        }
        if options.budget != nil {
            counts.append(RuleCount(rule: RuleTexts(.budget), failed: 0, undecided: UInt64(run.overBudget)))
        }
        let rejected = run.columns.map { (ByteEqualString($0.name), UInt64($0.rejectedInAll)) }
        let list = Body.list(
            findings, counts: counts, rejected: Dictionary(rejected, uniquingKeysWith: { first, _ in first }))
        self.init(list, totals: totals, overBudget: run.overBudget, ticks: run.budgetTicks, options: options)
    }
}

/// The texts of findings, one for each kind.
private struct KnownTexts {
    private struct Key: Hashable {
        let column: ByteEqualString?
        let rule: ByteEqualString
        let code: String
        let message: ByteEqualString
    }

    private var known: [Key: RuleTexts] = [:]

    mutating func rule(_ finding: Finding) -> RuleTexts {
        let key = Key(
            column: finding.column.map(ByteEqualString.init), rule: ByteEqualString(finding.rule), code: finding.code,
            message: ByteEqualString(finding.message))
        if let rule = known[key] { return rule }
        let rule = RuleTexts(
            ReportedRule(
                column: finding.column, id: finding.rule, code: finding.code, message: finding.message,
                severity: finding.severity, undecidedMessage: finding.message))
        known[key] = rule
        return rule
    }
}
