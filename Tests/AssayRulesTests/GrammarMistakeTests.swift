import Testing

@testable import AssayRules

@Suite("Mistakes in rules") struct GrammarMistakeTests {
    /// A text of one line, with markers at its mistakes, and the expected message for each.
    struct Case: Sendable, CustomTestStringConvertible {
        /// The message, the underlined part, and the suggestion.
        typealias Expectation = (message: String, marked: String, suggestion: String?)

        var marked: String
        var expectations: [Expectation]

        init(_ marked: String, _ expectations: Expectation...) {
            self.marked = marked
            self.expectations = expectations
        }

        var testDescription: String { marked }

        /// The complete rendering that a user must see.
        func rendering(before prefix: String, after suffix: String) -> (source: String, rendering: String) {
            var source = ""
            var columns: [Int] = []
            for character in prefix + marked + suffix {
                if "1️⃣2️⃣3️⃣".contains(character) {
                    columns.append(source.count)
                } else {
                    source.append(character)
                }
            }
            var lines: [String] = []
            for (column, expected) in zip(columns, expectations) {
                let blanks = String(repeating: " ", count: column)
                let carets = String(repeating: "^", count: expected.marked.count)
                lines.append("rules.yaml:1:\(column + 1): error: \(expected.message)")
                lines.append("   1 | \(source)")
                switch expected.suggestion {
                case nil: lines.append("     | \(blanks)\(carets)")
                case let advice? where advice.contains("\n"):
                    lines.append("     | \(blanks)\(carets)")
                    lines += advice.split(separator: "\n").map { "     | \($0)" }
                case let advice?: lines.append("     | \(blanks)\(carets) \(advice)")
                }
            }
            return (source, lines.joined(separator: "\n"))
        }
    }

    func check(_ example: Case, before prefix: String, after suffix: String) {
        let (source, rendering) = example.rendering(before: prefix, after: suffix)
        #expect(mistakes(source) == rendering)
    }

    @Test(arguments: files) func inAFile(_ example: Case) { check(example, before: "", after: "") }

    @Test(arguments: fields) func inAField(_ example: Case) { check(example, before: "fields: [", after: "]") }

    @Test(arguments: typed) func inATypedField(_ example: Case) {
        check(example, before: "fields: [{name: a, ", after: "}]")
    }

    @Test(arguments: constraints) func inConstraints(_ example: Case) {
        check(example, before: "fields: [{name: a, constraints: ", after: "}]")
    }

    @Test(arguments: rules) func inRules(_ example: Case) {
        check(example, before: "fields: [{name: a, rules: ", after: "}]")
    }

    @Test(arguments: dialects) func inADialect(_ example: Case) {
        check(example, before: "{dialect: ", after: ", fields: []}")
    }

    @Test(arguments: limits) func inLimits(_ example: Case) {
        check(example, before: "{limits: ", after: ", fields: []}")
    }

    @Test func secondFieldOfAName() {
        #expect(
            mistakes("fields:\n- name: a\n- name: b\n- name: a\n") == """
                rules.yaml:4:9: error: a second field named 'a'
                   4 | - name: a
                     |         ^ the first is on line 2; put all rules of a column into one field
                """)
    }

    @Test func idsAcrossFields() {
        #expect(
            mistakes(
                """
                fields:
                - name: a
                  rules: [{id: b.maxLength, pattern: a}]
                - name: b
                  constraints: {maxLength: 5, required: true}
                  rules: [{id: b.required, pattern: a}]
                """) == """
                    rules.yaml:5:17: error: the id of this rule would be 'b.maxLength', which is taken
                       5 |   constraints: {maxLength: 5, required: true}
                         |                 ^^^^^^^^^ by line 3: give this rule an 'id'
                    rules.yaml:6:16: error: a second rule with the id 'b.required'
                       6 |   rules: [{id: b.required, pattern: a}]
                         |                ^^^^^^^^^^ the first is on line 5
                    """)
    }

    @Test func boundsOfDifferentZones() {
        #expect(
            mistakes(
                """
                fields:
                - name: a
                  type: datetime
                  constraints:
                    minimum: 2024-01-01T00:00:00Z
                    maximum: 2024-12-31T00:00:00
                """) == """
                    rules.yaml:6:14: error: only one of the two bounds has a time zone
                       6 |     maximum: 2024-12-31T00:00:00
                         |              ^^^^^^^^^^^^^^^^^^^
                    """)
    }
}

// MARK: - Cases

