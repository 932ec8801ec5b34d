import Testing

@testable import AssayRules

@Suite("Mistakes in rules") struct GrammarMistakeTests {
    /// A mistake in one line, and what is to be said of it below the line.
    struct Case: Sendable, CustomTestStringConvertible {
        var text: String
        /// `column: message` and what stands below the line, for each mistake.
        var expected: [String]

        init(_ text: String, _ expected: String...) {
            self.text = text
            self.expected = expected
        }

        var testDescription: String { text }
    }

    static let files = [
        Case("{}", "1: 'fields' is missing", "^ a small rule file looks like this:"),
        Case("{feilds: []}", "2: unknown key 'feilds' in a rule file", " ^^^^^^ did you mean 'fields'?"),
        Case("{fields: {a: b}}", "10: expected a list of fields, found a mapping", "         ^^^^^^ start each field with '- name: …'"),
        Case("{fields: }", "10: expected a list of fields, found nothing", "         ^ start each field with '- name: …'"),
        Case("{resources: []}", "2: this is a Data Package; a rule file is the schema of one table",
            " ^^^^^^^^^ make a file of what stands under 'schema' of the resource"),
        Case("{properties: {}, fields: []}", "2: this is a JSON Schema, which is not supported yet",
            " ^^^^^^^^^^ list the columns under 'fields'"),
        Case("{fields: [], foreignKeys: []}", "14: 'foreignKeys' is not supported yet",
            "             ^^^^^^^^^^^ remove it, or check it in the database"),
        Case("{fields: [], uniqueKeys: []}", "14: 'uniqueKeys' is not supported yet",
            "             ^^^^^^^^^^ remove it, or check it in the database"),
        Case("{fields: [], missingValues: NA}", "29: expected a list of texts, found 'NA'",
            "                            ^^ write [NA]"),
        Case("{fields: [], missingValues: [null, ~]}", "30: null is not a value",
            "                             ^^^^ if it is the word, put it in quotes: 'null'",
            "36: ~ is not a value", "                                   ^ if it is the word, put it in quotes: '~'"),
        Case("{fields: [], missingValues: [{label: a}]}", "30: 'value' is missing", "                             ^^^^^^^^^^"),
        Case("{fields: [], lengthUnit: graphemes}", "26: unknown lengthUnit 'graphemes'",
            "                         ^^^^^^^^^ known are characters, scalars, utf16, utf8"),
        Case("{fields: [], fieldsMatch: [exact, equal]}", "27: expected a fieldsMatch, found a list",
            "                          ^^^^^^^^^^^^^^ if it is text, put it in quotes: '[exact, equal]'"),
    ]

