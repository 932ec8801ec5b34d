public import AssayRules
internal import Assay

extension RunResult {
    /// A threshold of the rules, and the table's count for it.
    public struct Threshold: Hashable, Sendable {
        /// The subject of a threshold.
        public enum Subject: Hashable, Sendable {
            /// The rejected records.
            case rejected
            /// The records that are rejected by the rules or the single-column keys of a column.
            case column(String)
            /// The values that a rule finds, by its id.
            case rule(String)
            /// All records.
            case records
        }

        /// The limit on a count. The limit itself is allowed.
        public enum Bound: Hashable, Sendable {
            /// The maximum, as a count or as a share of the records.
            case max(Thresholds.Amount)
            /// The minimum count.
            case min(Int)
        }

        /// The subject of the threshold.
        public var subject: Subject
        /// The bound.
        public var bound: Bound
        /// The count that is compared with the bound.
        public var count: Int
        /// The number of records in the table.
        public var records: Int

        /// The count as a percentage of the records; 0 for an empty table.
        public var percent: Double { share(count, of: records) }

        /// Whether the count violates the bound.
        public var isExceeded: Bool {
            switch bound {
            case .max(.count(let max)): count > max
            case .max(.percent(let max)): percent > max
            case .min(let min): count < min
            }
        }
    }

    /// Returns the counts of a finished table for each threshold of its rules, in the order rejected, columns, rules,
    /// records.
    func measured(by thresholds: Thresholds) -> [Threshold] {
        func measure(_ subject: Threshold.Subject, _ bound: Threshold.Bound?, _ count: Int) -> Threshold? {
            bound.map { Threshold(subject: subject, bound: $0, count: count, records: records) }
        }
        var measured = [measure(.rejected, thresholds.rejected.map { .max($0) }, rejected)]
        let places = FieldPlaces(thresholds.columns.isEmpty ? [] : columns.map(\.name))
        for column in thresholds.columns {
            let count = places[column.name].map { columns[$0].rejectedInAll } ?? 0
            measured.append(measure(.column(column.name), .max(column.max), count))
        }
        let findings = thresholds.rules.isEmpty ? [:] : findingsByRule
        for rule in thresholds.rules {
            measured.append(
                measure(.rule(rule.name), .max(rule.max), findings[ByteEqualString(rule.name)] ?? 0))
        }
        // Use the full length of the table, including records outside the sample.
        let read = records + leftOut
        measured.append(measure(.records, thresholds.minRecords.map { .min($0) }, read))
        measured.append(measure(.records, thresholds.maxRecords.map { .max(.count($0)) }, read))
        return measured.compactMap(\.self)
    }

    /// The number of findings by rule id, for every id that a threshold can name (`RuleFile.ruleIDs`) and that has
    /// findings.
    private var findingsByRule: [ByteEqualString: Int] {
        var findings: [ByteEqualString: Int] = [:]
        for rule in allRules {
            findings[ByteEqualString(rule.id), default: 0] += rule.failed + rule.warned + rule.undecided
        }
        for (id, count) in structure.byCode { findings[ByteEqualString(id), default: 0] += count }
        return findings
    }
}

/// Returns `part` as a percentage of `total`; 0 if `total` is 0. Multiplies first and rounds only once, in the
/// division, so that the percentage of 1 in 1,000 is the `Double` nearest to 0.1.
func share(_ part: Int, of total: Int) -> Double { total == 0 ? 0 : 100 * Double(part) / Double(total) }
