import Assay
import Testing

@testable import AssayRules

@Suite("Rules on the table") struct TableRulesTests {
    static let fields = """
        fields:
          - {name: email, format: email}
          - {name: unit price, type: number}

        """

    @Test func allOfThem() throws {
        let file = try rules(
            Self.fields + """
                table:
                  - {id: enough, check: count() >= 1000, message: the export is too small}
                  - {check: 'mean(row["unit price"]) < 500.0', severity: warn, x-note: 7}
                """)
        #expect(
            file.tableRules == [
                TableRule(id: "enough", check: "count() >= 1000", message: "the export is too small"),
                TableRule(id: "table.2", check: "mean(row[\"unit price\"]) < 500.0", severity: .warn),
            ])
        #expect(try rules(file.json()) == file)
        #expect(try rules(Self.fields + "table: []").tableRules.isEmpty)
    }

    @Test(arguments: [
        ("{id: a}", "'check' is missing", "write {check: 'count() >= 1000'}"),
        ("{check: count() > 1, pattern: a}", "'pattern' is about one column", "write it under 'rules' of that field"),
        ("{check: mean(amount) > 1}", "the rules have no field 'amount'", "add it to 'fields': - name: amount"),
        (
            "{check: email == 'a'}", "a rule on a table needs an aggregate of the column 'email'",
            "write count(email), min(email) or another aggregate; rules on each record belong under 'rows'"
        ),
    ])
    func mistakes(_ rule: String, _ message: String, _ suggestion: String) {
        let error = #expect(throws: RuleFileError.self) { try Self.read("table: [\(rule)]") }
        #expect(error?.problems.map(\.message) == [message])
        #expect(error?.problems.map(\.suggestion) == [suggestion])
    }

    /// The ids of all rules of a file differ, and thresholds cannot name a rule on the table.
    @Test(arguments: [
        "rows: [{id: a, check: 'true'}]\ntable: [{id: a, check: count() > 1}]",
        "table: [{id: a, check: count() > 1}]\nthresholds: {rules: {a: 1}}",
        "table: [{id: encoding, check: count() > 1}]",
    ])
    func ids(_ text: String) {
        #expect(throws: RuleFileError.self) { try Self.read(text) }
    }

    private static func read(_ text: String) throws(RuleFileError) -> RuleFile {
        try RuleFile.parse(Array((fields + text).utf8), name: "rules.yaml")
    }
}
