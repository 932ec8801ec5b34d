internal import AssayRules

extension RunResult.Threshold {
    /// The threshold in the form of a report.
    var reportValue: JSONValue {
        let (of, name): (String, String?) =
            switch subject {
            case .rejected: ("rejected", nil)
            case .column(let name): ("column", name)
            case .rule(let id): ("rule", id)
            case .records: ("records", nil)
            }
        let (max, min, share): (JSONValue, JSONValue, JSONValue) =
            switch bound {
            case .max(.count(let count)): (.integer(count), .null, .null)
            case .max(let amount): (.string(amount.description), .null, .number(percent))
            case .min(let count): (.null, .integer(count), .null)
            }
        return .object([
            ("of", .string(of)), ("name", .optional(name)), ("max", max), ("min", min),
            ("measured", .integer(count)), ("percent", share), ("exceeded", .bool(isExceeded)),
        ])
    }
}