extension GrammarMistakeTests {
    static let files = [
        Case(
            "1️⃣{}",
            ("'fields' is missing", "{", RuleReader.smallest)),
        Case(
            "{1️⃣feilds: []}",
            ("unknown key 'feilds' in a rule file", "feilds", "did you mean 'fields'?")),
        Case(
            "{fields: 1️⃣{a: b}}",
            ("expected a list of fields, found a mapping", "{a: b}", "start each field with '- name: …'")),
        Case(
            "{fields: 1️⃣}",
            ("expected a list of fields, found no value", "}", "start each field with '- name: …'")),
        Case(
            "{1️⃣resources: []}",
            (
                "this is a Data Package; a rule file is the schema of one table", "resources",
                "give it to check or clean as the input, without --rules"
            )),
        Case(
            "{fields: [], 1️⃣delimiter: ;}",
            ("'delimiter' belongs under 'dialect'", "delimiter", "write dialect: {delimiter: …}")),
        Case(
            "{fields: [], 1️⃣encoding: latin1}",
            ("'encoding' belongs under 'dialect'", "encoding", "write dialect: {encoding: …}")),
        Case(
            """
            {fields: [{name: id}], foreignKeys: [{fields: id, reference: {resource: a, fields: x, 1️⃣encoding: \
            latin1}}]}
            """,
            ("'encoding' belongs under 'dialect'", "encoding", "write dialect: {encoding: …}")),
        Case(
            "{fields: [{name: id}], foreignKeys: [{fields: id, reference: {fields: id, dialect: 1️⃣{skip: 1}}}]}",
            (
                "without a 'resource' a reference is to the table itself, which has no dialect of its own", "{skip: 1}",
                "remove it, or name a file: resource: …"
            )),
        Case(
            "{1️⃣properties: {}, fields: []}",
            ("'properties' is JSON Schema, and 'fields' is Table Schema", "properties", "a file is one of the two")),
        Case(
            "{fields: [{name: code}], foreignKeys: [{fields: 1️⃣coed, reference: {fields: code}}]}",
            ("the foreign key 1 names 'coed', which is no field", "coed", "did you mean 'code'?")),
        Case(
            "{fields: [{name: id}], foreignKeys: [{fields: id, reference: {fields: 1️⃣x}}]}",
            (
                "the reference of the foreign key 1 names 'x', which is no field", "x",
                "add it to 'fields': - name: x"
            )),
        Case(
            "{fields: [{name: id}], foreignKeys: [1️⃣{fields: id, reference: {resource: a.csv, fields: [x, y]}}]}",
            (
                "the foreign key 1 has 1 field, and refers to 2 fields",
                "{fields: id, reference: {resource: a.csv, fields: [x, y]}}", "name the same number on both sides"
            )),
        Case(
            "{fields: [{name: id}], foreignKeys: [1️⃣{fields: id}, 2️⃣id, {fields: id, reference: 3️⃣{resource: a}}]}",
            (
                "'reference' is missing", "{fields: id}",
                "write - {fields: customer_id, reference: {resource: customers.csv, fields: id}}"
            ),
            (
                "expected a foreign key, found 'id'", "id",
                "write - {fields: customer_id, reference: {resource: customers.csv, fields: id}}"
            ),
            (
                "'fields' is missing", "{resource: a}",
                "write - {fields: customer_id, reference: {resource: customers.csv, fields: id}}"
            )),
        Case(
            "{fields: [{name: id}], foreignKeys: [{fields: id, reference: {resource: 1️⃣HTTP://a/b.csv, fields: x}}]}",
            (
                "a reference names a file, and http is not read", "HTTP://a/b.csv",
                "download it, and write the path of the file"
            )),
        Case(
            "{fields: [{name: code}], primaryKey: 1️⃣coed, uniqueKeys: [[code, 2️⃣code], 3️⃣[]]}",
            ("'primaryKey' names 'coed', which is no field", "coed", "did you mean 'code'?"),
            ("the key 1 of 'uniqueKeys' names 'code' twice", "code", nil),
            ("the key 2 of 'uniqueKeys' names no field", "[]", nil)),
        Case(
            "{fields: [{name: id}], uniqueKeys: 1️⃣id, keep: 2️⃣all}",
            ("expected a list of keys, found 'id'", "id", "write [[id]]"),
            ("unknown keep 'all'", "all", "known are first, last, none, {max: COLUMN}, {min: COLUMN}")),
        Case(
            "{fields: [{name: code}], primaryKey: code, keep: {max: 1️⃣coed}}",
            ("'keep' names 'coed', which is no field", "coed", "did you mean 'code'?")),
        Case(
            "{fields: [{name: id, type: boolean}], primaryKey: id, keep: {min: 1️⃣id}}",
            ("'keep' names 'id', and a boolean has no order", "id", "name another column")),
        Case(
            "{fields: [{name: id}], primaryKey: id, keep: 1️⃣{}}",
            ("'keep' has one of max and min", "{}", "write {max: COLUMN} or {min: COLUMN}")),
        Case(
            "{fields: [{name: id}], primaryKey: id, keep: 1️⃣max}",
            ("'keep: max' names no column", "max", "write {max: COLUMN}")),
        Case(
            "{fields: [{name: id}], 1️⃣keep: none}",
            ("'keep' without a key", "keep", "it is for primaryKey, uniqueKeys, and constraints: {unique: true}")),
        Case(
            "{fields: [], missingValues: 1️⃣NA}",
            ("expected a list of texts, found 'NA'", "NA", "write [NA]")),
        Case(
            "{fields: [], missingValues: [1️⃣null, 2️⃣~]}",
            ("expected a text, found null", "null", "remove it, or put it in quotes if it is the word: 'null'"),
            ("expected a text, found ~", "~", "remove it, or put it in quotes if it is the word: '~'")),
        Case(
            "{fields: [], missingValues: [1️⃣{label: a}]}",
            ("'value' is missing", "{label: a}", nil)),
        Case(
            "{fields: [], lengthUnit: 1️⃣graphemes}",
            ("unknown lengthUnit 'graphemes'", "graphemes", "known are characters, scalars, utf16, utf8")),
        Case(
            "{fields: [], fieldsMatch: 1️⃣[exact, equal]}",
            (
                "expected a fieldsMatch, found a list", "[exact, equal]",
                "if it is text, put it in quotes: '[exact, equal]'"
            )),
    ]

