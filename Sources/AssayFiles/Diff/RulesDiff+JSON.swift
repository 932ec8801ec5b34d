internal import Assay

extension RulesDiff {
    /// The version of the form. It goes up when a reader of the old form would misread the new one.
    package static let formatVersion = 1

    /// The comparison as JSON. Its form is described by `Docs/assay-diff.schema.json`.
    ///
    /// - Parameters:
    ///   - rules: the paths of the old and the new rules.
    ///   - inputs: the files of the table.
    ///   - showValues: whether changes of repairs have the texts of the cells.
    package func json(rules paths: (old: String, new: String), inputs: [String], showValues: Bool) -> String {
        let value = JSONValue.object([
            ("version", .integer(Self.formatVersion)),
            ("assay", .string(assayVersion)),
            ("old", .string(paths.old)),
            ("new", .string(paths.new)),
            ("inputs", .array(inputs.map { .string($0) })),
            ("records", .integer(counts.records)),
            ("leftOut", .integer(counts.leftOut)),
            ("acceptedByBoth", .integer(counts.acceptedByBoth)),
            ("rejectedByBoth", .integer(counts.rejectedByBoth)),
            ("rejectedNow", .integer(counts.rejectedNow)),
            ("acceptedNow", .integer(counts.acceptedNow)),
            ("otherRules", .integer(counts.otherRules)),
            ("cleanedOtherwise", .integer(counts.cleanedOtherwise)),
            ("repairedCells", .object([("old", .integer(repairedBefore)), ("new", .integer(repairedNow))])),
            ("rules", .array(rules.map(\.value))),
            (
                "columns",
                .array(
                    columns.map {
                        .object([("name", .string($0.name)), ("cleanedOtherwise", .integer($0.cleanedOtherwise))])
                    })
            ),
            (
                "first",
                .object([
                    ("rejectedNow", .array(rejectedNow.map(\.value))),
                    ("acceptedNow", .array(acceptedNow.map(\.value))),
                    ("otherRules", .array(otherRules.map(\.value))),
                    ("cleanedOtherwise", .array(cleanedOtherwise.map { $0.value(showValues: showValues) })),
                ])
            ),
        ])
        return value.pretty + "\n"
    }
}

extension RulesDiff.Rule {
    fileprivate var value: JSONValue {
        .object([
            ("id", .string(id)), ("column", .optional(column)), ("rejectedNow", .integer(rejectedNow)),
            ("acceptedNow", .integer(acceptedNow)), ("added", .integer(added)), ("dropped", .integer(dropped)),
        ])
    }
}

extension RulesDiff.Record {
    fileprivate var value: JSONValue {
        .object([
            ("record", .integer(number)), ("old", .array(before.map(\.diffValue))),
            ("new", .array(now.map(\.diffValue))),
        ])
    }
}

extension Finding {
    fileprivate var diffValue: JSONValue {
        .object(
            [
                ("line", .integer(line)), ("offset", .integer(offset)), ("column", .optional(column)),
                ("rule", .string(rule)), ("code", .string(code)), ("message", .string(message)),
            ] + (input.map { [("input", .string($0))] } ?? []) + (value.map { [("value", .string($0))] } ?? []))
    }
}

extension RulesDiff.Cleaned {
    fileprivate func value(showValues: Bool) -> JSONValue {
        func list(_ changes: [Change]) -> JSONValue {
            .array(
                changes.map { change in
                    .object(
                        [
                            ("line", .integer(change.line)), ("offset", .integer(change.offset)),
                            ("column", .string(change.column)),
                            ("repairs", .array(change.repairs.map { .string($0) })),
                        ] + (change.input.map { [("input", .string($0))] } ?? [])
                            + (showValues
                                ? [("before", .string(change.before)), ("after", .string(change.after))] : []))
                })
        }
        return .object([("record", .integer(number)), ("old", list(before)), ("new", list(now))])
    }
}
