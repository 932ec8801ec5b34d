import Assay
import Testing

@testable import AssayRules

@Suite("Thresholds") struct ThresholdsTests {
    static let fields = """
        fields:
          - {name: email, format: email, constraints: {required: true, maxLength: 254}}
          - {name: phone, rules: [{id: reach, pattern: '[0-9]+', severity: warn}]}

        """

    @Test func allOfThem() throws {
        let file = try rules(
            Self.fields + """
                thresholds:
                  rejected: 1%
                  columns: {email: 0.5%, phone: 7}
                  rules: {email.required: 0, email.format: 2.50%, reach: 1e-3%, phone.type: 3, structure.quote: 4, \
                encoding: 5}
                  records: {min: 1000, max: 2000}
                """)
        var expected = Thresholds()
        expected.rejected = .percent(1)
        expected.columns = [.init(name: "email", max: .percent(0.5)), .init(name: "phone", max: .count(7))]
        expected.rules = [
            .init(name: "email.required", max: .count(0)), .init(name: "email.format", max: .percent(2.5)),
            .init(name: "reach", max: .percent(0.001)), .init(name: "phone.type", max: .count(3)),
            .init(name: "structure.quote", max: .count(4)), .init(name: "encoding", max: .count(5)),
        ]
        (expected.minRecords, expected.maxRecords) = (1000, 2000)
        #expect(file.thresholds == expected)
        #expect(try rules(file.json()) == file)
        #expect(
            file.json().contains(
                """
                  "thresholds": {
                    "rejected": "1%",
                    "columns": {
                      "email": "0.5%",
                      "phone": 7
                    },
                    "rules": {
                      "email.required": 0,
                      "email.format": "2.5%",
                      "reach": "0.001%",
                      "phone.type": 3,
                      "structure.quote": 4,
                      "encoding": 5
                    },
                    "records": {
                      "min": 1000,
                      "max": 2000
                    }
                  }
                """))
    }

    @Test(arguments: [
        "", "thresholds:", "thresholds: {}", "thresholds: {columns: {}, rules: {}, records: {}}",
        "thresholds: {columns: , rules: ~, records: null, x-why: none}",
    ]) func none(_ text: String) throws {
        let file = try rules(Self.fields + text)
        #expect(file.thresholds.isEmpty)
        #expect(!file.json().contains("thresholds"))
    }

    @Test(arguments: ["0%", "100%", ".5%", "1e-07%", "33.333333333333336%", "0", "9223372036854775807"])
    func amountsComeBack(_ text: String) throws {
        let file = try rules("fields: []\nthresholds: {rejected: \(text)}")
        #expect(file.thresholds.rejected != nil)
        #expect(try rules(file.json()) == file)
    }

    /// A JSON Schema of a record may have thresholds for all columns that it names.
    @Test func inAJSONSchema() throws {
        let file = try rules(
            """
            {"properties": {"a": {"type": "integer"}}, "required": ["b"],
             "thresholds": {"columns": {"a": 1, "b": 2}, "rules": {"a.type": 3, "b.required": "4%"}}}
            """)
        #expect(file.thresholds.columns.map(\.name) == ["a", "b"])
        #expect(file.thresholds.rules.map(\.max) == [.count(3), .percent(4)])
    }

    static let mistakes: [GrammarMistakeTests.Case] = [
        .init("1️⃣7", ("expected a mapping such as {rejected: 1%}, found '7'", "7", nil)),
        .init("{1️⃣reject: 1%}", ("unknown key 'reject' in thresholds", "reject", "did you mean 'rejected'?")),
        .init("{rejected: 1️⃣101%}", ("a share is from 0% to 100%, found '101%'", "101%", nil)),
        .init("{rejected: 1️⃣-1%}", ("a share is from 0% to 100%, found '-1%'", "-1%", nil)),
        .init("{rejected: 1️⃣nan%}", ("a share is from 0% to 100%, found 'nan%'", "nan%", nil)),
        .init("{rejected: 1️⃣'%'}", ("a share is from 0% to 100%, found the text '%'", "'%'", nil)),
        .init(
            "{rejected: 1️⃣0.5}",
            (
                "expected a share such as 0.5%, or a whole number, found '0.5'", "0.5",
                "write 0.5% for a share of the records"
            )),
        .init("{rejected: 1️⃣'5'}", ("expected a whole number, found the text '5'", "'5'", "remove the quotes")),
        .init("{rejected: 1️⃣few}", ("expected a whole number, found 'few'", "few", nil)),
        .init("{rejected: 1️⃣-1}", ("expected a whole number, 0 or more, found '-1'", "-1", nil)),
        .init("{rejected: 1️⃣[1%]}", ("expected a share such as 0.5%, or a number, found a list", "[1%]", nil)),
        .init("{rejected: 1️⃣~}", ("expected a share such as 0.5%, or a number, found no value", "~", nil)),
        .init("{columns: 1️⃣1%}", ("expected a mapping of columns such as {email: 0.5%}, found '1%'", "1%", nil)),
        .init("{columns: {1️⃣emial: 1%}}", ("there is no column 'emial'", "emial", "did you mean 'email'?")),
        .init("{columns: {1️⃣size: 1%}}", ("there is no column 'size'", "size", "known are email, phone")),
        .init(
            "{columns: {email: 1️⃣{max: 1}}}",
            ("expected a share such as 0.5%, or a number, found a mapping", "{max: 1}", nil)),
        .init(
            "{rules: {1️⃣email.fromat: 1}}",
            ("there is no rule 'email.fromat'", "email.fromat", "did you mean 'email.format'?")),
        .init(
            "{rules: {1️⃣structure.fieds: 1}}",
            ("there is no rule 'structure.fieds'", "structure.fieds", "did you mean 'structure.fields'?")),
        .init(
            "{rules: 1️⃣[reach]}",
            ("expected a mapping of rules such as {email.format: 100}, found a list", "[reach]", nil)),
        .init("{records: 1️⃣1000}", ("expected a mapping such as {min: 1000}, found '1000'", "1000", nil)),
        .init("{records: {1️⃣minimum: 1}}", ("unknown key 'minimum' in records", "minimum", "did you mean 'min'?")),
        .init("{records: {min: 1️⃣1%}}", ("expected a whole number, found '1%'", "1%", nil)),
        .init("{records: {min: 2, max: 1️⃣1}}", ("the max 1 is less than the min 2", "1", "no table could pass")),
    ]

    @Test(arguments: mistakes) func mistakesByPlace(_ example: GrammarMistakeTests.Case) {
        GrammarMistakeTests().check(
            example,
            before: "{fields: [{name: email, format: email}, {name: phone}], thresholds: ", after: "}")
    }

    @Test func aColumnOfNoColumns() {
        #expect(
            problems("fields: []\nthresholds: {columns: {a: 1}}").map { [$0.message, $0.suggestion] } == [
                ["there is no column 'a'", nil]
            ])
    }

    /// If a field cannot be read, its name is unknown, so names in thresholds are not checked.
    @Test func namesWithOtherMistakes() {
        let text = """
            fields:
              - {name: a, rules: [{id: hard, pattern: '('}]}
            fieldMatch: exact
            thresholds: {columns: {b: 1}, rules: {hard: 1}, rejected: x}
            """
        #expect(problems(text).map(\.line) == [2, 3, 4])
        #expect(
            problems(text.replacing("'('", with: "a")).map(\.message) == [
                "unknown key 'fieldMatch' in a rule file", "there is no column 'b'",
                "expected a whole number, found 'x'",
            ])
    }

    private func problems(_ text: String) -> [RuleProblem] {
        do {
            _ = try RuleFile.parse(Array(text.utf8), name: "rules.yaml")
            return []
        } catch {
            return error.problems
        }
    }
}
