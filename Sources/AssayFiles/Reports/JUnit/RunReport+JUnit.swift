internal import Assay

extension RunReport {
    /// Returns the report in JUnit's XML format for servers that display tests: a suite for the table, a test for each
    /// rule, rule on the table and threshold.
    ///
    /// A rule that rejects records or leaves them undecided is a failure; warnings are in the output of the test.
    /// Source: the format that Jenkins and GitLab read (<https://github.com/testmoapp/junitxml>).
    func junit() -> String {
        let facts = ReportFacts(self)
        let cases =
            facts.rules.filter { isShown($0) }.map { testCase($0, facts) } + result.tableRules.map { testCase($0) }
            + result.thresholds.map { testCase($0) }
        let failures = cases.count { $0.isFailure }
        let counts = [("tests", String(cases.count)), ("failures", String(failures)), ("errors", "0")]
        let suite = [("name", facts.name)] + counts + [("skipped", "0")]
        let properties = [
            ("assay", assayVersion), ("records", String(result.records)), ("clean", String(result.clean)),
            ("rejected", String(result.rejected)), ("undecided", String(result.undecided)),
            ("warnings", String(facts.warnings)),
        ]
        let lines =
            [
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
                "<testsuites\(markupAttributes([("name", "assay")] + counts))>",
                "  <testsuite\(markupAttributes(suite))>", "    <properties>",
            ]
            + properties.map { "      <property\(markupAttributes([("name", $0), ("value", $1)]))/>" }
            + ["    </properties>"] + cases.map(\.text) + ["  </testsuite>", "</testsuites>"]
        return lines.joined(separator: "\n") + "\n"
    }

    private struct TestCase {
        let text: String
        let isFailure: Bool
    }

    /// Kinds of malformed records that cannot occur in the format of the input are not tests.
    private func isShown(_ rule: RuleFacts) -> Bool {
        let others =
            result.format == .csv ? ["structure.json"] : ["structure.fields", "structure.quote"]
        return rule.meaning == nil || rule.count > 0 || !others.contains(rule.id)
    }

    private func testCase(_ facts: RuleFacts, _ all: ReportFacts) -> TestCase {
        let rule = facts.rule
        let isFailure = rule.failed > 0 || (rule.undecided > 0 && rule.severity == .reject)
        let places = facts.places.map { place in
            "\(place.input ?? all.name):\(place.line):\(place.character ?? 1) "
                + (place.column.map { "\($0) " } ?? "the record ") + place.message
        }
        var inside: [String] = []
        let counts = [(rule.failed, "failed"), (rule.warned, "warned"), (rule.undecided, "undecided")]
            .filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }.joined(separator: ", ")
        let message = "\(counts) of \(plural(result.records, "record"))" + (facts.message.map { ": \($0)" } ?? "")
        let body = places.map { markupEscaped($0) }.joined(separator: "\n")
        if isFailure {
            let attributes = markupAttributes([
                ("message", message), ("type", rule.failed > 0 ? "reject" : "undecided"),
            ])
            inside.append("<failure\(attributes)>\(body)</failure>")
        } else if facts.count > 0 {
            inside.append("<system-out>\(markupEscaped("warning: " + message))\n\(body)</system-out>")
        }
        return testCase(rule.id, of: [all.name, facts.column].compactMap(\.self), inside, isFailure)
    }

    private func testCase(_ rule: RunResult.TableRule) -> TestCase {
        let text = TableRuleText(rule)
        var inside: [String] = []
        if rule.isViolated {
            let type = rule.verdict == .fail ? "reject" : "undecided"
            inside.append("<failure\(markupAttributes([("message", text.warning), ("type", type)]))/>")
        } else if rule.verdict != .pass {
            inside.append("<system-out>\(markupEscaped("warning: " + text.warning))</system-out>")
        }
        return testCase(rule.id, of: [ReportFacts(self).name, "table"], inside, rule.isViolated)
    }

    private func testCase(_ threshold: RunResult.Threshold) -> TestCase {
        let text = ThresholdText(threshold)
        let inside =
            threshold.isExceeded
            ? ["<failure\(markupAttributes([("message", text.warning), ("type", "threshold")]))/>"] : []
        return testCase(
            "\(text.subject) \(text.bound)", of: [ReportFacts(self).name, "thresholds"], inside, threshold.isExceeded)
    }

    private func testCase(_ name: String, of groups: [String], _ inside: [String], _ isFailure: Bool) -> TestCase {
        let attributes = markupAttributes([("classname", groups.joined(separator: ".")), ("name", name)])
        let text =
            inside.isEmpty
            ? "    <testcase\(attributes)/>"
            : "    <testcase\(attributes)>\n" + inside.map { "      \($0)\n" }.joined() + "    </testcase>"
        return TestCase(text: text, isFailure: isFailure)
    }
}