    static let fields = [
        Case(
            "1️⃣a",
            ("expected a field, found 'a'", "a", "write - name: a")),
        Case(
            "1️⃣name:a",
            ("expected a field, found 'name:a'", "name:a", "a space must follow the colon: name: …")),
        Case(
            "1️⃣http://example.org",
            ("expected a field, found 'http://example.org'", "http://example.org", "write - name: http://example.org")),
        Case(
            "{name: a, constraints: {1️⃣required:true }}",
            (
                "unknown key 'required:true' in constraints", "required:true",
                "a space must follow the colon: required: …"
            )),
        Case(
            "{name: a, type: 1️⃣}",
            (
                "expected a type, found no value", "}",
                """
                known are any, string, integer, number, boolean, date, time, datetime, year, yearmonth, duration, \
                list, array, object
                """
            )),
        Case(
            "{name: a, format: 1️⃣}",
            ("expected a format, found no value", "}", "assay types lists them all")),
        Case(
            "{name: a, type: date, format: 1️⃣}",
            ("expected a format, found no value", "}", "write how it is written, such as '%d/%m/%Y'")),
        Case(
            "{name: a, type: integer, format: 1️⃣}",
            ("expected a format, found no value", "}", "remove it")),
        Case(
            "{name: a, type: number, decimalChar: 1️⃣}",
            ("expected a decimalChar, found no value", "}", "remove it to have the default")),
        Case(
            "{name: a, rules: [{pattern: x, severity: 1️⃣}]}",
            ("expected a severity, found no value", "}", "known are reject, warn")),
        Case(
            "1️⃣{}",
            ("the field has no name", "{", "write - name: … as the header has it")),
        Case(
            "{1️⃣nam: a}",
            ("unknown key 'nam' in a field", "nam", "did you mean 'name'?")),
        Case(
            "{name: 1️⃣}",
            ("expected the name of a column, found no value", "}", "'' is the empty text")),
        Case(
            "{name: a, 1️⃣unit: kg}",
            ("unknown key 'unit' in a field", "unit", "a note of your own starts with 'x-'")),
        Case(
            "{name: a, 1️⃣nullable: true}",
            (
                "'nullable' belongs to types: jsonSchema", "nullable",
                "values may be missing unless there is constraints: {required: true}"
            )),
        Case(
            "{name: a, constraints: {1️⃣nullable: true}}",
            (
                "unknown key 'nullable'", "nullable",
                "values may be missing unless there is constraints: {required: true}"
            )),
        Case(
            "{name: a, format: email, 1️⃣severity: warn}",
            (
                "'severity' belongs to an entry of 'rules'", "severity", "write rules: [{pattern: …, severity: warn}]"
            )),
        Case(
            "{name: a, 1️⃣level: warn}",
            (
                "unknown key 'level'", "level", "a rule has a severity: rules: [{pattern: …, severity: warn}]"
            )),
        Case(
            "{name: a, rules: [{pattern: x, 1️⃣level: warn}]}",
            ("unknown key 'level' in a rule", "level", "did you mean 'severity'?")),
        Case(
            "{name: a, type: date, format: 1️⃣['%d.%m.%Y', '%Y-%m-%d']}",
            (
                "expected a format, found a list", "['%d.%m.%Y', '%Y-%m-%d']",
                "values of several formats become one by repair: [{canonical: {from: ['%d.%m.%Y', '%Y-%m-%d']}}]"
            )),
        Case(
            "{name: a, format: 1️⃣[email, url]}",
            (
                "expected a format, found a list", "[email, url]",
                "one of several is a rule: rules: [{any: [{type: string, format: …}, …]}]"
            )),
        Case(
            "{name: a, type: date, constraints: {maximum: 1️⃣today}}",
            (
                "'today' is not a date", "today", "write in its place rules: [{type: string, format: date past}]"
            )),
        Case(
            "{name: a, 1️⃣maxLength: 5}",
            ("'maxLength' belongs under 'constraints'", "maxLength", "write constraints: {maxLength: …}")),
        Case(
            "{name: a, 1️⃣when: {}}",
            ("'when' belongs under 'rules'", "when", "write rules: [{when: …}]")),
        Case(
            "{name: a, type: 1️⃣int}",
            ("unknown type 'int'", "int", "did you mean 'integer'?")),
        Case(
            "{name: a, type: 1️⃣colour}",
            (
                "unknown type 'colour'", "colour",
                """
                known are any, string, integer, number, boolean, date, time, datetime, year, yearmonth, duration, \
                list, array, object
                """
            )),
        Case(
            "{name: a, type: 1️⃣geopoint}",
            ("the type 'geopoint' is not supported yet", "geopoint", "type: any accepts every text")),
        Case(
            "{name: a, type: 1️⃣email}",
            ("'email' is a format of strings", "email", "write format: email")),
        Case(
            "{name: a, format: 1️⃣emial}",
            ("unknown format 'emial' of a string", "emial", "did you mean 'email'?")),
        Case(
            "{name: a, format: 1️⃣'%Y'}",
            (
                "unknown format '%Y' of a string", "'%Y'",
                "a format with % needs type: date, type: time or type: datetime"
            )),
        Case(
            "{name: a, type: date, format: 1️⃣any}",
            ("the format 'any' is not supported yet", "any", "write how it is written, such as '%d/%m/%Y'")),
        Case(
            "{name: a, type: date, format: 1️⃣DD/MM}",
            ("unknown format 'DD/MM' of a date", "DD/MM", "write it with percent signs, such as '%d/%m/%Y'")),
        Case(
            "{name: a, type: year, format: 1️⃣email}",
            ("the type 'year' has no format 'email'", "email", "it is a format of strings")),
        Case(
            "{name: a, 1️⃣decimalChar: ','}",
            ("'decimalChar' is for number, and this is a string", "decimalChar", "write type: number")),
        Case(
            "{name: a, type: date, 1️⃣trueValues: [x]}",
            ("'trueValues' is for boolean, and this is a date", "trueValues", nil)),
        Case(
            "{name: a, type: number, decimalChar: 1️⃣5}",
            ("a decimalChar is a short text without digits, signs and the letter e, found '5'", "5", nil)),
        Case(
            "{name: a, type: number, groupChar: 1️⃣'.'}",
            ("the decimalChar and the groupChar are the same", "'.'", "write decimalChar too: its default is '.'")),
        Case(
            "{name: a, type: boolean, trueValues: [x], falseValues: 1️⃣[y, x]}",
            ("'x' means both true and false", "[y, x]", nil)),
        Case(
            "{name: a, type: boolean, trueValues: 1️⃣[]}",
            ("the list is empty", "[]", "remove it to have the default")),
        Case(
            "{name: a, categories: 1️⃣[]}",
            ("'categories' is empty: no value could pass", "[]", nil)),
        Case(
            "{name: a, categoriesOrdered: 1️⃣true}",
            ("'categoriesOrdered' without 'categories'", "true", nil)),
        Case(
            "{name: a, type: number, 1️⃣categories: [1]}",
            (
                "'categories' is for string and integer, and this is a number", "categories",
                "use enum under 'constraints'"
            )),
        Case(
            "{name: a, type: integer, categories: [1, 1️⃣{value: x}]}",
            ("'x' is not an integer", "{value: x}", nil)),
        Case(
            "{name: a, categories: [x, y], constraints: {enum: [x, 1️⃣z]}}",
            ("'z' is not one of the 'categories'", "z", nil)),
    ]

