@testable import Assay
import Foundation
import Testing

@testable import AssayRules

enum Plan: String, CellConvertible, CaseIterable { case free, team }

struct Address: Hashable, Sendable {
    var city = "Porto"
}

struct Item: Sendable {
    var id = "a"
    var price = 1.0
    var parts: [Item] = []
}

struct Order: Sendable {
    var items = [Item()]
    var address: Address? = Address()
    var places: [Address] = []
    var limits: [String: Int] = [:]
    var start = 1
    var end = 2
    var password = "x"
    var repeated = "x"
    var plan = Plan.free
    var agreed = true
    var tags: Set<String> = []
}

extension Address: RuleRecord {
    static let members = [Member("city", \.city)]
}

// A record may contain others of its own type.
extension Item: RuleRecord {
    static let members: [Member] = [Member("id", \.id), Member("price", \.price), Member("parts", \.parts)]
}

extension Order: RuleRecord {
    static let members: [Member] = [
        Member("items", \.items), Member("address", \.address), Member("places", \.places),
        Member("limits", \.limits), Member("start", \.start), Member("end", \.end),
        Member("password", \.password), Member("repeated", \.repeated), Member("plan", \.plan),
        Member("agreed", \.agreed), Member("tags", \.tags), Member("number of items", \.items.count),
    ]
}

@Suite("Requirements of records, lists and optionals have a YAML form")
struct RequirementRecordTests {
    private static let order = Requirement<Order>.all {
        Requirement<Order>.at(
            \.items, .count(min: 1, max: 3) && .each(.at(\.price, .greaterThan(0)).because("Must cost something")))
        Requirement<Order>.at(\.items, .unique(by: \.id)).because(code: "twice", message: "The same thing twice")
        Requirement<Order>.at(\.address, .notNil(.at(\.city, .notEmpty())))
        Requirement<Order>.require(\.repeated, equals: \.password, named: "repeated", "password")
        Requirement<Order>.require(\.end, greaterThan: \.start, named: "end", "start").named("order.dates")
        Requirement<Order>.require(\.agreed)
    }

