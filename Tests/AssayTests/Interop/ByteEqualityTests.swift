import Assay
import Testing

private let composed = "caf\u{e9}"
private let decomposed = "cafe\u{301}"

private struct Account: Sendable {
    var name: String?
    var again: String?
}

extension Account: RuleRecord {
    static let members: [Member] = [Member("name", \.name), Member("again", \.again)]
}

@Suite("Texts are equal only if their bytes are")
struct ByteEqualityTests {
    @Test("values of every kind that have texts in them")
    func values() {
        #expect(composed == decomposed)
        #expect(areByteEqual(composed, composed) && !areByteEqual(composed, decomposed))
        #expect(!areByteEqual(composed[...], decomposed[...]) && !areByteEqual(Character("é"), Character("e\u{301}")))
        #expect(!areByteEqual(Optional(composed), decomposed) && areByteEqual(String?.none, nil))
        #expect(!areByteEqual(Optional(composed), nil))
        #expect(!areByteEqual([composed], [decomposed]) && !areByteEqual([[nil, composed]], [[nil, decomposed]]))
        #expect(!areByteEqual([composed], [composed, composed]) && areByteEqual([composed], [composed]))
        #expect(!areByteEqual(Set([composed]), [decomposed]) && areByteEqual(Set(["a", composed]), [composed, "a"]))
        #expect(!areByteEqual([composed: 1], [decomposed: 1]) && !areByteEqual([1: composed], [1: decomposed]))
        #expect(areByteEqual([composed: 1], [composed: 1]) && areByteEqual([1: 2], [1: 2]))
        #expect(areByteEqual(1, 1) && !areByteEqual(1, 2) && !areByteEqual(Double.nan, .nan))
    }

