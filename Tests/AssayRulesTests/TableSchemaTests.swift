import Assay
import Testing

@testable import AssayRules

/// Table Schemas in the form that other tools write.
@Suite("Table Schema") struct TableSchemaTests {
    @Test func version2() throws {
        let file = try rules(
            #"""
            {
              "$schema": "https://datapackage.org/profiles/2.0/tableschema.json",
              "fieldsMatch": ["equal"],
              "fields": [
                {"name": "plot", "title": "Plot", "type": "string", "example": "N-04",
                  "constraints": {"required": true, "pattern": "[NSEW]-\\d{2}"}},
                {"name": "visited", "type": "date", "format": "%d.%m.%Y", "constraints": {"minimum": "01.01.1990"}},
                {"name": "cover", "type": "number", "bareNumber": false, "decimalChar": ",",
                  "constraints": {"minimum": 0, "maximum": 100}},
                {"name": "class", "type": "integer", "categories": [{"value": 1, "label": "open"},
                  {"value": 2, "label": "dense"}],
                  "categoriesOrdered": true},
                {"name": "grazed", "type": "boolean", "trueValues": ["J"], "falseValues": ["N"]},
                {"name": "note", "type": "any", "missingValues": [{"value": "-", "label": "nothing to say"}]}
              ],
              "missingValues": ["", "n/a"]
            }
            """#)
        let cover = ValueType(.number, decimalChar: ",", isBareNumber: false)
        #expect(
            file.schema
                == Schema(
                    fields: [
                        Field(
                            name: "plot", isRequired: true,
                            rules: [
                                Rule(id: "plot.pattern", code: "pattern", check: .matches(pattern: #"[NSEW]-\d{2}"#))
                            ]),
                        Field(
                            name: "visited", type: ValueType(.date, format: "%d.%m.%Y"),
                            rules: [
                                Rule(
                                    id: "visited.minimum", code: "minimum",
                                    check: .range(
                                        min: Bound("01.01.1990"), max: nil, as: ValueType(.date, format: "%d.%m.%Y")))
                            ]),
                        Field(
                            name: "cover", type: cover,
                            rules: [
                                Rule(
                                    id: "cover.minimum", code: "minimum",
                                    check: .range(min: Bound("0"), max: nil, as: cover)),
                                Rule(
                                    id: "cover.maximum", code: "maximum",
                                    check: .range(min: nil, max: Bound("100"), as: cover)),
                            ]),
                        Field(
                            name: "class", type: .integer,
                            rules: [
                                Rule(
                                    id: "class.categories", code: "categories", check: .oneOf(["1", "2"], as: .integer))
                            ]),
                        Field(name: "grazed", type: ValueType(.boolean, trueValues: ["J"], falseValues: ["N"])),
                        Field(name: "note", type: .any, missingValues: ["-"]),
                    ], missingValues: ["", "n/a"], fieldsMatch: .equal))
    }

    @Test func inYAML() throws {
        let file = try rules(
            """
            name: payments
            fields:
              - name: reference
                type: string
                format: uuid
              - name: booked
                type: datetime
                constraints:
                  exclusiveMinimum: 2020-01-01T00:00:00Z
              - name: period
                type: yearmonth
                constraints: {minimum: 2020-01}
              - name: term
                type: duration
                constraints: {enum: [P1M, P1Y]}
              - name: founded
                type: year
                constraints: {maximum: 2024}
              - name: opens
                type: time
                constraints: {maximum: '12:00:00'}
            """)
        #expect(file.schema.fields.map(\.type.kind) == [.string, .datetime, .yearmonth, .duration, .year, .time])
        #expect(file.schema.fields.flatMap(\.rules).count == 5)
    }

    @Test func inSeveralLanguages() throws {
        let file = try rules("title@de: Orte\nfields: [{name: a, title@de: Ort, description@fr: Lieu, title: Place}]")
        #expect(file.schema.fields == [Field(name: "a")])
        #expect(mistakes("fields: [{name: a, title@: Ort}]").hasPrefix("rules.yaml:1:20: error: unknown key 'title@'"))
        #expect(
            mistakes("fields: [{name: a, type@de: Ort}]").hasPrefix("rules.yaml:1:20: error: unknown key 'type@de'"))
    }

    @Test func defaultsThatAreWrittenOut() throws {
        let field = try field("fields: [{name: a, type: number, decimalChar: ., groupChar: '', format: default}]")
        #expect(field.type == ValueType(.number, decimalChar: "."))
    }

    @Test func whatCannotBeDoneYetIsNamed() {
        #expect(
            mistakes(
                """
                fields:
                  - {name: id, type: integer, constraints: {unique: true}}
                  - {name: place, type: geopoint}
                  - {name: more, type: object, constraints: {jsonSchema: {}}}
                """) == """
                    rules.yaml:3:25: error: the type 'geopoint' is not supported yet
                       3 |   - {name: place, type: geopoint}
                         |                         ^^^^^^^^ type: any accepts every text
                    rules.yaml:4:46: error: 'jsonSchema' is not supported: there is no validator of JSON Schema in Assay
                       4 |   - {name: more, type: object, constraints: {jsonSchema: {}}}
                         |                                              ^^^^^^^^^^ in JSON Lines \
                    write a field for each value inside, \
                    such as address.city or items[].price
                    """)
    }

    @Test func listsArraysAndObjects() throws {
        let numbers = ValueType(.list, itemType: .integer, delimiter: ";")
        let fields = try rules(
            """
            fields:
              - {name: tags, type: list, constraints: {minLength: 1, enum: [[a, b], c]}}
              - {name: sizes, type: list, itemType: integer, delimiter: ';', constraints: {maxLength: 3}}
              - {name: points, type: array, constraints: {enum: [[1, a, null, true, {b: '2'}], '[ ]']}}
              - {name: more, type: object, rules: [{minLength: 1, maxLength: 2}]}
            """
        ).schema.fields
        #expect(
            fields == [
                Field(
                    name: "tags", type: .list,
                    rules: [
                        Rule(id: "tags.minLength", code: "minLength", check: .count(min: 1, max: nil, as: .list)),
                        Rule(id: "tags.enum", code: "enum", check: .oneOf(["a,b", "c"], as: .list)),
                    ]),
                Field(
                    name: "sizes", type: numbers,
                    rules: [
                        Rule(id: "sizes.maxLength", code: "maxLength", check: .count(min: nil, max: 3, as: numbers))
                    ]),
                Field(
                    name: "points", type: .array,
                    rules: [
                        Rule(
                            id: "points.enum", code: "enum",
                            check: .oneOf(["[1,\"a\",null,true,{\"b\":\"2\"}]", "[ ]"], as: .array))
                    ]),
                Field(
                    name: "more", type: .object,
                    rules: [Rule(id: "more.length", code: "length", check: .count(min: 1, max: 2, as: .object))]),
            ])
    }
}
