public import AssayRules
internal import Assay

extension RunResult {
    /// A threshold of the rules, and what the table came to.
    public struct Threshold: Hashable, Sendable {
        /// What a threshold is about.
        public enum Subject: Hashable, Sendable {
            /// The rejected records.
            case rejected
            /// The records that the rules of a column reject, or keys of this column alone.
            case column(String)
            /// The values that a rule finds, by its id.
            case rule(String)
            /// All records.
            case records
        }

        /// On which side of it a count has to stay. The bound itself is good.
        public enum Bound: Hashable, Sendable {
            /// A count, or a share of the records, is not to be more than this.
            case most(Thresholds.Amount)
            /// A count is not to be less than this.
            case least(Int)
        }

        /// What it is about.
        public var subject: Subject
        /// The bound.
        public var bound: Bound
        /// What was counted.
        public var count: Int
        /// All records of the table.
        public var records: Int

        /// The count in a hundred records; 0 when there are none.
        public var percent: Double { share(count, of: records) }

        /// Whether the count is on the wrong side of the bound.
        public var isExceeded: Bool {
            switch bound {
            case .most(.count(let most)): count > most
            case .most(.percent(let most)): percent > most
            case .least(let least): count < least
            }
        }
    }

    /// What a finished table comes to, by the thresholds of its rules: in the order rejected, columns, rules, records.
    func measured(by thresholds: Thresholds) -> [Threshold] {
        func measure(_ subject: Threshold.Subject, _ bound: Threshold.Bound?, _ count: Int) -> Threshold? {
            bound.map { Threshold(subject: subject, bound: $0, count: count, records: records) }
        }
        var measured = [measure(.rejected, thresholds.rejected.map { .most($0) }, rejected)]
        let places = FieldPlaces(thresholds.columns.isEmpty ? [] : columns.map(\.name))
        for column in thresholds.columns {
            let count = places[column.name].map { columns[$0].rejectedInAll } ?? 0
            measured.append(measure(.column(column.name), .most(column.most), count))
        }
        let findings = thresholds.rules.isEmpty ? [:] : findingsByRule
        for rule in thresholds.rules {
            measured.append(
                measure(.rule(rule.name), .most(rule.most), findings[ByteEqualString(rule.name)] ?? 0))
        }
        // How long the table is, a sample does not change.
        let read = records + leftOut
        measured.append(measure(.records, thresholds.minRecords.map { .least($0) }, read))
        measured.append(measure(.records, thresholds.maxRecords.map { .most(.count($0)) }, read))
        return measured.compactMap(\.self)
    }

    /// What each rule found, by its id: of every id that a threshold can name (`RuleFile.ruleIDs`) and that found anything.
    private var findingsByRule: [ByteEqualString: Int] {
        var findings: [ByteEqualString: Int] = [:]
        for rule in allRules {
            findings[ByteEqualString(rule.id), default: 0] += rule.failed + rule.warned + rule.undecided
        }
        for (id, count) in structure.byCode { findings[ByteEqualString(id), default: 0] += count }
        return findings
    }
}

/// So many of so many, in a hundred; 0 of none. Rounded once, so that it equals the decimal that it is.
func share(_ part: Int, of whole: Int) -> Double { whole == 0 ? 0 : 100 * Double(part) / Double(whole) }
