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
        let (most, least, share): (JSONValue, JSONValue, JSONValue) =
            switch bound {
            case .most(.count(let count)): (.integer(count), .null, .null)
            case .most(let amount): (.string(amount.description), .null, .number(percent))
            case .least(let count): (.null, .integer(count), .null)
            }
        return .object([
            ("of", .string(of)), ("name", .optional(name)), ("most", most), ("least", least),
            ("measured", .integer(count)), ("percent", share), ("exceeded", .bool(isExceeded)),
        ])
    }
}