    static let fields = [
        Case("a", "2: expected a field, found 'a'", " ^ write - name: a"),
        Case("{}", "2: the field has no name", " ^ write - name: … as the header has it"),
        Case("{nam: a}", "3: unknown key 'nam' in a field", "  ^^^ did you mean 'name'?"),
        Case("{name: }", "9: expected the name of a column, found nothing", "        ^ '' is the empty text"),
        Case("{name: a, unit: kg}", "12: unknown key 'unit' in a field", "           ^^^^ a note of your own starts with 'x-'"),
        Case("{name: a, maxLength: 5}", "12: 'maxLength' belongs under 'constraints'",
            "           ^^^^^^^^^ write constraints: {maxLength: …}"),
        Case("{name: a, when: {}}", "12: 'when' belongs under 'rules'", "           ^^^^ write rules: [{when: …}]"),
        Case("{name: a, type: int}", "18: unknown type 'int'", "                 ^^^ did you mean 'integer'?"),
        Case("{name: a, type: money}", "18: unknown type 'money'",
            "                 ^^^^^ known are any, string, integer, number, boolean, date, time, datetime, year, yearmonth, duration"),
        Case("{name: a, type: geopoint}", "18: the type 'geopoint' is not supported yet",
            "                 ^^^^^^^^ type: any accepts every text"),
        Case("{name: a, type: email}", "18: 'email' is a format of strings", "                 ^^^^^ write format: email"),
        Case("{name: a, format: emial}", "20: unknown format 'emial' of a string", "                   ^^^^^ did you mean 'email'?"),
        Case("{name: a, format: '%Y'}", "20: unknown format '%Y' of a string",
            "                   ^^^^ write type: date, time or datetime with it"),
        Case("{name: a, type: date, format: any}", "32: the format 'any' is not supported yet",
            "                               ^^^ write how it is written, such as '%d/%m/%Y'"),
        Case("{name: a, type: date, format: DD/MM}", "32: unknown format 'DD/MM' of a date",
            "                               ^^^^^ write it with percent signs, such as '%d/%m/%Y'"),
        Case("{name: a, type: year, format: email}", "32: the type 'year' has no format 'email'",
            "                               ^^^^^ it is a format of strings"),
        Case("{name: a, decimalChar: ','}", "12: 'decimalChar' is for number, and this is a string",
            "           ^^^^^^^^^^^ write type: number"),
        Case("{name: a, type: date, trueValues: [x]}", "24: 'trueValues' is for boolean, and this is a date",
            "                       ^^^^^^^^^^"),
        Case("{name: a, type: number, decimalChar: 5}",
            "39: a decimalChar is a short text without digits, signs and the letter e, found '5'",
            "                                      ^"),
        Case("{name: a, type: integer, groupChar: '.'}", "38: the decimalChar and the groupChar are the same",
            "                                     ^^^ write decimalChar too: its default is '.'"),
        Case("{name: a, type: boolean, trueValues: [x], falseValues: [y, x]}", "57: 'x' stands for true and for false",
            "                                                        ^^^^^^"),
        Case("{name: a, type: boolean, trueValues: []}", "39: the list is empty",
            "                                      ^^ remove it to have the default"),
        Case("{name: a, categories: []}", "24: 'categories' is empty: no value could pass", "                       ^^"),
        Case("{name: a, categoriesOrdered: true}", "31: 'categoriesOrdered' without 'categories'",
            "                              ^^^^"),
        Case("{name: a, type: number, categories: [1]}", "26: 'categories' is for string and integer, and this is a number",
            "                         ^^^^^^^^^^ use enum under 'constraints'"),
        Case("{name: a, type: integer, categories: [1, {value: x}]}", "43: 'x' is not an integer",
            "                                          ^^^^^^^^^^"),
        Case("{name: a, categories: [x, y], constraints: {enum: [x, z]}}", "56: 'z' is not one of the 'categories'",
            "                                                       ^"),
    ]

    static let constraints = [
        Case("[required]", "24: expected a mapping of constraints, found a list",
            "                       ^^^^^^^^^^ write constraints: {required: true}; lists belong under 'rules'"),
        Case("{requird: true}", "25: unknown key 'requird' in constraints",
            "                        ^^^^^^^ did you mean 'required'?"),
        Case("{required: yes}", "35: expected true or false, found 'yes'", "                                  ^^^ write true"),
        Case("{required: 'true'}", "35: expected true or false, found the text 'true'",
            "                                  ^^^^^^ remove the quotes"),
        Case("{required: []}", "35: expected true or false, found a list", "                                  ^^"),
        Case("{unique: true}", "25: 'unique' is not supported yet",
            "                        ^^^^^^ remove it, or check it in the database"),
        Case("{jsonSchema: {}}", "25: 'jsonSchema' is not supported yet", "                        ^^^^^^^^^^"),
        Case("{type: integer}", "25: 'type' belongs to the field",
            "                        ^^^^ write it beside 'constraints', not inside"),
        Case("{pattern: a, options: [search]}", "37: 'options' stands beside a pattern under 'rules'",
            "                                    ^^^^^^^ write rules: [{pattern: …, options: …}]"),
        Case("{maxLength: '5'}", "36: expected a whole number, found the text '5'",
            "                                   ^^^ remove the quotes"),
        Case("{maxLength: 5.0}", "36: expected a whole number, found '5.0'", "                                   ^^^"),
        Case("{maxLength: -1}", "36: expected a whole number, 0 or more, found '-1'", "                                   ^^"),
        Case("{maxLength: 010}", "36: a number with a leading zero may mean octal",
            "                                   ^^^ write 10"),
        Case("{maxLength: 99999999999999999999}", "36: the number is too large",
            "                                   ^^^^^^^^^^^^^^^^^^^^"),
        Case("{minLength: 5, maxLength: 4}", "50: the maxLength 4 is less than the minLength 5",
            "                                                 ^ no text could pass"),
        Case("{lengthUnit: utf8}", "25: 'lengthUnit' without 'minLength' or 'maxLength'", "                        ^^^^^^^^^^"),
        Case("{enum: []}", "31: 'enum' is empty: no value could pass", "                              ^^"),
        Case("{enum: a}", "31: expected a list of values, found 'a'", "                              ^ write [a]"),
        Case("{enum: [a, ~]}", "35: ~ is not a value",
            "                                  ^ if it is the word, put it in quotes: '~'"),
        Case("{pattern: }", "34: expected a pattern, found nothing", "                                 ^ '' is the empty text"),
        Case("{minimum: 5}",
            "25: 'minimum' is for integer, number, date, time, datetime, year, yearmonth and duration, and this is a string",
            "                        ^^^^^^^ give it a type, such as type: integer"),
    ]

