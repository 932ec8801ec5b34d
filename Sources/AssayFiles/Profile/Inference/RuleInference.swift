internal import Assay
package import AssayRules

/// Proposed rules for a table from its profile, each with its evidence.
///
/// They are tried on the table before they are shown: a rule that more than a twentieth of the values fail is dropped,
/// and so are `required` and `unique` if one record fails them. The records that pass all rules are counted.
package struct RuleInference: Sendable {
    private let profile: TableProfile
    private let dialect: Dialect
    private var fields: [InferredField]
    /// The names of columns that appear more than once.
    private let repeated: [String]

    /// - Parameter dialect: The dialect of the table, for the rule file.
    package init(_ profile: TableProfile, dialect: Dialect) {
        self.profile = profile
        self.dialect = dialect
        var uses: [ByteEqualString: Int] = [:]
        for column in profile.columns { uses[ByteEqualString(column.name), default: 0] += 1 }
        let isUnique: (ColumnProfile) -> Bool = { uses[ByteEqualString($0.name)] == 1 || !profile.hasHeader }
        repeated = profile.columns.filter { !isUnique($0) }.map(\.name)
        fields = profile.columns.enumerated().filter { isUnique($0.element) }.map { index, column in
            InferredField(
                column, isKey: index == profile.likelyKey, isSample: profile.sample != nil,
                isJSON: profile.format == .jsonLines)
        }
    }

    /// The rules, for a trial on the table.
    ///
    /// - Throws: ``RuleFileError``, which is a bug.
    package func rules() throws(RuleFileError) -> RuleFile {
        let text = Array(body(failed: [:]).utf8)
        // Tables with very many columns exceed the default limits. The user of the rule file gets an error about them.
        var limits = Limits()
        limits.ruleFileBytes = max(limits.ruleFileBytes, text.count)
        limits.rules = max(limits.rules, 4 * fields.count)
        return try RuleFile.parse(text, name: "inferred rules", limits: limits)
    }

    /// Drops rules that rejected too many values.
    ///
    /// - Returns: Whether rules were dropped, so that the remaining rules must be tried again.
    package mutating func drop(by result: RunResult) -> Bool {
        let failed = Self.failed(result)
        var hasDropped = false
        for index in fields.indices {
            let column = profile.columns[fields[index].position - 1]
            // Failures are counted in all records, so the values of a sample are scaled.
            let values = Double(column.values) * Double(result.records) / Double(max(1, profile.records))
            let most = Int((1 - ColumnProfile.leastShare) * values)
            let counts = failed[ByteEqualString(column.name)] ?? [:]
            let isOver: (String) -> Bool = { (counts[$0] ?? 0) > ($0 == "unique" || $0 == "required" ? 0 : most) }
            let isJSON = profile.format == .jsonLines
            if isOver("type") && (isJSON || fields[index].type != nil)
                || isOver("format") && fields[index].type?.kind == .string
            {
                fields[index].weakenType(column, isJSON: isJSON)
                hasDropped = true
            }
            let kept = fields[index].constraints.filter { !isOver($0.key) }
            hasDropped = hasDropped || kept.count < fields[index].constraints.count
            fields[index].constraints = kept
        }
        return hasDropped
    }

    /// The rule file in YAML.
    ///
    /// - Parameters:
    ///   - result: The result of the rules on the table.
    ///   - command: The command that checks the table with the rules, without the name of the rule file.
    package func text(_ result: RunResult, command: String) -> String {
        let names = profile.inputs.map { $0 == CleanJob.standard ? "standard input" : printable($0) }.joined(
            separator: ", ")
        let share =
            result.records == 0
            ? "" : " (\(Self.percentage(result.clean, of: result.records)))"
        var text = """
            # Rules for \(names), inferred by assay \(assayVersion) from \(plural(profile.records, "record"))\
            \(profile.sample == nil ? "" : " (a random sample)").
            # \(grouped(result.clean)) of \(plural(result.records, "record"))\(share) \
            \(result.clean == 1 ? "passes" : "pass") all rules:
            #   \(command)
            # The rules describe the present values, not the intended ones. Edit them.


            """
        let bad = result.structure.total
        if bad > 0 {
            text +=
                "# \(plural(bad, "record")) \(bad == 1 ? "is" : "are") malformed or not UTF-8, under any rules.\n"
                + (result.encodingGuess.map { "# Records that are not UTF-8: \($0.hint)\n" } ?? "") + "\n"
        }
        if let first = profile.firstUnnamed {
            text += """
                # \(plural(profile.unnamed, "record")), beginning with record \(grouped(first)), \
                \(profile.unnamed == 1 ? "has" : "have") values that these rules do not cover:
                # their paths do not occur in the first 64 KiB, or cannot be written.


                """
        }
        return text + body(failed: Self.failed(result))
    }

    private func body(failed: [ByteEqualString: [String: Int]]) -> String {
        var text = RuleFile.dialectText(dialect)
        text += fields.allSatisfy { $0.reasonForNone != nil } ? "fields: []\n" : "fields:\n"
        for (index, field) in fields.enumerated() {
            text += (index == 0 ? "" : "\n") + field.text(failed: failed[ByteEqualString(field.name)] ?? [:])
        }
        for name in Set(repeated.map(ByteEqualString.init)).sorted() {
            text +=
                "\n# The header has \(YAMLScalar.text(name.text)) more than once: a rule could not tell which is "
                + "meant.\n"
        }
        return text
    }

    /// The number of values that each rule rejected, by column and by the last part of the rule's name.
    private static func failed(_ result: RunResult) -> [ByteEqualString: [String: Int]] {
        var failed: [ByteEqualString: [String: Int]] = [:]
        for column in result.columns {
            for rule in column.rules {
                failed[ByteEqualString(column.name), default: [:]][
                    String(Substring(rule.id.utf8.dropFirst(column.name.utf8.count + 1)))] =
                    rule.failed + rule.undecided
            }
        }
        for key in result.keys {
            guard key.id.ends(withBytesOf: ".unique") else { continue }
            failed[ByteEqualString(String(Substring(key.id.utf8.dropLast(7)))), default: [:]]["unique"] = key.failed
        }
        return failed
    }

    private static func percentage(_ part: Int, of whole: Int) -> String {
        let share = 100 * Double(part) / Double(whole)
        if part == whole { return "100 %" }
        // Rounded down, so that the share is not overstated.
        return "\((share * 100).rounded(.down) / 100) %"
    }
}
