internal import Assay
package import AssayRules

/// The values that inferred rules must accept.
package enum RuleFit: String, CaseIterable, Sendable {
    /// All values of well-formed records. Rules that some values fail appear as comments.
    case all
    /// Nearly all values: a rule is dropped if more than a twentieth of the values fail it.
    case typical
}

/// Proposed rules for a table from its profile, each with its evidence.
///
/// They are tried on the table before they are shown. A rule that too many values fail is dropped: with
/// ``RuleFit/typical`` more than a twentieth, with ``RuleFit/all`` one. Keys and required values may have no failure in
/// either case. The records that pass all rules are counted.
package struct RuleInference: Sendable {
    private let profile: TableProfile
    private let dialect: Dialect
    private let fit: RuleFit
    private var fields: [InferredField]
    /// The rules that are tried for comments, or for fields that fit with repairs: by the position of the column.
    private var tighter: [Int: InferredField] = [:]
    /// The fields that replace those with repairs if some values fail in spite of the repairs: by the position of the
    /// column.
    private var fallbacks: [Int: InferredField] = [:]
    /// The names of columns that appear more than once.
    private let repeated: [String]

    /// - Parameter dialect: The dialect of the table, for the rule file.
    package init(_ profile: TableProfile, dialect: Dialect, fit: RuleFit) {
        (self.profile, self.dialect, self.fit) = (profile, dialect, fit)
        var uses: [ByteEqualString: Int] = [:]
        for column in profile.columns { uses[ByteEqualString(column.name), default: 0] += 1 }
        let isUnique: (ColumnProfile) -> Bool = { uses[ByteEqualString($0.name)] == 1 || !profile.hasHeader }
        repeated = profile.columns.filter { !isUnique($0) }.map(\.name)
        func infer(_ index: Int, _ fit: InferredField.Fit) -> InferredField {
            InferredField(
                profile.columns[index], fit: fit, isKey: index == profile.likelyKey, isSample: profile.sample != nil,
                isJSON: profile.format == .jsonLines)
        }
        let places = profile.columns.indices.filter { isUnique(profile.columns[$0]) }
        fields = places.map { infer($0, fit == .all ? .all : .typical) }
        if fit == .all {
            for (place, field) in zip(places, fields) {
                let tight = infer(place, .tightest)
                if tight.reasonForNone == nil && !tight.hasSameRules(as: field) { tighter[field.position] = tight }
            }
        }
    }

    /// Tries the rules on the table until no rule must be dropped.
    ///
    /// - Parameter check: Checks the table with rules, with the value of the first failure of each rule, and with
    ///   suggested repairs if the second argument is true.
    /// - Returns: The result of the remaining rules.
    /// - Complexity: One run for each step in which rules are dropped, and one for tighter rules.
    package mutating func fit(_ check: (RuleFile, _ suggestsRepairs: Bool) throws -> RunResult) throws -> RunResult {
        if !tighter.isEmpty {
            let loose = fields
            for index in fields.indices { if let tight = tighter[fields[index].position] { fields[index] = tight } }
            let result = try check(rules(), true)
            let tight = fields
            fields = loose
            for index in fields.indices where tighter[fields[index].position] != nil {
                compare(tight[index], at: index, result)
            }
        }
        var result = try check(rules(), false)
        // Repeat, because the rules after a dropped rule check more values.
        while drop(by: result) { result = try check(rules(), false) }
        return result
    }

    /// Adds the rules of a tighter field that some values fail to the comments of a field. If repairs make all values
    /// fit, the tighter rules with the repairs replace the field.
    private mutating func compare(_ tight: InferredField, at index: Int, _ result: RunResult) {
        let column = profile.columns[tight.position - 1]
        let failures = Self.failures(result)[ByteEqualString(tight.name)] ?? [:]
        let maxFailures = maxFailures(column, result)
        var field = fields[index]
        var added: [InferredField.Candidate] = []
        if let type = tight.type, type != field.type {
            let key = type.kind == .string ? "format" : "type"
            if let failure = failures[key], failure.count <= maxFailures {
                added.append(InferredField.Candidate(lines: tight.typeLines(for: field), failure))
            }
        }
        for constraint in tight.constraints where !field.has(constraint) {
            if let failure = failures[constraint.key], failure.count <= maxFailures {
                added.append(InferredField.Candidate(lines: [constraint.line], failure))
            }
        }
        field.candidates = added
        fields[index] = field
        if field.repairs.isEmpty, tight.type != field.type, let repair = Self.completeRepair(of: column, result) {
            fallbacks[tight.position] = field
            fields[index] = tight
            fields[index].repairs = [repair]
        }
    }

    /// The repair that `check` suggests for a column and that makes all of its values valid; otherwise `nil`. It is one
    /// that does not depend on a format or a list of words.
    private static func completeRepair(of column: ColumnProfile, _ result: RunResult) -> Repair? {
        let suggestion = result.repairTrial.suggestions.first {
            ByteEqualString($0.column) == ByteEqualString(column.name) && [.trim, .canonical()].contains($0.repair)
        }
        guard let suggestion, suggestion.mended == suggestion.failing else { return nil }
        return suggestion.repair
    }

    /// The rules, for a trial on the table.
    ///
    /// - Throws: ``RuleFileError``, which is a bug.
    private func rules() throws(RuleFileError) -> RuleFile {
        let text = Array(body([:]).utf8)
        // Tables with very many columns exceed the default limits. The user of the rule file gets an error about them.
        var limits = Limits()
        limits.ruleFileBytes = max(limits.ruleFileBytes, text.count)
        limits.rules = max(limits.rules, 4 * fields.count)
        return try RuleFile.parse(text, name: "inferred rules", limits: limits)
    }

    /// The maximum number of failures of a rule that is not dropped from typical rules. In lists, a twentieth of the
    /// records may fail, because each record may have many elements.
    private func maxFailures(_ column: ColumnProfile, _ result: RunResult) -> Int {
        // Failures are counted in all records, so the values of a sample are scaled.
        var values = Double(column.values) * Double(result.records) / Double(max(1, profile.records))
        if column.name.contains("[]") { values = min(values, Double(result.records)) }
        return Int((1 - ColumnProfile.minShare) * values)
    }

    /// Drops rules that rejected too many values.
    ///
    /// - Returns: Whether rules were dropped, so that the remaining rules must be tried again.
    private mutating func drop(by result: RunResult) -> Bool {
        let failures = Self.failures(result)
        let isJSON = profile.format == .jsonLines
        var hasDropped = false
        for index in fields.indices {
            let column = profile.columns[fields[index].position - 1]
            let typical = maxFailures(column, result)
            let isStrict = fit == .all
            let own = failures[ByteEqualString(column.name)] ?? [:]
            func isOver(_ key: String) -> Bool {
                let limit = isStrict || key == "unique" || key == "required" ? 0 : typical
                return own[key].map { $0.count > limit } ?? false
            }
            if own.keys.contains(where: isOver), let fallback = fallbacks.removeValue(forKey: column.position) {
                fields[index] = fallback
                hasDropped = true
                continue
            }
            func note(_ lines: [String], _ key: String) {
                guard isStrict, let failure = own[key], failure.count <= typical else { return }
                fields[index].candidates.append(InferredField.Candidate(lines: lines, failure))
            }
            if isOver("type") && (isJSON || fields[index].type != nil)
                || isOver("format") && fields[index].type?.kind == .string
            {
                let strong = fields[index]
                fields[index].weakenType(column, isJSON: isJSON)
                if let type = strong.type {
                    note(strong.typeLines(for: fields[index]), type.kind == .string ? "format" : "type")
                }
                hasDropped = true
            }
            for constraint in fields[index].constraints where isOver(constraint.key) {
                note([constraint.line], constraint.key)
                hasDropped = true
            }
            fields[index].constraints.removeAll { isOver($0.key) }
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
        return text + body(Self.failures(result))
    }

    private func body(_ failures: [ByteEqualString: [String: InferredField.Failure]]) -> String {
        var text = RuleFile.dialectText(dialect)
        text += fields.allSatisfy { $0.reasonForNone != nil } ? "fields: []\n" : "fields:\n"
        for (index, field) in fields.enumerated() {
            text += (index == 0 ? "" : "\n") + field.text(failures[ByteEqualString(field.name)] ?? [:])
        }
        for name in Set(repeated.map(ByteEqualString.init)).sorted() {
            text +=
                "\n# The header has \(YAMLScalar.text(name.text)) more than once: a rule could not tell which is "
                + "meant.\n"
        }
        return text
    }

    /// The values that each rule rejected, by column and by the last part of the rule's name.
    private static func failures(_ result: RunResult) -> [ByteEqualString: [String: InferredField.Failure]] {
        var failures: [ByteEqualString: [String: InferredField.Failure]] = [:]
        var examples: [ByteEqualString: Finding] = [:]
        for finding in result.firstOfRules { examples[ByteEqualString(finding.rule)] = finding }
        func add(_ column: String, _ key: String, _ rule: RunResult.Rule) {
            let count = rule.failed + rule.undecided
            if count == 0 { return }
            let first = examples[ByteEqualString(rule.id)]
            failures[ByteEqualString(column), default: [:]][key] = InferredField.Failure(
                count: count, example: first?.value, record: first?.record)
        }
        for column in result.columns {
            for rule in column.rules {
                add(column.name, String(Substring(rule.id.utf8.dropFirst(column.name.utf8.count + 1))), rule)
            }
        }
        for key in result.keys where key.id.ends(withBytesOf: ".unique") {
            add(String(Substring(key.id.utf8.dropLast(7))), "unique", key)
        }
        return failures
    }

    private static func percentage(_ part: Int, of total: Int) -> String {
        let share = 100 * Double(part) / Double(total)
        if part == total { return "100 %" }
        // Rounded down, so that the share is not overstated.
        return "\((share * 100).rounded(.down) / 100) %"
    }
}