    static let typed = [
        Case("{type: string, constraints: {minimum: 5}}",
            "41: 'minimum' is for integer, number, date, time, datetime, year, yearmonth and duration, and this is a string",
            "                                        ^^^^^^^ the length of a text is 'minLength' and 'maxLength'"),
        Case("{type: boolean, constraints: {maximum: 5}}",
            "42: 'maximum' is for integer, number, date, time, datetime, year, yearmonth and duration, and this is a boolean",
            "                                         ^^^^^^^"),
        Case("{type: integer, constraints: {minimum: 2, maximum: 1}}", "63: no value lies between '2' and '1'",
            "                                                              ^ 'minimum' and 'maximum' contradict each other"),
        Case("{type: integer, constraints: {exclusiveMinimum: 1, maximum: 1}}", "72: no value lies between '1' and '1'",
            "                                                                       ^ 'exclusiveMinimum' and 'maximum' contradict each other"),
        Case("{type: integer, constraints: {enum: [1, x, 2.5, 3]}}", "52: 'x' is not an integer",
            "                                                   ^", "55: '2.5' is not an integer",
            "                                                      ^^^"),
        Case("{type: date, constraints: {minimum: 2024-13-01}}", "48: '2024-13-01' is not a date",
            "                                               ^^^^^^^^^^ write it as 2024-01-31"),
        Case("{type: date, format: '%d/%m/%Y', constraints: {minimum: 2024-01-31}}", "68: '2024-01-31' is not a date",
            "                                                                   ^^^^^^^^^^ write it as the column does: '%d/%m/%Y'"),
    ]

