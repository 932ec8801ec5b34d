import Assay
import Testing

private struct Trip: Sendable {
    var name = "Porto"
    var people = 2
    var price = 99.9
    var deposit: Double? = 20
    var leaves = Day(text: "2024-05-01")
    var returns: Day? = Day(text: "2024-05-08")
    var tags = ["sea", "city"]
    var isPaid = false
    var stops: [Stop] = []
    var kind = Kind.group
}

private enum Kind: String, CellConvertible { case group, single }

private struct Stop: Sendable { var town = "Braga" }

/// A custom type that can be a cell.
private struct Day: CellConvertible {
    var text: String
    static var cellType: ValueType { ValueType(.date) }
    var cellText: String { text }
}

extension Stop: RuleRecord {
    static let members = [Member("town", \.town)]
}

extension Trip: RuleRecord {
    static let members: [Member] = [
        Member("name", \.name), Member("people", \.people), Member("price", \.price), Member("deposit", \.deposit),
        Member("leaves", \.leaves), Member("returns", \.returns), Member("tags", \.tags), Member("is paid", \.isPaid),
        Member("stops", \.stops), Member("kind", \.kind),
    ]
}

@Suite("Requirements of records in CEL") struct RowRequirementTests {
    @Test(arguments: [
        ("returns >= leaves", true), ("returns - leaves <= duration('24h')", false), ("people * 2 == 4", true),
        ("price * 2 == 199.8", true), ("deposit < price", true), ("name.startsWith('P') && size(name) == 5", true),
        ("'sea' in tags", true), ("tags.all(t, t.matches('^[a-z]+$'))", true), ("size(tags) > 2", false),
        ("row['is paid']", false), ("kind == 'group'", true), ("leaves.getMonth() == 4", true),
    ]) func members(_ expression: String, _ isConfirmed: Bool) throws {
        let requirement = try Requirement<Trip>(cel: expression)
        #expect(requirement.evaluate(Trip()).isConfirmed == isConfirmed)
        #expect(requirement.description == expression)
    }

    @Test func whatIsMissingDoesNotCount() throws {
        let trip = Trip(deposit: nil, returns: nil)
        #expect(try Requirement<Trip>(cel: "deposit > 1000.0").evaluate(trip).isConfirmed)
        #expect(try !Requirement<Trip>(cel: "has(deposit) || has(returns)").evaluate(trip).isConfirmed)
        #expect(try Requirement<Trip>(cel: "!has(returns) || returns >= leaves").evaluate(trip).isConfirmed)
    }

    @Test func whatCannotBeComputedIsUndecided() throws {
        let rule = try Requirement<Trip>(cel: "9223372036854775807 + people > 0")
        #expect(rule.evaluate(Trip()).verdict == .undecided)
        #expect(rule.evaluate(Trip()).reason?.message == "Could not be checked")
        #expect(
            try Requirement<Trip>(cel: "leaves < returns").evaluate(Trip(leaves: Day(text: "soon"))).verdict
                == .undecided)
    }

    @Test(
        "a rule that takes too much work or memory is undecided, and its reason is the limit",
        arguments: [
            "tags.all(a, tags.all(b, tags.all(c, a + b != c)))", "tags.map(a, tags.map(b, tags)).size() == 0",
            "tags.map(a, name + a).size() == 0",
        ])
    func limits(_ expression: String) throws {
        let trip = Trip(name: String(repeating: "n", count: 1 << 16), tags: (0..<1_000).map { "tag \($0)" })
        let evaluation = try Requirement<Trip>(cel: expression).evaluate(trip)
        #expect(evaluation.verdict == .undecided)
        #expect(evaluation.reason?.message == "Could not be checked: a limit was reached")
        #expect(try Requirement<Trip>(cel: "tags.all(t, t >= tags[0])").evaluate(trip).isConfirmed)
        let schema = Schema(fields: [Field(name: "name"), Field(name: "tags", type: ValueType(.list))])
        let rule = RowRule(id: "r", check: expression)
        let record = ["name": trip.name, "tags": trip.tags.joined(separator: ",")]
        #expect(try Requirement(rule, in: schema).evaluate(record).reason?.message == evaluation.reason?.message)
    }

    @Test func reasons() throws {
        let rule = try Requirement<Trip>(cel: "people <= 1")
        let reason = try #require(rule.evaluate(Trip()).reason)
        #expect(reason.rule == "record.check")
        #expect(reason.message == "Does not fulfil people <= 1")
        #expect(reason.message(in: "pt") == "Não cumpre people <= 1")
        #expect(rule.because("Too many").evaluate(Trip()).reason?.message == "Too many")
        let both = Requirement<Trip>.all([rule, try Requirement(cel: "price < 1.0")])
        #expect(both.failures(in: Trip()).count == 2)
    }

    @Test(arguments: [
        ("peple > 1", 0, "there is no column 'peple'; did you mean 'people'?"),
        ("stops == stops", 0, "there is no column 'stops'"),
        ("people + 1", 0, "the expression must be a bool, and this is int; compare it with something, as in x > 0"),
        ("name > 1", 5, "'>' needs two values of one type, found string and int; write int(name)"),
    ]) func mistakes(_ expression: String, _ offset: Int, _ message: String) {
        #expect {
            try Requirement<Trip>(cel: expression)
        } throws: { error in
            guard let error = error as? CompileError, error.part == .check else { return false }
            return error.message == message && error.offset == offset
        }
    }

    static let schema = Schema(
        fields: [
            Field(name: "start", type: ValueType(.date)), Field(name: "end", type: ValueType(.date)),
            Field(name: "count", type: .integer, missingValues: ["-"]),
        ],
        rows: [
            RowRule(id: "dates", check: "end >= start", message: "ends before it starts"),
            RowRule(id: "few", check: "count < 3"),
            RowRule(id: "odd", check: "count % 2 == 1", severity: .warn),
        ])

    @Test(
        arguments: [
            (["start": "2024-01-01", "end": "2024-01-02", "count": "1"], []),
            (
                ["start": "2024-01-02", "end": "2024-01-01", "count": "4"],
                ["ends before it starts", "Does not fulfil count < 3"]
            ),
            (["start": "2024-01-02", "count": "-"], []),
            (["start": "2024-01-02", "end": "x", "count": "-"], ["Is not of the type date"]),
        ] as [([String: String], [String])]) func dictionaries(_ record: [String: String], _ messages: [String]) throws
    {
        let requirement = try Requirement<[String: String]>(Self.schema)
        #expect(requirement.failures(in: record).map(\.message) == messages)
    }

    @Test func oneRuleOfASchema() throws {
        let rule = try Requirement(RowRule(id: "x", check: "count > 3"), in: Self.schema)
        let reason = try #require(rule.evaluate(["count": "2", "end": "nonsense"]).reason)
        #expect(reason.rule == "x")
        #expect(rule.evaluate(["count": "4"]).isConfirmed)
        #expect(throws: CompileError(part: .check, message: "row rule 'x': there is no column 'cout'", offset: 4)) {
            try Requirement(RowRule(id: "x", check: "4 < cout"), in: Self.schema)
        }
    }
}