    @Test("requirements compare byte for byte, as in a file")
    func requirements() {
        func refuses<Value: Hashable & Sendable>(_ one: Value, _ other: Value) {
            #expect(one == other)
            for requirement in [Requirement<Value>.equals(one), .oneOf([one])] {
                #expect(requirement.evaluate(one).isConfirmed && !requirement.evaluate(other).isConfirmed)
            }
        }
        refuses(composed, decomposed)
        refuses(composed[...], decomposed[...])
        refuses(Optional(composed), Optional(decomposed))
        refuses([composed], [decomposed])
        #expect(Requirement<Int?>.oneOf([1, nil]).evaluate(nil).isConfirmed)

        let unique = Requirement<[String]>.unique()
        #expect(unique.evaluate([composed, decomposed]).isConfirmed)
        #expect(
            unique.evaluate([composed, decomposed, "x", decomposed]).reason?.path.description == "[3]")
        #expect(unique.evaluate([composed, decomposed, composed]).reason?.path.description == "[2]")
        #expect(
            Requirement<[Account]>.unique(by: \.name).evaluate([Account(name: composed), Account(name: decomposed)])
                .isConfirmed)
        #expect(!Requirement<[Int]>.unique().evaluate([1, 2, 1]).isConfirmed)
    }

    @Test("rules across fields")
    func relations() throws {
        let equal = Requirement<Account>.require(\.again, equals: \.name, named: "again", "name")
        let differ = Requirement<Account>.require(\.again, notEquals: \.name, named: "again", "name")
        let (same, other) = (Account(name: composed, again: composed), Account(name: composed, again: decomposed))
        #expect(equal.evaluate(same).isConfirmed && !equal.evaluate(other).isConfirmed)
        #expect(!differ.evaluate(same).isConfirmed && differ.evaluate(other).isConfirmed)
    }

    @Test("descriptions with other texts differ")
    func descriptions() {
        func differ<Value: Hashable>(_ make: (String) -> Value) {
            #expect(make(composed) == make(composed) && make(composed) != make(decomposed))
            #expect(Set([make(composed), make(decomposed), make(composed)]).count == 2)
        }
        differ { Check.matches(pattern: $0) }
        differ { Check.oneOf([$0]) }
        differ { Check.not(.all([.any([.when(.matches(pattern: $0), then: .all([]))])])) }
        differ { Check.type(ValueType(.string, format: $0)) }
        differ { Check.range(min: Bound($0), max: nil, as: .date) }
        differ { ValueType(.number, decimalChar: $0) }
        differ { ValueType(.number, groupChar: $0) }
        differ { ValueType(.list, delimiter: $0) }
        differ { ValueType(.boolean, trueValues: [$0]) }
        differ { ValueType(.boolean, falseValues: [$0]) }
        differ { Field(name: $0) }
        differ { Field(name: "a", missingValues: [$0]) }
        differ { Schema(fields: [Field(name: $0)]) }
        differ { Schema(missingValues: [$0]) }
        differ { Rule(id: $0, code: "c", check: .all([])) }
        differ { Rule(id: "a", code: $0, check: .all([])) }
        differ { Rule(id: "a", code: "c", check: .all([]), message: $0) }
        differ { RowRule(id: $0, check: "true") }
        differ { RowRule(id: "a", check: $0) }
        differ { RowRule(id: "a", check: "true", message: $0) }
        differ { Key(.primary, fields: [$0]) }
        differ { ForeignKey(fields: [$0], reference: .init(fields: ["a"])) }
        differ { ForeignKey(fields: ["a"], reference: .init(resource: $0, fields: ["a"])) }
        differ { ForeignKey(fields: ["a"], reference: .init(fields: [$0])) }
        for repair in [
            { .missing([$0]) }, { .replace(pattern: $0, with: "") }, { .replace(pattern: "", with: $0) },
            { .map([$0: ""]) }, { .map(["": $0]) }, { .default($0) }, { .canonical(.init(from: [$0])) },
            { .canonical(.init(region: $0)) }, { .canonical(.init(decimalChar: $0)) },
            { .canonical(.init(groupChar: $0)) },
        ] as [(String) -> Repair] {
            differ(repair)
            differ { Field(name: "a", repair: [repair($0)]) }
        }
    }

    @Test("descriptions that differ in anything else differ, too")
    func others() {
        func differ<Value: Hashable>(_ values: [Value]) {
            for (place, value) in values.enumerated() {
                #expect(values.map { $0 == value } == values.indices.map { $0 == place }, "\(value)")
            }
            #expect(Set(values).count == values.count)
        }
        differ([
            Check.all([]), .any([]), .not(.all([])), .not(.any([])), .when(.all([]), then: .any([])),
            .when(.any([]), then: .all([])), .type(.integer), .type(.number), .all([.all([])]),
            .length(min: 1, max: nil, in: .scalars), .length(min: nil, max: 1, in: .scalars),
            .length(min: 1, max: nil, in: .utf8), .count(min: 1, max: nil, as: .list),
            .count(min: 1, max: 2, as: .list),
            .count(min: 1, max: nil, as: .array), .matches(pattern: "a"), .matches(pattern: "a", options: .search),
            .oneOf(["a"]), .oneOf(["a", "b"]), .oneOf(["a"], as: .any), .range(min: Bound("1"), max: nil, as: .number),
            .range(min: Bound("1", isExclusive: true), max: nil, as: .number),
            .range(min: nil, max: Bound("1"), as: .number), .range(min: Bound("1"), max: nil, as: .integer),
        ])
        differ([
            ValueType(.list), ValueType(.list, itemType: .integer), ValueType(.list, delimiter: ";"),
            ValueType(.number), ValueType(.number, isBareNumber: false), ValueType(.date, format: "%Y"),
            ValueType(.boolean, trueValues: ["1"]), ValueType(.boolean, falseValues: ["1"]), ValueType(.boolean),
        ])
        differ([
            Field(name: "a"), Field(name: "a", type: .integer), Field(name: "a", isRequired: true),
            Field(name: "a", missingValues: []), Field(name: "a", repair: [.trim]),
            Field(name: "a", rules: [Rule(id: "a", code: "b", check: .all([]))]),
            Field(name: "a", rules: [Rule(id: "a", code: "b", check: .all([]), severity: .warn)]),
        ])
        var (keys, foreignKeys, keep) = (Schema(), Schema(), Schema())
        keys.keys = [Key(.unique, fields: ["a"])]
        foreignKeys.foreignKeys = [ForeignKey(fields: ["a"], reference: .init(fields: ["b"]))]
        keep.keep = .none
        differ([
            Schema(), Schema(fields: [Field(name: "a")]), Schema(missingValues: []), Schema(fieldsMatch: .exact),
            Schema(rows: [RowRule(id: "a", check: "true")]),
            Schema(rows: [RowRule(id: "a", check: "true", severity: .warn)]), keys, foreignKeys, keep,
        ])
        differ([
            Key(.unique, fields: ["a"]), Key(.primary, fields: ["a"]), Key(.combination, fields: ["a"]),
            Key(.combination, fields: ["a"], number: 2),
        ])
        differ([
            ForeignKey(fields: ["a"], reference: .init(fields: ["b"])),
            ForeignKey(fields: ["a"], reference: .init(fields: ["b"]), number: 2),
        ])
        differ(Repair.words + [.missing([]), .replace(pattern: "", with: ""), .map([:]), .default("")])
    }
}
