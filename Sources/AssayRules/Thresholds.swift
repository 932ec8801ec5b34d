/// How much of a table may be bad, and how many records it may have: `thresholds:` in a rule file.
///
///     thresholds: {rejected: 1%, columns: {email: 0.5%}, rules: {phone.format: 100}, records: {min: 1000}}
///
/// They change no verdict and no output. A run that exceeds one of them is done, and has fallen short: the command ends with
/// status 1. Each bound is included, and each table is measured by itself.
public struct Thresholds: Hashable, Sendable, Codable {
    /// The most rejected records.
    public var rejected: Amount?
    /// For a column the most records that its rules reject. A record that fails two rules of the column counts once.
    public var columns: [Named] = []
    /// For a rule, by its id, the most values that it finds: those that fail it, whatever its severity, and those that a limit
    /// leaves undecided.
    public var rules: [Named] = []
    /// The fewest records.
    public var minRecords: Int?
    /// The most records.
    public var maxRecords: Int?

    /// No thresholds.
    public init() {}

    /// Whether there are none.
    public var isEmpty: Bool { self == Thresholds() }

    /// A number of records or values, or a share of all records.
    public enum Amount: Hashable, Sendable, Codable, CustomStringConvertible {
        /// A number: `100`.
        case count(Int)
        /// So many in a hundred records, from 0 to 100: `0.5%`.
        case percent(Double)

        /// As a rule file has it.
        public var description: String {
            switch self {
            case .count(let count): return String(count)
            case .percent(let percent):
                let text = String(percent)
                return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + "%"
            }
        }
    }

    /// What a column or a rule may come to at most.
    public struct Named: Hashable, Sendable, Codable {
        /// The name of the column, or the id of the rule.
        public var name: String
        /// The most.
        public var most: Amount

        /// The most for a column or a rule.
        public init(name: String, most: Amount) {
            self.name = name
            self.most = most
        }
    }
}
