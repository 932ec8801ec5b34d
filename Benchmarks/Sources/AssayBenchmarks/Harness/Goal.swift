/// What a figure has to reach, and whether it does.
struct Goal {
    enum Bound {
        case atMost(Double)
        case atLeast(Double)
    }

    let name: String
    let measured: Double
    let bound: Bound
    var unit = "×"
    /// Such as the pattern that decided.
    var note = ""

    /// False when what it is about took no part in the run.
    var isMeasured: Bool { measured.isFinite }

    var isMet: Bool {
        switch bound {
        case .atMost(let limit): measured <= limit
        case .atLeast(let limit): measured >= limit
        }
    }

    static func table(_ goals: [Goal]) -> String {
        var table = Table("goal", "asked for", "measured", "", "where")
        for goal in goals {
            let limit =
                switch goal.bound {
                case .atMost(let limit): "at most \(figure(limit))\(goal.unit)"
                case .atLeast(let limit): "at least \(figure(limit))\(goal.unit)"
                }
            if goal.isMeasured {
                let outcome = goal.isMet ? "met" : "NOT MET"
                table.add(goal.name, limit, figure(goal.measured) + goal.unit, outcome, goal.note)
            } else {
                table.add(goal.name, limit, "–", "not measured", "")
            }
        }
        return table.text()
    }

    /// A goal for the worst of several subjects.
    static func worst(
        _ name: String, of values: [(subject: String, value: Double)], _ bound: Bound, unit: String = "×"
    ) -> Goal {
        let worst =
            switch bound {
            case .atMost: values.max { $0.value < $1.value }
            case .atLeast: values.min { $0.value < $1.value }
            }
        return Goal(
            name: name, measured: worst?.value ?? .nan, bound: bound, unit: unit,
            note: "the worst: \(worst?.subject ?? "–")")
    }
}
