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
        guard let outputs = outputs?.pointee else { throw Fault.null("outputs") }
        guard outputs.size == MemoryLayout<assay_outputs>.size else { throw Fault.size("assay_outputs", outputs.size) }
        let rules = try Rules.behind(rules)
        let options = try CheckOptions(options)
        func path(_ text: UnsafePointer<CChar>) throws(Fault) -> String {
            let path = String(cString: text)
            // The streams of the process are the host's.
            if path == CleanJob.standard { throw .standardStream }
            return path
        }
        let source = try path(input)
        let paths = OutputPaths(
            clean: try outputs.clean.map(path), rejects: try outputs.rejects.map(path),
            findings: try outputs.findings.map(path), report: try outputs.report.map(path))
        let cleaner = try rules.cleaner(options, path: source) { settings in
            settings.annotate = outputs.annotate
            settings.keptFindings = 0
        }
        let job = try CleanJob(input: source, paths: paths, force: outputs.replace)
        try CleanJob.check([job], referringTo: rules.file.referencedPaths)
        _ = CleanJob.removeLeftovers(of: [job])
        try job.stage()
        let run = try job.run(job.prepare(cleaner), progress: options.runProgress)
        report.pointee = CText.copy(run.json())
    }
}

extension Fault {
    fileprivate static let standardStream = Fault(
        ASSAY_FAULT_ARGUMENT, "'-' is not a file: the streams of the process belong to the program",
        hint: "name files, or use assay_rules_check_csv on a buffer")
}

@c @implementation
public func assay_text_free(_ text: UnsafeMutablePointer<CChar>?) { CText.free(text) }
