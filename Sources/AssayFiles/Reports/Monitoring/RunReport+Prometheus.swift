internal import Assay

extension RunReport {
    /// Returns the counts of the report as gauges in Prometheus' text format, for the textfile collector of its node
    /// exporter.
    ///
    /// Source: <https://prometheus.io/docs/instrumenting/exposition_formats/>.
    func prometheus() -> String {
        let facts = ReportFacts(self)
        let table = ("table", facts.name)
        var text = ""
        func add(_ name: String, _ help: String, _ samples: [(labels: [(String, String)], value: Int)]) {
            if samples.isEmpty { return }
            text += "# HELP assay_\(name) \(help)\n# TYPE assay_\(name) gauge\n"
            for sample in samples {
                let labels = ([table] + sample.labels).map { "\($0)=\"\(prometheusEscaped($1))\"" }
                text += "assay_\(name){\(labels.joined(separator: ","))} \(sample.value)\n"
            }
        }
        add(
            "records", "Records by verdict.",
            [([("verdict", "clean")], result.clean), ([("verdict", "rejected")], result.rejected)])
        add("read_bytes", "Bytes of the table, without compression.", [([], result.bytes)])
        add(
            "findings", "Findings by rule, and by outcome: failed, warned or undecided.",
            facts.rules.flatMap { rule in
                let labels = [("rule", rule.id), ("column", rule.columns.joined(separator: ", "))]
                return [
                    (labels + [("outcome", "failed")], rule.rule.failed),
                    (labels + [("outcome", "warned")], rule.rule.warned),
                    (labels + [("outcome", "undecided")], rule.rule.undecided),
                ]
            })
        add(
            "missing_values", "Missing values by column.",
            result.columns.map { ([("column", $0.name)], $0.missing) })
        add(
            "column_rejected_records", "Records that the rules and keys of a column reject.",
            result.columns.map { ([("column", $0.name)], $0.rejectedInAll) })
        add(
            "table_rule_passed", "Whether the table passes a rule on the whole table: 1 or 0.",
            result.tableRules.map { ([("rule", $0.id)], $0.verdict == .pass ? 1 : 0) })
        add(
            "threshold_exceeded", "Whether a threshold of the rules is exceeded: 1 or 0.",
            result.thresholds.map { threshold in
                let words = ThresholdText(threshold)
                return ([("threshold", "\(words.subject) \(words.bound)")], threshold.isExceeded ? 1 : 0)
            })
        return text
    }
}

/// Escapes the value of a label. Control and invisible characters become text, as in all reports.
private func prometheusEscaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\\": escaped += "\\\\"
        case "\"": escaped += "\\\""
        case "\n": escaped += "\\n"
        default: escaped += printable(String(scalar)).replacing("\\", with: "\\\\")
        }
    }
    return escaped
}
