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
        let outputs = try assay_outputs(reading: outputs)
        let rules = try Rules.behind(rules)
        let options = try CheckOptions(options)
        func path(_ text: UnsafePointer<CChar>, _ argument: String) throws(Fault) -> String {
            let path = try String(path: text, argument)
            // The streams of the process are the host's.
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
        let cleaner = try rules.cleaner(options, path: source) { settings in
            settings.annotate = outputs.annotate
            settings.keptFindings = 0
        }
        let job = try CleanJob(input: source, paths: paths, force: outputs.replace)
        try CleanJob.check([job], referringTo: rules.file.referencedPaths)
        _ = CleanJob.removeLeftovers(of: [job], referringTo: rules.file.referencedPaths)
        try job.stage()
        let run = try job.run(job.prepare(cleaner), progress: options.runProgress)
        report.pointee = CText.copy(run.json())
    }
}

extension assay_outputs {
    /// Of the structure before it had a member for changes.
    private static let firstSize = MemoryLayout<assay_outputs>.offset(of: \.changes)!

    /// - Throws: a fault for NULL, and for a size that is none of ours.
    fileprivate init(reading outputs: UnsafePointer<assay_outputs>?) throws(Fault) {
        guard let outputs else { throw .null("outputs") }
        let size = outputs.pointee.size
        guard size == MemoryLayout<assay_outputs>.size || size == Self.firstSize else {
            throw .size("assay_outputs", size)
        }
        // What an older program does not know of is NULL.
        self.init()
        withUnsafeMutableBytes(of: &self) { $0.copyMemory(from: UnsafeRawBufferPointer(start: outputs, count: size)) }
    }
}

extension Fault {
    fileprivate static let standardStream = Fault(
        ASSAY_FAULT_ARGUMENT, "'-' is not a file: the streams of the process belong to the program",
        hint: "name files, or use assay_rules_check_csv on a buffer")
}

@c @implementation
public func assay_text_free(_ text: UnsafeMutablePointer<CChar>?) { CText.free(text) }