    static let rules = [
        Case("{pattern: a}", "26: expected a list of rules, found a mapping", "                         ^^^^^^^^^^^^ start each rule with '- '"),
        Case("[a]", "27: expected a rule such as {pattern: '…'}, found 'a'", "                          ^"),
        Case("[{}]", "27: there is no check in this rule",
            "                          ^^ write one of pattern, minLength, maxLength, enum, minimum, maximum, type, all, any, not, when"),
        Case("[{id: a}]", "27: there is no check in this rule",
            "                          ^^^^^^^ write one of pattern, minLength, maxLength, enum, minimum, maximum, type, all, any, not, when"),
        Case("[{required: true}]", "28: 'required' belongs under 'constraints'",
            "                           ^^^^^^^^ write constraints: {required: true}"),
        Case("[{pattern: a, maxLength: 5}]", "40: a rule is one check, and this has 'pattern' and 'maxLength'",
            "                                       ^^^^^^^^^ write two rules, or all: [{…}, {…}]"),
        Case("[{options: [search]}]", "28: 'options' without 'pattern'", "                           ^^^^^^^"),
        Case("[{pattern: a, options: search}]", "49: expected a list of options, found 'search'",
            "                                                ^^^^^^ write [search]"),
        Case("[{pattern: a, options: [caseinsensitive]}]", "50: unknown option 'caseinsensitive'",
            "                                                 ^^^^^^^^^^^^^^^ did you mean 'caseInsensitive'?"),
        Case("[{pattern: a, severity: error}]", "50: unknown severity 'error'",
            "                                                 ^^^^^ known are reject, warn"),
        Case("[{maxLength: 5, as: integer}]", "42: 'as' has no meaning beside 'maxLength'",
            "                                         ^^"),
        Case("[{minimum: 1, exclusiveMinimum: 1, as: integer}]", "40: a rule has 'minimum' or 'exclusiveMinimum', not both",
            "                                       ^^^^^^^^^^^^^^^^ write two rules"),
        Case("[{any: []}]", "33: 'any' is empty: no value could pass", "                                ^^"),
        Case("[{all: {pattern: a}}]", "33: expected a list of checks, found a mapping",
            "                                ^^^^^^^^^^^^ write a list: [{…}, {…}]"),
        Case("[{not: [a]}]", "33: expected a check such as {pattern: '…'}, found a list",
            "                                ^^^ write all: […] or any: […]"),
        Case("[{when: {pattern: a}}]", "28: 'when' without 'then'", "                           ^^^^ write {when: …, then: …}"),
        Case("[{then: {pattern: a}}]", "28: 'then' without 'when'", "                           ^^^^"),
        Case("[{when: {pattern: a}, then: {pattern: b}, else: {pattern: c}}]", "68: 'when' has no 'else'",
            "                                                                   ^^^^ write a second rule: {when: {not: …}, then: …}"),
        Case("[{not: {id: a, pattern: a}}]", "34: 'id' belongs to the rule as a whole",
            "                                 ^^ write it beside the outermost check"),
        Case("[{enum: [1, x], as: {type: integer}}]", "38: 'x' is not an integer", "                                     ^"),
        Case("[{enum: [1], as: int}]", "43: unknown type 'int'", "                                          ^^^ did you mean 'integer'?"),
        Case("[{pattern: a}, {pattern: b}]", "42: the id of this rule would be 'a.pattern', which is taken",
            "                                         ^^^^^^^ by line 1: give this rule an 'id'"),
        Case("[{id: b, pattern: a}, {id: b, pattern: b}]", "53: a second rule with the id 'b'",
            "                                                    ^ the first is on line 1"),
    ]

