internal import Assay
internal import AssayRules

extension ReportFacts {
    /// The recommended next steps, the most urgent first.
    var advice: [[ReportText]] {
        var advice = tableRuleAdvice + thresholdAdvice
        if report.inputChanged {
            advice.append([.plain("The input changed while it was read. Run again once it is complete.")])
        }
        if let encoding = result.encodingGuess {
            advice.append([
                .plain(
                    "\(plural(result.structure.encoding, "record")) \(result.structure.encoding == 1 ? "is" : "are") "
                        + "not UTF-8, and "
                ),
                .plain("by \(plural(encoding.words, "different word")) "),
                .plain(
                    "\(result.structure.encoding == 1 ? "looks" : "look") like \(encoding.name). If the whole file is, "
                        + "add "
                ),
                .name("--encoding \(encoding.name)"),
                .plain(", or name it in the resource if the file is one of a Data Package."),
            ])
        } else if result.mixesEncodings {
            advice.append([
                .plain(
                    "The file is UTF-8 except for \(plural(result.structure.encoding, "record")), which "
                        + (result.structure.encoding == 1 ? "seems" : "seem")
                        + " to be from another source, in another encoding."
                )
            ])
        }
        if let worst = worstRuleAdvice { advice.append(worst) }
        if let cluster, result.rejected > 0 {
            advice.append([
                .plain(
                    "Look at records \(grouped(cluster.records.lowerBound)) to \(grouped(cluster.records.upperBound)): "
                ),
                .plain(
                    "half of the rejected records are in this \(percentage(cluster.records.count, of: lastRecord)) of "
                        + "the file."
                ),
            ])
        }
        advice += repairAdvice
        if result.undecided > 0 {
            advice.append([
                .plain(
                    "\(plural(result.undecided, "record")) could not be decided about: a limit stopped a check, or a "
                        + "row rule could not be computed."
                )
            ])
        }
        return advice + outputAdvice
    }

    private var tableRuleAdvice: [[ReportText]] {
        result.tableRules.filter(\.isViolated).prefix(5).map { rule in
            let text = TableRuleText(rule)
            let measured: [ReportText] =
                text.measured.isEmpty ? [.plain(".")] : [.plain("; "), .name(text.measured), .plain(".")]
            return [.plain("The table \(rule.verdict == .fail ? "fails" : "may fail") the rule "), .name(rule.id)]
                + [.plain(": \(text.reason ?? "")")] + measured
        }
    }

    private var thresholdAdvice: [[ReportText]] {
        result.thresholds.filter(\.isExceeded).prefix(5).map { threshold in
            let name: [ReportText] =
                switch threshold.subject {
                case .column(let name): [.plain("of the column "), .name(name)]
                case .rule(let id): [.plain("of the rule "), .name(id)]
                case .rejected: [.plain("of rejected records")]
                case .records: [.plain("of all records")]
                }
            let text = ThresholdText(threshold)
            return [.plain("A threshold is missed: the number ")] + name
                + [.plain(" is \(text.measured), and may be \(text.bound).")]
        }
    }

    private var worstRuleAdvice: [ReportText]? {
        let maximum = found.map(\.rule.failed).max() ?? 0
        guard maximum > 0, let worst = found.first(where: { $0.rule.failed == maximum }) else { return nil }
        let all = found.reduce(0) { $0 + $1.rule.failed }
        let share = found.count == 1 ? "" : " (\(percentage(worst.rule.failed, of: all)) of all failures)"
        var text: [ReportText] = [.plain("Begin with "), .name(worst.id)]
        text.append(.plain(": \(plural(worst.rule.failed, worst.column == nil ? "record" : "value"))\(share)"))
        guard let place = worst.places.first else { return text + [.plain(".")] }
        text.append(.plain(", first on line \(grouped(place.line))"))
        if let input = place.input { text += [.plain(" of "), .name(input)] }
        return text + [.plain(".")]
    }

    private var repairAdvice: [[ReportText]] {
        result.repairTrial.suggestions.prefix(3).map { suggestion in
            [
                .plain("Add "), .name("repair: [\(suggestion.text)]"), .plain(" to "), .name(suggestion.column),
                .plain(
                    ": it fixes \(grouped(suggestion.mended)) of \(grouped(suggestion.failing)) failing values that "
                        + "were tried."
                ),
            ]
        }
    }

    private var outputAdvice: [[ReportText]] {
        if result.rejected == 0 { return [] }
        let (rejects, findings) = (report.paths.rejects, report.paths.findings)
        func shown(_ path: String) -> ReportText { path == CleanJob.standard ? .plain("standard output") : .name(path) }
        if let rejects {
            let reasons: [ReportText] = findings.map { [.plain(", and the reason of each in "), shown($0)] } ?? []
            return [[.plain("The rejected records are in "), shown(rejects)] + reasons + [.plain(".")]]
        }
        if let findings { return [[.plain("Every finding is in "), shown(findings), .plain(".")]] }
        if report.paths.clean != nil { return [] }
        return [
            [
                .plain("Add "), .name("--findings findings.jsonl"),
                .plain(" to list every finding, or split the file with "), .name("assay clean"), .plain("."),
            ]
        ]
    }

    /// The stretch that contains half of the rejected records. `nil` if they are spread out or too few.
    var cluster: RejectCluster? { RejectCluster(result.positions, last: lastRecord) }

    /// A description of the positions of the rejected records.
    var positionText: String {
        if result.rejected == 0 { return "No record is rejected." }
        if let cluster {
            return "Half of the rejected records are in records \(grouped(cluster.records.lowerBound)) to "
                + "\(grouped(cluster.records.upperBound)), \(percentage(cluster.records.count, of: lastRecord)) of the "
                + "file."
        }
        if result.rejected < RejectCluster.minCount {
            return "Too few are rejected to tell a pattern."
        }
        return "The rejected records are spread over the file."
    }
}

/// The shortest stretch of a table with half of the rejected records.
struct RejectCluster {
    let records: ClosedRange<Int>
    /// With fewer rejected records, a pattern is not significant.
    static let minCount = 20

    /// Returns `nil` if there are too few, or if the stretch is a quarter of the table or more.
    init?(_ positions: RejectPositions, last: Int) {
        let rejected = positions.rejected
        let all = rejected.reduce(0, +)
        guard all >= Self.minCount else { return nil }
        var best: Range<Int>?
        var (start, inside) = (0, 0)
        for end in rejected.indices {
            inside += rejected[end]
            while (inside - rejected[start]) * 2 >= all {
                inside -= rejected[start]
                start += 1
            }
            if inside * 2 >= all, best.map({ end + 1 - start < $0.count }) ?? true { best = start..<end + 1 }
        }
        guard let best else { return nil }
        let first = positions.records(of: best.lowerBound, last: last).lowerBound
        records = first...positions.records(of: best.upperBound - 1, last: last).upperBound
        if records.count * 4 >= last { return nil }
    }
}