    static let constraints = [
        Case(
            "1️⃣[required]",
            (
                "expected a mapping of constraints, found a list", "[required]",
                "write constraints: {required: true}; lists belong under 'rules'"
            )),
        Case(
            "{1️⃣requird: true}",
            ("unknown key 'requird' in constraints", "requird", "did you mean 'required'?")),
        Case(
            "{required: 1️⃣yes}",
            ("expected true or false, found 'yes'", "yes", "write true")),
        Case(
            "{required: 1️⃣'true'}",
            ("expected true or false, found the text 'true'", "'true'", "remove the quotes")),
        Case(
            "{required: 1️⃣[]}",
            ("expected true or false, found a list", "[]", nil)),
        Case(
            "{unique: 1️⃣yes}",
            ("expected true or false, found 'yes'", "yes", "write true")),
        Case(
            "{1️⃣strict: true}",
            ("'strict' without 'sorted'", "strict", "write {sorted: ascending, strict: true}")),
        Case(
            "{1️⃣jsonSchema: {}}",
            (
                "'jsonSchema' is not supported: there is no validator of JSON Schema in Assay", "jsonSchema",
                "in JSON Lines write a field for each value inside, such as address.city or items[].price"
            )),
        Case(
            "{1️⃣type: integer}",
            ("'type' belongs to the field", "type", "write it beside 'constraints', not inside")),
        Case(
            "{pattern: a, 1️⃣options: [search]}",
            ("'options' belongs beside a pattern under 'rules'", "options", "write rules: [{pattern: …, options: …}]")),
        Case(
            "{maxLength: 1️⃣'5'}",
            ("expected a whole number, found the text '5'", "'5'", "remove the quotes")),
        Case(
            "{maxLength: 1️⃣5.0}",
            ("expected a whole number, found '5.0'", "5.0", nil)),
        Case(
            "{maxLength: 1️⃣-1}",
            ("expected a whole number, 0 or more, found '-1'", "-1", nil)),
        Case(
            "{maxLength: 1️⃣010}",
            ("a number with a leading zero may mean octal", "010", "write 10")),
        Case(
            "{maxLength: 1️⃣99999999999999999999}",
            ("the number is too large", "99999999999999999999", nil)),
        Case(
            "{minLength: 5, maxLength: 1️⃣4}",
            ("the maxLength 4 is less than the minLength 5", "4", "no text could pass")),
        Case(
            "{1️⃣lengthUnit: utf8}",
            ("'lengthUnit' without 'minLength' or 'maxLength'", "lengthUnit", nil)),
        Case(
            "{enum: 1️⃣[]}",
            ("'enum' is empty: no value could pass", "[]", nil)),
        Case(
            "{enum: 1️⃣a}",
            ("expected a list of values, found 'a'", "a", "write [a]")),
        Case(
            "{enum: [a, 1️⃣~]}",
            ("expected a value, found ~", "~", "remove it, or put it in quotes if it is the word: '~'")),
        Case(
            "{pattern: 1️⃣null}",
            ("expected a pattern, found null", "null", "remove it, or put it in quotes if it is the word: 'null'")),
        Case(
            "{pattern: 1️⃣}",
            ("expected a pattern, found no value", "}", "'' is the empty text")),
        Case(
            "{1️⃣minimum: 5}",
            (
                """
                'minimum' is for integer, number, date, time, datetime, year, yearmonth and duration, and this is a \
                string
                """,
                "minimum", "give it a type, such as type: integer"
            )),
    ]

