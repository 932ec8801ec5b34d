/// The limits on bad data in a table, and on its number of records: `thresholds:` in a rule file.
///
///     thresholds: {rejected: 1%, columns: {email: 0.5%}, rules: {phone.format: 100}, records: {min: 1000}}
///
/// They do not change verdicts or outputs. A run that violates one completes, and the command exits with status 1. Each
/// bound is inclusive, and each table is measured separately.
public struct Thresholds: Hashable, Sendable, Codable {
    /// The maximum of rejected records.
    public var rejected: Amount?
    /// For each named column, the maximum of records that its rules reject. A record that fails two rules of the column
    /// counts once.
    public var columns: [Named] = []
    /// For each named rule, the maximum of values that the rule finds: those that fail it, regardless of its severity,
    /// and those that a limit leaves undecided.
    public var rules: [Named] = []
    /// The minimum number of records.
    public var minRecords: Int?
    /// The maximum number of records.
    public var maxRecords: Int?

    /// Creates thresholds without any limits.
    public init() {}

    /// Whether no threshold is set.
    public var isEmpty: Bool { self == Thresholds() }

    /// A number of records or values, or a share of all records.
    public enum Amount: Hashable, Sendable, Codable, CustomStringConvertible {
        /// A number: `100`.
        case count(Int)
        /// A percentage of the records, from 0 to 100: `0.5%`.
        case percent(Double)

        /// The amount in the syntax of rule files.
        public var description: String {
            switch self {
            case .count(let count): return String(count)
            case .percent(let percent):
                let text = String(percent)
                return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + "%"
            }
        }
    }

    /// The maximum for a column or a rule.
    public struct Named: Hashable, Sendable, Codable {
        /// The name of the column, or the id of the rule.
        public var name: String
        /// The maximum.
        public var max: Amount

        /// Creates the maximum for a column or a rule.
        public init(name: String, max: Amount) {
            self.name = name
            self.max = max
        }
    }
}