    @Test("as people write it")
    func yaml() throws {
        #expect(
            try Self.order.yaml() == """
                - at: items
                  rules:
                    - minItems: 1
                      maxItems: 3
                    - each:
                        - message: Must cost something
                          at: price
                          rules:
                            - exclusiveMinimum: '0.0'
                - id: twice
                  message: The same thing twice
                  at: items
                  rules:
                    - uniqueBy: id
                - at: address
                  rules:
                    - notNil:
                        - at: city
                          rules:
                            - minLength: 1
                              lengthUnit: utf8
                - at: repeated
                  equals: password
                - id: order.dates
                  at: end
                  greaterThan: start
                - require: agreed

                """)
        #expect(
            try Requirement<[Int]>(yaml: "{each: {minimum: 3}}").failures(in: [1, 5, 2]).map { "\($0.path): \($0)" }
                == ["[0]: [number.min] Must be at least 3", "[2]: [number.min] Must be at least 3"])
    }

    /// One requirement of every kind, and containers of requirements with custom messages.
    private static let orders: [Requirement<Order>] = [
        order, .always, .never(Reason(code: "closed", message: "Closed")), .any([]), .all([]),
        .at(\.items, .notEmpty()), .at(\.items, .count(max: 1)), .at(\.items, .count()),
        .at(\.items, .contains(.at(\.id, .equals("b")))),
        .at(\.items, .each(.at(\.parts, .each(.at(\.price, .lessThan(2)) && .at(\.parts, .count(max: 0)))))),
        .at(\.places, .unique()), .at(\.places, .each(.always)),
        .at(\.tags, .unique() && .each(.minLength(2)) && .count(min: 2)),
        .at(\.limits, .eachValue(.inRange(0...9))), .at(\.limits, .count(min: 1)),
        .at(\.address, .ifPresent(.at(\.city, .oneOf(["Porto", "Lisboa"])))), .at(\.address, .notNil()),
        .at(\.items.count, .lessThan(2)), .at(\.start, .multiple(of: 2)),
        .at(\.plan, .equals(.team)), .at(\.agreed, .require(\.self)), .at(\.agreed, .equals(false)),
        .require(\.start, notEquals: \.end, named: "start", "end"),
        .require(\.start, lessThan: \.end, named: "start", "end"),
        .require(\.start, lessThanOrEqual: \.end, named: "start", "end"),
        .require(\.start, greaterThanOrEqual: \.end, named: "start", "end"),
        .not(.require(\.agreed)),
        .when(.require(\.agreed), .at(\.password, .minLength(2)) && .at(\.plan, .equals(.team))),
        .any([.require(\.agreed), .at(\.address, .notNil())]),
        .at(\.password, .minLength(2).because(code: "a", message: "b").named("c")),
        .at(\.password, .minLength(2).named("c").because("b")).named("d").named("e").because(code: "f", message: "g"),
        .at(\.password, .all([.minLength(2).because("x"), .containsDigit.named("y")]).named("z")),
        .at(\.password, .when(.notEmpty().because("unseen"), .all([.minLength(2).because("x"), .maxLength(0)]))),
        .at(\.password, .type(.date) || .length(min: 2, max: 3, in: .utf16) || .any([])),
        .at(\.password, try! Requirement<String>(Field(name: "password", isRequired: true, missingValues: ["", "x"]))),
        .at(\.start, try! Requirement<Int>(.range(min: Bound("2"), max: nil, as: .integer))),
        try! Requirement(cel: "end > start && !(row['number of items'] in [0, 4])"),
        try! Requirement(cel: "size(password) > 1").because(code: "short", message: "Too short"),
    ]

    private static let values: [Order] = [
        Order(), Order(items: []),
        Order(items: [Item(price: 0), Item(id: "b", price: -1, parts: [Item(), Item(price: 3)])]),
        Order(items: [Item(), Item(), Item(), Item()]), Order(address: nil, places: [Address(), Address()]),
        Order(address: Address(city: ""), limits: ["a b": 10, "c": 3]), Order(start: 3), Order(start: 2, end: 2),
        Order(password: "", repeated: ""), Order(password: "2024-02-29", plan: .team), Order(password: "n/a!"),
        Order(agreed: false, tags: ["a", "bc"]),
    ]

    @Test("a round trip refuses the same values for the same reasons", arguments: orders.indices)
    func same(index: Int) throws {
        let requirement = Self.orders[index]
        for text in [try requirement.yaml(), try requirement.json()] {
            let read = try Requirement<Order>(yaml: text)
            for value in Self.values {
                let (one, other) = (requirement.failures(in: value), read.failures(in: value))
                #expect(one == other, "\(text)")
                #expect(one.map(\.path) == other.map(\.path), "\(text)")
                #expect(one.map(\.rule) == other.map(\.rule), "\(text)")
                #expect(one.map(\.parameters) == other.map(\.parameters), "\(text)")
                #expect(one.map { $0.message(in: "ja") } == other.map { $0.message(in: "ja") }, "\(text)")
                #expect(requirement.evaluate(value) == read.evaluate(value), "\(text)")
            }
            #expect(try read.yaml() == requirement.yaml())
        }
    }

    @Test("a mistake in an expression has its place")
    func expressions() {
        #expect {
            try Requirement<Order>(yaml: "- {check: end > strat}", name: "order.yaml")
        } throws: {
            "\($0)" == """
                order.yaml:1:17: error: there is no column 'strat'
                   1 | - {check: end > strat}
                     |                 ^^^^^ did you mean 'start'?
                """
        }
    }

    @Test("every kind of node is among them, but for closures")
    func everyKind() throws {
        let folder = URL(filePath: #filePath).appending(path: "../../../../Sources/Assay/Requirements").standardized
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var kinds: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let source = try String(contentsOf: file, encoding: .utf8)
            for match in source.matches(of: /class (\w+)(?:<[^{]*>)?: (?:RequirementNode|CheckNode)\b/) {
                kinds.insert(String(match.1))
            }
        }
        #expect(kinds.count > 15)
        var seen: Set<String> = []
        func visit(_ value: Any) {
            if let requirement = value as? any AnyRequirement {
                visit(requirement.anyNode)
            } else if value is any RequirementNode {
                seen.insert(String("\(type(of: value))".prefix { $0 != "<" }))
                for child in Mirror(reflecting: value).children { visit(child.value) }
            } else if let group = value as? any AnyGroup {
                visit(group.anyRequirements)
            } else if let list = value as? [Any] {
                for element in list { visit(element) }
            }
        }
        for requirement in Self.orders { visit(requirement) }
        // The field, not the requirement, contains repairs. A schema with now() is the requirement of a ClockNode.
        #expect(kinds.subtracting(seen) == ["ClockNode", "ClosureNode", "RepairedNode"])
    }

    @Test("equality with a value is data, for any value")
    func equals() throws {
        func holds<Value: RuleCodable & Hashable & Sendable>(_ value: Value, _ other: Value) throws {
            let requirement = try Requirement<Value>(yaml: Requirement.equals(value).yaml())
            #expect(requirement.evaluate(value).isConfirmed && !requirement.evaluate(other).isConfirmed)
            #expect(Requirement.equals(value).evaluate(other) == requirement.evaluate(other))
        }
        try holds("é", "e\u{301}")
        try holds(7, 8)
        try holds(UInt64.max, 0)
        try holds(0.1, 0.2)
        try holds(Float(0.1), 0.2)
        try holds(true, false)
        try holds(false, true)
        try holds(Plan.team, .free)
        try holds(Substring("a"), "b")
    }

    @Test("requirements that are not data are refused with a message")
    func notData() {
        let requirements: [Requirement<Order>] = [
            .at(\.items.isEmpty, .equals(true)),  // not a member
            .at(\.items, named: "things", .notEmpty()), .at(\.items, .each(.at(\.id.count, .lessThan(3)))),
            .require(\.items.isEmpty), .require(\.repeated, equals: \.password, named: "again", "password"),
            .at(\.items, .each(Requirement { _ in .confirmed })), .at(\.password, .each(.always)),
            .at(\.password, .matches(pattern: "(")), .at(\.items, .unique(by: \.id.count)),
        ]
        for requirement in requirements {
            #expect(throws: NotSerializableError.self) { try requirement.yaml() }
        }
        // The name of a member may differ from that of its property, and the count of a text is in characters.
        #expect(
            Requirement<Order>.at(\.items.count, .lessThan(1)).evaluate(Order()).reason?.path.description
                == "[\"number of items\"]")
        #expect(Requirement<Order>.at(\.password.count, .lessThan(1)).evaluate(Order()).reason?.path.description == "")
    }

    @Test(
        "mistakes have their place",
        arguments: [
            (
                "- {at: itmes, rules: []}",
                """
                r:1:8: error: unknown member 'itmes'
                   1 | - {at: itmes, rules: []}
                     |        ^^^^^ did you mean 'items'?
                """
            ),
            ("- {at: items}", "'at' without 'rules'"),
            (
                "- {at: items, rules: [{pattern: a}]}",
                """
                'pattern' does not suit a list
                   1 | - {at: items, rules: [{pattern: a}]}
                     |                        ^^^^^^^ write {each: […]}
                """
            ),
            ("- {at: address, rules: [{at: city, rules: []}]}", "'at' does not suit a value that may be missing"),
            ("- {pattern: a}", "'pattern' does not suit a record"),
            ("- {at: start, rules: [{minItems: 1}]}", "'minItems' does not suit an integer"),
            ("- {at: start, rules: [{minimum: x}]}", "'x' is not an integer"),
            ("- {at: start, rules: [{required: true}]}", "'required' does not suit an integer"),
            ("- {at: password, rules: [{required: false}]}", "'required: false' has no effect"),
            ("- {at: start, equals: password}", "'start' is Int and 'password' is String"),
            ("- {at: address, lessThan: address}", "Optional<Address> is not Comparable in Swift"),
            ("- {at: items, equals: items}", "Array<Item> is not Equatable in Swift"),
            ("- {at: start, equals: end, lessThan: end}", "'lessThan' beside 'equals'"),
            ("- {at: start, equals: edn}", "unknown member 'edn'"),
            ("- {require: start}", "'start' is not true or false"),
            ("- {at: items, rules: [{uniqueItems: true}]}", "Item is not Hashable in Swift"),
            ("- {at: items, rules: [{uniqueBy: parts}]}", "Array<Item> is not Hashable in Swift"),
            ("- {at: tags, rules: [{uniqueBy: id}]}", "the elements have no members"),
            ("- {at: items, rules: [{minItems: 3, maxItems: 2}]}", "the maxItems 2 is less than the minItems 3"),
            ("- {at: items, rules: [{unique: true}]}", "write uniqueItems: true, or uniqueBy: …"),
            ("- {at: items, each: []}", "a rule is one check, and this has 'at' and 'each'"),
            ("- {each: [], lengthUnit: utf8}", "'lengthUnit' has no meaning beside 'each'"),
            ("- {at: password, rules: [{any: []}]}", "'any' is empty"),
            ("- {when: {require: agreed}}", "'when' without 'then'"),
            ("- {not: {at: items, rules: [{maxItem: 1}]}}", "did you mean 'maxItems'?"),
            ("- {at: items, severity: warn, rules: []}", "a requirement refuses; it has no warnings"),
            ("- 7", "expected a rule such as {at: …, rules: […]}, found '7'"),
            ("- {rules: []}", "'rules' without 'at'"),
        ])
    func mistakes(text: String, message: String) {
        do throws(RuleFileError) {
            _ = try Requirement<Order>(yaml: text, name: "r")
            Issue.record("\(text) was read")
        } catch {
            #expect(error.description.contains(message), "\(error)")
        }
    }

    @Test("rules of records are not in rule files")
    func ruleFiles() {
        for key in KeyTable.requirementKeys where key != "required" && key != "rules" && key != "missingValues" {
            #expect(throws: RuleFileError.self) {
                try RuleFile.parse(Array("fields: [{name: a, rules: [{\(key): a}]}]".utf8), name: "r")
            }
        }
    }
}

/// A requirement of any value.
private protocol AnyRequirement {
    var anyNode: Any { get }
}

extension Requirement: AnyRequirement {
    fileprivate var anyNode: Any { node }
}

private protocol AnyGroup {
    var anyRequirements: [Any] { get }
}

extension GroupMembers: AnyGroup {
    fileprivate var anyRequirements: [Any] { requirements }
}