    static let typed = [
        Case(
            "type: integer, groupChar: '.', constraints: {maximum: 1️⃣1.000}",
            (
                "the point in 1.000 may separate groups of digits, or a fraction", "1.000",
                "write it in quotes, as the column has it: '1.000' is 1000"
            )),
        Case(
            "type: number, groupChar: '.', decimalChar: ',', constraints: {enum: [1.5, 1️⃣1.000]}",
            (
                "the point in 1.000 may separate groups of digits, or a fraction", "1.000",
                "write it in quotes, as the column has it: '1.000' is 1000"
            )),
        Case(
            "type: list, constraints: {enum: [['p;q', a], 1️⃣['p,\u{301}']]}",
            (
                "the item 'p,\u{301}' contains the delimiter of the list, so it would be read as two items",
                "['p,\u{301}']", nil
            )),
        Case(
            "type: string, constraints: {1️⃣minimum: 5}",
            (
                """
                'minimum' is for integer, number, date, time, datetime, year, yearmonth and duration, and this is a \
                string
                """,
                "minimum", "the length of a text is 'minLength' and 'maxLength'"
            )),
        Case(
            "type: boolean, constraints: {1️⃣maximum: 5}",
            (
                """
                'maximum' is for integer, number, date, time, datetime, year, yearmonth and duration, and this is a \
                boolean
                """,
                "maximum", nil
            )),
        Case(
            "type: integer, constraints: {minimum: 2, maximum: 1️⃣1}",
            ("no value is between '2' and '1'", "1", "'minimum' and 'maximum' contradict each other")),
        Case(
            "type: integer, constraints: {exclusiveMinimum: 1, maximum: 1️⃣1}",
            ("no value is between '1' and '1'", "1", "'exclusiveMinimum' and 'maximum' contradict each other")),
        Case(
            "type: integer, constraints: {exclusiveMinimum: 2, exclusiveMaximum: 1️⃣3}",
            (
                "no value is between '2' and '3'", "3",
                "'exclusiveMinimum' and 'exclusiveMaximum' contradict each other"
            )
        ),
        Case(
            "type: integer, groupChar: ',', constraints: {exclusiveMinimum: '9,999', exclusiveMaximum: 1️⃣10000}",
            (
                "no value is between '9,999' and '10000'", "10000",
                "'exclusiveMinimum' and 'exclusiveMaximum' contradict each other"
            )),
        Case(
            "type: integer, constraints: {exclusiveMinimum: -10, exclusiveMaximum: 1️⃣-9}",
            (
                "no value is between '-10' and '-9'", "-9",
                "'exclusiveMinimum' and 'exclusiveMaximum' contradict each other"
            )),
        Case(
            "type: year, constraints: {exclusiveMinimum: 2023, exclusiveMaximum: 1️⃣2024}",
            (
                "no value is between '2023' and '2024'", "2024",
                "'exclusiveMinimum' and 'exclusiveMaximum' contradict each other"
            )),
        Case(
            "type: yearmonth, constraints: {exclusiveMinimum: 2023-12, exclusiveMaximum: 1️⃣2024-01}",
            (
                "no value is between '2023-12' and '2024-01'", "2024-01",
                "'exclusiveMinimum' and 'exclusiveMaximum' contradict each other"
            )),
        Case(
            "type: date, constraints: {exclusiveMinimum: 2023-02-28, exclusiveMaximum: 1️⃣2023-03-01}",
            (
                "no value is between '2023-02-28' and '2023-03-01'", "2023-03-01",
                "'exclusiveMinimum' and 'exclusiveMaximum' contradict each other"
            )),
        Case(
            "type: number, constraints: {maximum: 1️⃣1e9223372036854775807}",
            (
                "\"1e9223372036854775807\" is out of range: exponents are from -10^15 to 10^15",
                "1e9223372036854775807", nil
            )),
        Case(
            "type: number, constraints: {enum: [1, 1️⃣1e-9999999999999999]}",
            (
                "\"1e-9999999999999999\" is out of range: exponents are from -10^15 to 10^15", "1e-9999999999999999",
                nil
            )),
        Case(
            "type: integer, constraints: {enum: [1, 1️⃣x, 2️⃣2.5, 3]}",
            ("'x' is not an integer", "x", nil),
            ("'2.5' is not an integer", "2.5", nil)),
        Case(
            "type: date, constraints: {minimum: 1️⃣2024-13-01}",
            ("'2024-13-01' is not a date", "2024-13-01", "write it as 2024-01-31")),
        Case(
            "type: date, format: '%d/%m/%Y', constraints: {minimum: 1️⃣2024-01-31}",
            ("'2024-01-31' is not a date", "2024-01-31", "write it as the column does: '%d/%m/%Y'")),
    ]

