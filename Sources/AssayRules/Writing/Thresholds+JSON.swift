extension JSONWriter {
    /// Writes the key `thresholds` of a rule file and its object, unless there are no thresholds.
    mutating func thresholds(_ thresholds: Thresholds) {
        if thresholds.isEmpty { return }
        key("thresholds")
        object { json in
            if let rejected = thresholds.rejected {
                json.key("rejected")
                json.amount(rejected)
            }
            json.named("columns", thresholds.columns)
            json.named("rules", thresholds.rules)
            let bounds = [("min", thresholds.minRecords), ("max", thresholds.maxRecords)]
            if bounds.allSatisfy({ $0.1 == nil }) { return }
            json.key("records")
            json.object { json in
                for case (let name, let count?) in bounds {
                    json.key(name)
                    json.integer(count)
                }
            }
        }
    }

    private mutating func named(_ name: String, _ list: [Thresholds.Named]) {
        if list.isEmpty { return }
        key(name)
        object { json in
            for item in list {
                json.key(item.name)
                json.amount(item.max)
            }
        }
    }

    private mutating func amount(_ amount: Thresholds.Amount) {
        switch amount {
        case .count(let count): integer(count)
        case .percent: string(amount.description)
        }
    }
}