    static let dialects = [
        Case("{delimiter: ';;'}", "23: a delimiter is one ASCII character, found the text ';;'", "                      ^^^^"),
        Case("{delimiter: é}", "23: a delimiter is one ASCII character, found 'é'", "                      ^"),
        Case(#"{delimiter: "\n"}"#, #"23: a delimiter cannot end lines"#, "                      ^^^^"),
        Case("{quoteChar: ''}", "23: a quoteChar is one ASCII character, found the text ''",
            "                      ^^ write none if there are no quotes"),
        Case("{quoteChar: ','}", "23: the delimiter and the quote are the same character", "                      ^^^"),
        Case("{header: no}", "20: expected true or false, found 'no'", "                   ^^ write false"),
        Case(#"{escapeChar: "\\"}"#, "24: 'escapeChar' is not supported",
            "                       ^^^^ a quote inside quotes is written twice; export the file without backslash escapes"),
        Case("{doubleQuote: false}", "25: 'doubleQuote: false' is not supported",
            "                        ^^^^^ a quote inside quotes is always written twice"),
        Case("{commentChar: '#'}", "25: 'commentChar' is not supported",
            "                        ^^^ remove comments first: grep -v '^#'"),
        Case("{skipInitialSpace: true}", "30: 'skipInitialSpace: true' is not supported",
            "                             ^^^^ a space after the delimiter is data; allow it in the patterns, or remove it first"),
        Case("{nullSequence: NA}", "26: 'nullSequence' is not supported",
            "                         ^^ write missingValues: ['…'] beside 'fields'"),
        Case("{headerRows: [1, 2]}", "24: 'headerRows' is not supported",
            "                       ^^^^^^ a header is the first record; remove the others first"),
        Case("{headerJoin: '-'}", "24: 'headerJoin' is not supported", "                       ^^^ a header is one record"),
        Case("{commentRows: [2]}", "25: 'commentRows' is not supported", "                        ^^^ remove these lines first"),
        Case("{lineTerminator: ';'}", "28: lines end with LF or CR LF",
            "                           ^^^ remove it: both are read, also mixed"),
        Case("{encoding: latin1}", "12: files are read as UTF-8", "           ^^^^^^^^ convert others first: iconv -t UTF-8"),
        Case("{sheetName: a}", "12: 'sheetName' is for files other than CSV", "           ^^^^^^^^^ remove it"),
        Case("{delimeter: ';'}", "12: unknown key 'delimeter' in a dialect", "           ^^^^^^^^^ did you mean 'delimiter'?"),
    ]

    static let limits = [
        Case("{field: 5}", "11: unknown key 'field' in limits", "          ^^^^^ a note of your own starts with 'x-'"),
        Case("{colums: 5}", "11: unknown key 'colums' in limits", "          ^^^^^^ did you mean 'columns'?"),
        Case("{columns: 5K}", "20: '5K' is not a value of columns", "                   ^^ write a whole number"),
        Case("{field-bytes: 1T}", "24: '1T' is not a value of field-bytes",
            "                       ^^ write a whole number such as 65536, 64K or 4M"),
        Case("{record-bytes: 1G}", "25: record-bytes is from 1 to 512M, not 1G", "                        ^^"),
        Case("{field-bytes: 8M}", "24: field-bytes (8388608) is more than record-bytes (4194304)",
            "                       ^^ set record-bytes=8388608 too"),
        Case("{rules: 5}", "11: 'rules' cannot stand in the file that it limits",
            "          ^^^^^ give --limit rules=… instead"),
    ]

    /// The mistakes of a text of one line, as a case lists them.
    func found(in text: String) throws -> [String] {
        let error = try #require(throws: RuleFileError.self) { try RuleFile.parse(Array(text.utf8), name: "x") }
        return error.problems.flatMap { problem in
            let lines = problem.description.split(separator: "\n").map(String.init)
            #expect(lines[0] == "x:1:\(problem.column): error: \(problem.message)")
            #expect(lines[1] == "   1 | \(text)")
            return ["\(problem.column): \(problem.message)", String(lines[2].dropFirst(7))]
        }
    }

    @Test(arguments: files) func ofAFile(_ example: Case) throws {
        #expect(try found(in: example.text) == example.expected)
    }

    /// Columns are counted from the start of the entry: the text before it is cut away, but for its bracket.
    @Test(arguments: fields) func ofAField(_ example: Case) throws {
        let prefix = "fields: ["
        let shifted = try found(in: prefix + example.text + "]")
        #expect(Self.unshifted(shifted, by: prefix.count - 1) == example.expected)
    }

    @Test(arguments: constraints) func ofConstraints(_ example: Case) throws {
        let prefix = "fields: [{name: a, constraints: "
        let shifted = try found(in: prefix + example.text + "}]")
        #expect(Self.unshifted(shifted, by: 9) == example.expected)
    }

    @Test(arguments: typed) func ofATypedField(_ example: Case) throws {
        let prefix = "fields: [{name: a, "
        let shifted = try found(in: prefix + example.text.dropFirst() + "]")
        #expect(Self.unshifted(shifted, by: 7) == example.expected)
    }

    @Test(arguments: rules) func ofRules(_ example: Case) throws {
        let prefix = "fields: [{name: a, rules: "
        let shifted = try found(in: prefix + example.text + "}]")
        #expect(Self.unshifted(shifted, by: 1) == example.expected)
    }

    @Test(arguments: dialects) func ofADialect(_ example: Case) throws {
        #expect(try found(in: "dialect: \(example.text)\nfields: []".replacingNewline()) == example.expected)
    }

    @Test(arguments: limits) func ofLimits(_ example: Case) throws {
        #expect(try found(in: "{limits: \(example.text), fields: []}") == example.expected.map { $0 })
    }

    private static func unshifted(_ lines: [String], by count: Int) -> [String] {
        lines.enumerated().map { index, line in
            if index % 2 == 1 { return String(line.dropFirst(count)) }
            let parts = line.split(separator: ":", maxSplits: 1)
            return "\(Int(parts[0])! - count):\(parts[1])"
        }
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
                rules.yaml:6:14: error: one bound has a zone and the other has none
                   6 |     maximum: 2024-12-31T00:00:00
                     |              ^^^^^^^^^^^^^^^^^^^
                """)
    }
}

extension String {
    /// The same mapping on one line.
    fileprivate func replacingNewline() -> String {
        "{" + split(separator: "\n").joined(separator: ", ") + "}"
    }
}
