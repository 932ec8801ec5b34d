/// A goal for a figure, with the measured value.
struct Goal {
    enum Bound {
        case atMost(Double)
        case atLeast(Double)
    }

    let name: String
    let measured: Double
    let bound: Bound
    var unit = "×"
    /// A note, such as the pattern with the worst figure.
    var note = ""

    /// Whether the figure was measured in this run.
    var isMeasured: Bool { measured.isFinite }

    var isMet: Bool {
        switch bound {
        case .atMost(let limit): measured <= limit
        case .atLeast(let limit): measured >= limit
        }
    }

    static func table(_ goals: [Goal]) -> String {
        var table = Table("goal", "asked for", "measured", "", "where")
        for goal in goals { table.add(goal.row) }
        return table.text()
    }

    /// The numbers of met and measured goals: "3 of 4".
    static func countMet(_ goals: [Goal]) -> String {
        let measured = goals.filter(\.isMeasured)
        return measured.isEmpty ? "–" : "\(measured.count(where: \.isMet)) of \(measured.count)"
    }

    /// The row in the table of goals.
    private var row: [String] {
        let limit =
            switch bound {
            case .atMost(let limit): "at most \(figure(limit))\(unit)"
            case .atLeast(let limit): "at least \(figure(limit))\(unit)"
            }
        guard isMeasured else { return [name, limit, "–", "not measured", note] }
        return [name, limit, figure(measured) + unit, isMet ? "met" : "NOT MET", note]
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
