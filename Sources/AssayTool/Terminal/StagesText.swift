import AssayFiles

/// The output of `assay bench --stages` on a terminal.
struct StagesText {
    private let style: Style

    init(_ style: Style) { self.style = style }

    func text(_ bench: StageBench) -> String {
        let result = bench.clean.result
        var lines = [
            style.bold(printable(bench.file))
                + "  \(byteAmount(result.bytes)), \(plural(result.records, "record")), "
                + "\(plural(result.threads, "thread")), the best of \(plural(bench.rounds, "round"))",
            "", style.bold(line("milliseconds", "check", "clean")),
        ]
        func add(_ name: String, _ time: (StageBench.Run) -> Double) {
            lines.append(line(name, fixed(1e3 * time(bench.check), 2), fixed(1e3 * time(bench.clean), 2)))
        }
        lines.append("  only one thread may do at a time:")
        add("  find where records begin") { $0.records }
        if bench.check.keys + bench.clean.keys > 0 { add("  decide about keys") { $0.keys } }
        if bench.check.findings + bench.clean.findings > 0 { add("  keep to the limit of findings") { $0.findings } }
        add("  order the outputs, count") { $0.outputs }
        add("  begin and end") { $0.ends }
        add("together") { $0.serial }
        add("processor time of all threads") { $0.processorSeconds }
        lines.append(line("share", share(bench.check), share(bench.clean)))
        add("outputs to the disk, not counted") { $0.publishing }
        lines += ["", style.bold(line("times one thread, by the model", "check", "clean"))]
        for threads in StageBench.modelThreads {
            let (check, clean) = (bench.check.speedUp(threads: threads), bench.clean.speedUp(threads: threads))
            lines.append(line("\(threads) threads", fixed(check, 1), fixed(clean, 1)))
        }
        lines += [
            "",
            "The model is Amdahl's law with the share above: nothing of it is measured, and memory and disks may allow less.",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private func line(_ name: String, _ check: String, _ clean: String) -> String {
        "  " + padded(name, 36) + padded(check, 12, right: true) + padded(clean, 12, right: true)
    }

    private func share(_ run: StageBench.Run) -> String { fixed(100 * run.share, 2) + " %" }
}
