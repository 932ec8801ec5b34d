internal import AssayRules

/// A measured threshold in words.
package struct ThresholdText {
    private let threshold: RunResult.Threshold

    package init(_ threshold: RunResult.Threshold) { self.threshold = threshold }

    /// The measured subject, for a table.
    package var subject: String {
        switch threshold.subject {
        case .rejected: "rejected"
        case .column(let name): "column \(name)"
        case .rule(let id): "rule \(id)"
        case .records: "records"
        }
    }

    /// `at most 0.5%`
    package var bound: String {
        switch threshold.bound {
        case .max(let amount): "at most \(text(amount))"
        case .min(let count): "at least \(grouped(count))"
        }
    }

    /// `240 (6.00 %)`
    package var measured: String {
        if threshold.subject == .records || threshold.records == 0 { return grouped(threshold.count) }
        return "\(grouped(threshold.count)) (\(percentage(threshold.count, of: threshold.records)))"
    }

    /// A line about an exceeded threshold: `the column email rejects 240 of 4,000 records (6.00 %), more than 0.5%
    /// (thresholds.columns)`
    package var warning: String {
        let (count, records) = (threshold.count, threshold.records)
        let share = "\(grouped(count)) of \(plural(records, "record")) (\(percentage(count, of: records)))"
        let (measured, key): (String, String) =
            switch threshold.subject {
            case .rejected: ("rejected \(share)", "rejected")
            case .column(let name): ("the column \(printable(name)) rejects \(share)", "columns")
            case .rule(let id):
                (
                    "the rule \(printable(id)) finds \(plural(count, "value")) in \(plural(records, "record")) "
                        + "(\(percentage(count, of: records)))", "rules"
                )
            case .records: ("has \(plural(count, "record"))", "records")
            }
        switch threshold.bound {
        case .max(let amount): return "\(measured), more than \(text(amount)) (thresholds.\(key))"
        case .min(let min): return "\(measured), fewer than \(grouped(min)) (thresholds.\(key))"
        }
    }

    private func text(_ amount: Thresholds.Amount) -> String {
        if case .count(let count) = amount { return grouped(count) }
        return amount.description
    }
}