    static let rules = [
        Case(
            "[{multipleOf: 1️⃣2}]",
            ("'multipleOf' is for integer and number, and this is a string", "2", "write as: number beside it")),
        Case(
            "[{multipleOf: 1️⃣0, as: number}]", ("'multipleOf': \"0\" is not a number greater than 0", "0", nil)),
        Case(
            "[{jsonType: 1️⃣text}]",
            (
                "unknown type of JSON 'text'", "text",
                "known are string, number, integer, boolean, null, array, object"
            )),
        Case("[{jsonType: 1️⃣[]}]", ("the list is empty: no value could pass", "[]", nil)),
        Case(
            "[{jsonType: string, 1️⃣as: number}]", ("'as' has no meaning beside 'jsonType'", "as", nil)),
        Case(
            "1️⃣{pattern: a}",
            ("expected a list of rules, found a mapping", "{pattern: a}", "start each rule with '- '")),
        Case(
            "[1️⃣a]",
            ("expected a rule such as {pattern: '…'}, found 'a'", "a", nil)),
        Case(
            "[1️⃣{}]",
            (
                "there is no check in this rule", "{}",
                """
                write one of pattern, minLength, maxLength, enum, minimum, maximum, multipleOf, type, jsonType, all, \
                any, not, when
                """
            )),
        Case(
            "[1️⃣{id: a}]",
            (
                "there is no check in this rule", "{id: a}",
                """
                write one of pattern, minLength, maxLength, enum, minimum, maximum, multipleOf, type, jsonType, all, \
                any, not, when
                """
            )),
        Case(
            "[{1️⃣required: true}]",
            ("'required' belongs under 'constraints'", "required", "write constraints: {required: true}")),
        Case(
            "[{pattern: a, 1️⃣maxLength: 5}]",
            (
                "a rule is one check, and this has 'pattern' and 'maxLength'", "maxLength",
                "write two rules, or all: [{…}, {…}]"
            )),
        Case(
            "[{1️⃣options: [search]}]",
            ("'options' without 'pattern'", "options", nil)),
        Case(
            "[{pattern: a, options: 1️⃣search}]",
            ("expected a list of options, found 'search'", "search", "write [search]")),
        Case(
            "[{pattern: a, options: [1️⃣caseinsensitive]}]",
            ("unknown option 'caseinsensitive'", "caseinsensitive", "did you mean 'caseInsensitive'?")),
        Case(
            "[{pattern: a, severity: 1️⃣error}]",
            ("unknown severity 'error'", "error", "known are reject, warn")),
        Case(
            "[{maxLength: 5, 1️⃣as: integer}]",
            ("'as' has no meaning beside 'maxLength', unless it is list, array or object", "as", nil)),
        Case(
            "[{minimum: 1, 1️⃣exclusiveMinimum: 1, as: integer}]",
            ("a rule has 'minimum' or 'exclusiveMinimum', not both", "exclusiveMinimum", "write two rules")),
        Case(
            "[{type: 1️⃣email}]",
            ("'email' is a format of strings", "email", "write {type: string, format: email}")),
        Case(
            "[{1️⃣format: email}]",
            ("'format' without 'type'", "format", "write {type: string, format: …}")),
        Case(
            "[{enum: [a], as: 1️⃣email}]",
            ("'email' is a format of strings", "email", "write {type: string, format: email}")),
        Case(
            "[{1️⃣minimum: 3}]",
            (
                """
                'minimum' is for integer, number, date, time, datetime, year, yearmonth and duration, and this is a \
                string
                """,
                "minimum", "add the type of the value, such as as: integer"
            )),
        Case(
            "[{any: 1️⃣[]}]",
            ("'any' is empty: no value could pass", "[]", nil)),
        Case(
            "[{all: 1️⃣{pattern: a}}]",
            ("expected a list of checks, found a mapping", "{pattern: a}", "write a list: [{…}, {…}]")),
        Case(
            "[{not: 1️⃣[a]}]",
            ("expected a check such as {pattern: '…'}, found a list", "[a]", "write all: […] or any: […]")),
        Case(
            "[{1️⃣when: {pattern: a}}]",
            ("'when' without 'then'", "when", "write {when: …, then: …}")),
        Case(
            "[{1️⃣then: {pattern: a}}]",
            ("'then' without 'when'", "then", nil)),
        Case(
            "[{when: {pattern: a}, then: {pattern: b}, 1️⃣else: {pattern: c}}]",
            ("'when' has no 'else'", "else", "write a second rule: {when: {not: …}, then: …}")),
        Case(
            "[{not: {1️⃣id: a, pattern: a}}]",
            ("'id' belongs to the rule as a whole", "id", "write it beside the outermost check")),
        Case(
            "[{enum: [1, 1️⃣x], as: {type: integer}}]",
            ("'x' is not an integer", "x", nil)),
        Case(
            "[{enum: [1], as: 1️⃣int}]",
            ("unknown type 'int'", "int", "did you mean 'integer'?")),
        Case(
            "[{pattern: a}, {1️⃣pattern: b}]",
            ("the id of this rule would be 'a.pattern', which is taken", "pattern", "by line 1: give this rule an 'id'")
        ),
        Case(
            "[{id: 1️⃣'', pattern: a}]",
            ("the id is empty", "''", "leave it out, or give the rule a name")),
        Case(
            "[{id: 1️⃣structure.fields, pattern: a}]",
            ("the id 'structure.fields' is that of malformed records", "structure.fields", "choose another one")),
        Case(
            "[{id: 1️⃣encoding, pattern: a}]",
            ("the id 'encoding' is that of malformed records", "encoding", "choose another one")),
        Case(
            "[{id: b, pattern: a}, {id: 1️⃣b, pattern: b}]",
            ("a second rule with the id 'b'", "b", "the first is on line 1")),
    ]

