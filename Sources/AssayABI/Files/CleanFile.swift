internal import Assay
internal import AssayFiles
internal import AssayRules
public import CAssayABI

@c @implementation
public func assay_clean_file(
    _ rules: OpaquePointer?, _ input: UnsafePointer<CChar>?, _ outputs: UnsafePointer<assay_outputs>?,
    _ options: UnsafePointer<assay_options>?, _ report: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> UnsafeMutablePointer<assay_fault>? {
    reporting {
        guard let report else { throw Fault.null("report") }
        guard let input else { throw Fault.null("input") }
        guard let given = outputs else { throw Fault.null("outputs") }
        let outputs = try assay_outputs(reading: given)
        guard outputs.hasClearReserve else { throw Fault(ASSAY_FAULT_ARGUMENT, "assay_outputs.reserved is not 0") }
        let rules = try Rules.behind(rules)
        let options = try CheckOptions(options)
        func path(_ text: UnsafePointer<CChar>, _ argument: String) throws(Fault) -> String {
            let path = try String(path: text, argument)
            // The standard streams belong to the host program.
            if path == CleanJob.standard { throw .standardStream }
            return path
        }
        let source = try path(input, "input")
        let paths = OutputPaths(
            clean: try outputs.clean.map { try path($0, "clean") },
            rejects: try outputs.rejects.map { try path($0, "rejects") },
            findings: try outputs.findings.map { try path($0, "findings") },
            changes: try outputs.changes.map { try path($0, "changes") },
            reports: try outputs.report.map { [try path($0, "report")] } ?? [])
        try outputs.checkCompression(of: [("clean", paths.clean), ("rejects", paths.rejects)])
        let cleaner = try rules.cleaner(options, path: source, dialect: outputs.dialect(rules.file.dialect)) {
            settings in
            settings.annotate = outputs.annotate
            settings.keptFindings = 0
            if outputs.max_findings > 0 { settings.maxFindings = Int(clamping: outputs.max_findings) }
            if outputs.head > 0 { settings.head = Int(clamping: outputs.head) }
            settings.showValues = outputs.show_values
        }
        let job = try CleanJob(
            inputs: [source], force: outputs.replace, guardsFormulas: outputs.guard_formulas
        ) { _ in paths }
        try CleanJob.check([job], referringTo: rules.file.referencedPaths)
        _ = CleanJob.removeLeftovers(of: [job], referringTo: rules.file.referencedPaths)
        try job.stage()
        let run = try job.run(job.prepare(cleaner), progress: options.runProgress)
        report.pointee = CText.copy(run.json())
    }
}

extension assay_outputs {
    fileprivate var hasClearReserve: Bool { withUnsafeBytes(of: reserved) { $0.allSatisfy { $0 == 0 } } }

    /// Refuses a compression that contradicts the names of outputs, because the names decide.
    fileprivate func checkCompression(of paths: [(argument: String, path: String?)]) throws(Fault) {
        guard let compression else { return }
        let word = try String(naming: compression, "compression")
        guard word == "none" || Compression(rawValue: word) != nil else {
            throw Fault(
                ASSAY_FAULT_ARGUMENT, "there is no compression '\(printable(word))'",
                hint: "use none, gzip or zstd, or NULL for the compression of the names")
        }
        for (argument, path) in paths {
            guard let path, Compression(path: path)?.rawValue ?? "none" != word else { continue }
            throw Fault(
                ASSAY_FAULT_ARGUMENT,
                "the compression '\(word)' contradicts the name of '\(argument)', \(printable(path))",
                hint: "names end in .gz for gzip, and in .zst for zstd")
        }
    }

    /// The dialect of the input.
    ///
    /// - Parameter dialect: the dialect of the rules.
    fileprivate func dialect(_ dialect: Dialect) throws(Fault) -> Dialect {
        var dialect = dialect
        if let encoding {
            let name = try String(naming: encoding, "encoding")
            guard name == "auto" || Encodings.canonicalName(name) != nil else {
                throw Fault(
                    ASSAY_FAULT_ARGUMENT, "'\(printable(name))' is no encoding that Assay knows",
                    hint: "write a name such as windows-1252, or auto")
            }
            dialect.encoding = name
        }
        if let delimiter {
            let text = try String(naming: delimiter, "delimiter")
            guard dialect.setDelimiter(text) else {
                throw Fault(
                    ASSAY_FAULT_ARGUMENT, "'\(printable(text))' is no delimiter",
                    hint: "it is one or two ASCII characters, tab or space")
            }
            if let conflict = dialect.conflict { throw Fault(ASSAY_FAULT_ARGUMENT, conflict) }
        }
        return dialect
    }
}

extension Fault {
    fileprivate static let standardStream = Fault(
        ASSAY_FAULT_ARGUMENT, "'-' is not a file: the streams of the process belong to the program",
        hint: "name files, or use assay_rules_check_csv on a buffer")
}

@c @implementation
public func assay_text_free(_ text: UnsafeMutablePointer<CChar>?) { CText.free(text) }
