import Assay
import AssayFiles
import AssayRules
import Foundation
import Testing

/// Budgets of runs over files: no byte is lost, and completely checked records have the verdicts of a run without a
/// budget.
@Suite("Budgets of runs") struct RunBudgetTests {
    private static let rules = """
        fields:
          - {name: id, type: integer, constraints: {required: true, maximum: 900}}
          - {name: name, repair: [trim, lower], constraints: {pattern: '(.).*\\1|[a-m][^-]*'}}
          - {name: email, format: email}
          - {name: note, constraints: {maxLength: 12}}
        rows:
          - {id: order, check: "id < 500 || name.size() > 3"}
          - {id: slow, check: 'name.matches("(.)\\\\1") || has(email)'}
        """

    private static func table(_ count: Int) -> String {
        var text = "id,name,email,note\n"
        for index in 0..<count {
            let name = [" Anna", "Bob", "nan-x", "", "é\(index)"][index % 5]
            let email = index % 7 == 0 ? "bo" : "u\(index)@example.org"
            text += "\(index * 7 % 1000),\(name),\(email),\(index % 11 == 0 ? "a long note of this" : "é")\n"
        }
        return text
    }

    private static func lines(_ count: Int) -> String {
        (0..<count).map { index in
            let tags = (0..<index % 9).map { "\"t\($0 * index % 13)\"" }.joined(separator: ",")
            return #"{"id":\#(index),"tags":[\#(tags)]}"#
        }.joined(separator: "\n") + "\n"
    }

    /// The rules of the findings of each record, without those about the budget, and the records over the budget.
    private func found(_ outcome: Outcome) throws -> (rules: [Int: [String]], over: Set<Int>) {
        var rules: [Int: [String]] = [:]
        var over: Set<Int> = []
        for line in outcome.findings.split(separator: "\n") {
            let members = try JSONSerialization.jsonObject(with: Data(line.utf8)) as! [String: Any]
            let (record, rule) = (members["record"] as! Int, members["rule"] as! String)
            if rule == "budget" {
                #expect(members["code"] as? String == "undecided")
                #expect(members["message"] as? String == "was not judged to the end: the budget of the call is spent")
                #expect(over.insert(record).inserted)
            } else {
                rules[record, default: []].append("\(rule) \(members["code"]!) \(members["offset"]!)")
            }
        }
        return (rules, over)
    }

    private func compare(_ text: String, _ rules: String, format: InputFormat = .csv) throws {
        var options = threads(1)
        options.format = format
        let right = try clean(text, rules: rules, options: options)
        let rightRules = try found(right).rules
        let rejected = Set(right.rejectText.split(separator: "\n"))
        options.budget = CallBudget(work: .max)
        let generous = try clean(text, rules: rules, options: options)
        #expect(generous.clean == right.clean && generous.rejects == right.rejects)
        #expect(generous.findings == right.findings)
        #expect(generous.result.overBudget == 0)
        let used = generous.result.budgetTicks
        #expect(used > 0)
        var cuts = 0
        for part in 0..<16 {
            options.threads = part % 4 == 3 ? 4 : 1
            options.budget = CallBudget(work: used / 16 * part)
            let cut = try clean(text, rules: rules, options: options)
            let (rules, over) = try found(cut)
            #expect(cut.result.clean + cut.result.rejected == cut.result.records)
            #expect(cut.result.records == right.result.records)
            #expect(cut.result.overBudget == over.count)
            #expect(cut.result.undecided >= over.count)
            #expect(cut.result.budgetTicks <= used / 16 * part)
            for record in 1...max(1, right.result.records) where !over.contains(record) {
                #expect(rules[record] == rightRules[record], "record \(record) at \(part)/16")
            }
            for record in over {
                let all = Set(rightRules[record] ?? [])
                #expect(all.isSuperset(of: rules[record] ?? []))
            }
            #expect(
                !cut.cleanText.split(separator: "\n").dropFirst(format == .csv ? 1 : 0).contains {
                    rejected.contains($0)
                })
            if !over.isEmpty && over.count < right.result.records { cuts += 1 }
        }
        #expect(cuts > 0)
    }

    private static let count = runsSlowTests ? 6_000 : 1_500

    @Test("CSV with repairs and row rules", .needsPCRE2) func csv() throws {
        try compare(Self.table(Self.count), Self.rules)
    }

    @Test("JSON Lines with lists")
    func lists() throws {
        try compare(
            Self.lines(Self.count),
            """
            fields:
              - {name: id, type: integer}
              - {name: 'tags[]', constraints: {pattern: '(t).*[0-57]', maxLength: 2}}
            """, format: .jsonLines)
    }

    @Test("keys: a record over the budget holds no key, and clean records have unique keys", .needsPCRE2)
    func keys() throws {
        let text = "id\n" + (0..<9000).map { "\($0 % 4000)\n" }.joined()
        let rules = "{fields: [{name: id, constraints: {pattern: '(\\d)*\\1?'}}], primaryKey: id}"
        var options = threads(1)
        options.budget = CallBudget(work: .max)
        let used = try clean(text, rules: rules, options: options).result.budgetTicks
        for part in 1..<8 {
            options.budget = CallBudget(work: used / 8 * part)
            let cut = try clean(text, rules: rules, options: options)
            let clean = cut.cleanText.split(separator: "\n").dropFirst()
            #expect(Set(clean).count == clean.count)
            #expect(cut.result.overBudget > 0)
            #expect(cut.result.clean + cut.result.rejected == 9000)
        }
    }

    @Test("the report counts them", .needsPCRE2)
    func report() throws {
        var options = threads(1)
        options.budget = CallBudget(work: 1000)
        let rules = try RuleFile.parse(Array(Self.rules.utf8), name: "rules.yaml")
        let result = try Cleaner(rules: rules, options: options).run(PieceSource(Self.table(20)))
        let report = RunReport(
            inputs: ["t.csv"], paths: OutputPaths(), result: result, rules: rules, engine: .dfa, seconds: 0)
        #expect(result.overBudget == 20)
        #expect(report.json().contains("\"overBudget\": 20"))
    }
}