    static let dialects = [
        Case("{skip: 1️⃣010}", ("a number with a sign or a leading zero", "010", "write 10")),
        Case(#"{delimiter: 1️⃣"\n"}"#, ("a delimiter cannot end lines", #""\n""#, nil)),
        Case(
            "{escapeChar: 1️⃣'ab'}",
            ("an escapeChar is one ASCII character, found the text 'ab'", "'ab'", nil)),
        Case(
            "{delimiter: 1️⃣';;;'}",
            ("a delimiter is one or two ASCII characters, tab or space, found the text ';;;'", "';;;'", nil)),
        Case(
            "{delimiter: 1️⃣é}",
            ("a delimiter is one or two ASCII characters, tab or space, found 'é'", "é", nil)),
        Case(
            "{quoteChar: 1️⃣''}",
            ("a quoteChar is one ASCII character, found the text ''", "''", "write none if there are no quotes")),
        Case(
            "{delimiter: ',', quoteChar: 1️⃣','}",
            ("the delimiter and the quote are the same character", "','", nil)),
        Case(
            "{header: 1️⃣no}",
            ("expected true or false, found 'no'", "no", "write false")),
        Case(
            "{doubleQuote: 1️⃣false}",
            ("'doubleQuote: false' is not supported", "false", "a quote inside quotes is always written twice")),
        Case(
            "{commentChar: 1️⃣ü}",
            ("a commentChar is one ASCII character, found 'ü'", "ü", nil)),
        Case(
            "{skipInitialSpace: 1️⃣yes}",
            ("expected true or false, found 'yes'", "yes", "write true")),
        Case(
            "{skip: 1️⃣-1}",
            ("the number of lines above the table is a number from 0 to 100000, found '-1'", "-1", nil)),
        Case(
            "{extraFields: 1️⃣drop}",
            ("extraFields is reject or keep, found 'drop'", "drop", nil)),
        Case(
            "{nullSequence: 1️⃣NA}",
            ("'nullSequence' is not supported", "NA", "write missingValues: ['…'] beside 'fields'")),
        Case(
            "{headerRows: 1️⃣[2, 1]}",
            ("headerRows is a list of ascending numbers from 1 to 64, such as [1, 2]", "[2, 1]", nil)),
        Case(
            "{commentRows: 1️⃣[2]}",
            (
                "'commentRows' is not supported", "[2]",
                "lines above the table: skip; lines that begin with a character: commentChar"
            )),
        Case(
            "{lineTerminator: 1️⃣';'}",
            (
                "lines end with LF or CR LF (\\n), or with CR (\\r)", "';'",
                "remove it: LF and CR LF are both read, also mixed, and CR if the first line ends with it"
            )),
        Case(
            "{encoding: 1️⃣klingon}",
            ("'klingon' is no encoding that Assay knows", "klingon", "write a name such as windows-1252, or auto")),
        Case(
            "{1️⃣sheetName: a}",
            ("'sheetName' is for files other than CSV", "sheetName", "remove it")),
        Case(
            "{1️⃣delimeter: ';'}",
            ("unknown key 'delimeter' in a dialect", "delimeter", "did you mean 'delimiter'?")),
    ]

    static let limits = [
        Case(
            "{1️⃣field: 5}",
            (
                "unknown key 'field' in limits", "field",
                "known are field-bytes, record-bytes, columns, pattern-bytes, match-base, match-per-byte, heap-kib, "
                    + "jit-stack-bytes, row-rule-bytes"
            )),
        Case(
            "{1️⃣colums: 5}",
            ("unknown key 'colums' in limits", "colums", "did you mean 'columns'?")),
        Case(
            "{columns: 1️⃣5K}",
            ("'5K' is not a value of columns", "5K", "write a whole number")),
        Case(
            "{field-bytes: 1️⃣1T}",
            ("'1T' is not a value of field-bytes", "1T", "write a whole number such as 65536, 64K or 4M")),
        Case(
            "{record-bytes: 1️⃣1G}",
            ("record-bytes is from 1 to 512M, not 1G", "1G", nil)),
        Case(
            "{field-bytes: 1️⃣8M}",
            ("field-bytes (8388608) is more than record-bytes (4194304)", "8M", "set record-bytes=8388608 too")),
        Case(
            "{1️⃣rules: 5}",
            (
                "'rules' cannot be set in the file that it limits", "rules",
                "set rules of the Limits that are passed to the reader of the file"
            )),
    ]
}
