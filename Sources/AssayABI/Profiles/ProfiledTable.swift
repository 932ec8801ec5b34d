internal import Assay
internal import AssayFiles
internal import AssayRules
public import CAssayABI

/// The table to profile: a file, or batches that can be read repeatedly.
struct ProfiledTable {
    private enum Input {
        case file(String)
        case batches(
            @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<ArrowArrayStream>?) -> Int32,
            UnsafeMutableRawPointer?)
    }

    private let name: String
    private let input: Input
    private let options: CheckOptions
    /// The dialect and limits for reading the table.
    private let rules: RuleFile

    init(
        _ rules: OpaquePointer?, _ table: UnsafePointer<assay_table>?, _ options: UnsafePointer<assay_options>?
    ) throws {
        guard let given = table else { throw Fault.null("table") }
        let table = try assay_table(reading: given)
        self.options = try CheckOptions(options)
        var file = rules == nil ? RuleFile() : try Rules.behind(rules).file
        switch (table.path, table.open) {
        case (let path?, nil):
            let path = try String(path: path, "path")
            guard FileSource.isFile(at: path) else {
                // Opening a missing file throws an error with the reason.
                if !FileSource.exists(at: path) { _ = try FileSource(path: path) }
                throw Fault(
                    ASSAY_FAULT_INPUT, "\(printable(path)) is no file that can be read again",
                    hint: "it is read more than once: save it as a file first")
            }
            input = .file(path)
            name = path
            if file.dialect.delimiter == nil { file.dialect.delimiter = Dialect.delimiter(suggestedBy: path) }
        case (nil, let open?):
            input = .batches(open, table.context)
            name = table.name.map { String(cString: $0) } ?? "the table"
            file.dialect = Dialect(delimiter: UInt8(ascii: ","))
            file.dialect.encoding = "utf-8"
        default:
            throw Fault(ASSAY_FAULT_ARGUMENT, "assay_table needs either a path or a function that opens it")
        }
        self.rules = file
    }

    /// Profiles the columns.
    func profile() throws -> TableProfile { try look().profile }

    /// Infers rules that fit the table, as YAML with the evidence for each.
    func inferredRules() throws -> String {
        let seen = try look()
        var inference = RuleInference(seen.profile, dialect: seen.dialect, fit: .all)
        let result = try inference.fit { try check($0, suggestsRepairs: $1) }
        let command =
            switch input {
            case .file(let path): "assay check \(printable(path)) --rules THIS-FILE"
            case .batches: "rules.check(\(printable(name)))"
            }
        return inference.text(result, command: command)
    }

    private func look() throws -> (profile: TableProfile, dialect: Dialect) {
        let profiler = try Profiler(rules: rules, options: settings)
        return try withSource { source in
            let prepared = try profiler.prepare(asOne: [source])
            var profile = try profiler.run(prepared, progress: options.runProgress)
            // Users do not see the text form of batches, so its dialect is irrelevant.
            let isFile = if case .file = input { true } else { false }
            profile.isArrow = !isFile
            return (profile, isFile ? prepared.writtenDialect(given: rules.dialect) : Dialect())
        }
    }

    /// Counts the values that the rules refuse, over all records.
    private func check(_ inferred: RuleFile, suggestsRepairs: Bool) throws -> RunResult {
        var inferred = inferred
        inferred.dialect = rules.dialect
        inferred.limits = rules.limits
        var settings = settings
        settings.showValues = true
        settings.suggestsRepairs = suggestsRepairs
        let cleaner = try Cleaner(rules: inferred, options: settings)
        return try withSource { source in
            try cleaner.run(cleaner.prepare(asOne: [source]), progress: options.runProgress)
        }
    }

    private var settings: CleanerOptions {
        var settings = CleanerOptions()
        settings.threads = options.threads
        settings.memory = options.keys.memory
        settings.keptFindings = 0
        if case .batches = input { (settings.format, settings.unpacks) = (.csv, false) }
        return settings
    }

    private func withSource<Result>(_ body: (any Source) throws -> Result) throws -> Result {
        switch input {
        case .file(let path): return try body(FileSource(path: path))
        case .batches(let open, let context):
            var stream = ArrowArrayStream()
            let status = open(context, &stream)
            guard status == 0, stream.release != nil else {
                throw Fault(ASSAY_FAULT_STREAM, "\(printable(name)) could not be opened (error \(status))")
            }
            let text = try TableText(name: name, &stream)
            do {
                let result = try body(text)
                if text.failure == nil { return result }
            } catch {
                throw text.failure ?? error
            }
            throw text.failure!
        }
    }
}

@c @implementation
public func assay_rules_profile(
    _ rules: OpaquePointer?, _ table: UnsafePointer<assay_table>?, _ showsValues: Bool,
    _ options: UnsafePointer<assay_options>?, _ profile: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> UnsafeMutablePointer<assay_fault>? {
    reporting {
        guard let profile else { throw Fault.null("profile") }
        let found = try ProfiledTable(rules, table, options).profile()
        profile.pointee = CText.copy(found.json(showValues: showsValues))
    }
}

@c @implementation
public func assay_rules_infer(
    _ rules: OpaquePointer?, _ table: UnsafePointer<assay_table>?, _ options: UnsafePointer<assay_options>?,
    _ inferred: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> UnsafeMutablePointer<assay_fault>? {
    reporting {
        guard let inferred else { throw Fault.null("inferred") }
        inferred.pointee = CText.copy(try ProfiledTable(rules, table, options).inferredRules())
    }
}
