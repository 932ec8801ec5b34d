internal import Assay

extension RunResult.TableRule {
    /// The outcome in the form of a report.
    var reportValue: JSONValue {
        .object([
            ("id", .string(id)), ("severity", .string(severity.rawValue)),
            ("verdict", .string(TableRuleText(self).verdict)), ("check", .string(check)), ("message", .string(message)),
            ("problem", .optional(problem)),
            (
                "aggregates",
                .array(aggregates.map { .object([("name", .string($0.name)), ("value", .optional($0.value))]) })
            ),
        ])
    }
}
