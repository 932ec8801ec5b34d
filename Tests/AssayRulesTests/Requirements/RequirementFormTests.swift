import Assay
import Testing

@testable import AssayRules

@Suite("Seed 004: every built-in requirement has a YAML form")
struct RequirementFormTests {
    private let password = Requirement<String>.all {
        Requirement<String>.minLength(8).because("Минимум 8 символов")
        Requirement<String>.containsDigit
        Requirement<String>.containsUppercase.because(code: "upper", message: "Mit: 'Großbuchstabe'")
        Requirement<String>.contains(oneOf: "!@#$%^&*()_+-=[]{}|;:,.<>?").named("password.special")
        Requirement<String>.when(.maxLength(12), .not(.oneOf(["Password123!"])))
    }

    @Test("a text within any limit of depth is read, or is an error; it does not end the process")
    func depth() throws {
        var limits = Limits()
        limits.depth = 256
        func nested(_ levels: Int) -> String {
            String(repeating: "{id: a, message: b, not: ", count: levels) + "{minLength: 1}"
                + String(repeating: "}", count: levels)
        }
        let read = try Requirement<String>(yaml: nested(199), limits: limits)
        #expect(read.evaluate("").isConfirmed == !read.evaluate("a").isConfirmed)
        let error = #expect(throws: RuleFileError.self) {
            try Requirement<String>(yaml: nested(254), limits: limits)
        }
        #expect(error?.description.contains("nested more than 200 deep") == true)
    }

    @Test("the password rule, as people write it")
    func yaml() throws {
        let text = try password.yaml()
        #expect(
            text == ##"""
                - message: Минимум 8 символов
                  minLength: 8
                  lengthUnit: characters
                - pattern: '\p{Nd}'
                  options: [search]
                - id: upper
                  message: 'Mit: ''Großbuchstabe'''
                  pattern: '\p{Lu}'
                  options: [search]
                - id: password.special
                  pattern: '[\!\@\#\$\%\^\&\*\(\)\_\+\-\=\[\]\{\}\|\;\:\,\.\<\>\?]'
                  options: [search]
                - when:
                    maxLength: 12
                    lengthUnit: characters
                  then:
                    not:
                      enum: ['Password123!']

                """##)
    }

    @Test(
        "a round trip gives the same messages",
        arguments: ["", "a", "Aa1!", "MyPass123!", "Password123!", "mypass123", "ПАРОЛЬ12!"])
    func same(value: String) throws {
        for text in [try password.yaml(), try password.json()] {
            let read = try Requirement<String>(yaml: text)
            let (one, other) = (password.failures(in: value), read.failures(in: value))
            #expect(one == other)
            #expect(one.map(\.parameters) == other.map(\.parameters))
            #expect(one.map { $0.message(in: "ja") } == other.map { $0.message(in: "ja") })
            #expect(try read.yaml() == text || read.json() == text)
        }
    }

    @Test("requirement to YAML to requirement gives the same verdicts", arguments: 0..<200)
    func generated(seed: UInt64) throws {
        var generator = RequirementGenerator(random: Seeded(state: seed))
        let texts = generator.texts + ["", "a", "A1!", "12", "2024-02-29", "anna@example.org", "größe\r\n", "1.50"]
        let text = generator.text(depth: 4)
        let read = try Requirement<String>(yaml: text.yaml())
        #expect(texts.map { read.evaluate($0).verdict } == texts.map { text.evaluate($0).verdict })
        #expect(Array(read.verdicts(for: texts)) == Array(text.verdicts(for: texts)))
        #expect(
            texts.map { read.failures(in: $0).map(\.message) } == texts.map { text.failures(in: $0).map(\.message) })

        let number = generator.number(depth: 4)
        let readNumber = try Requirement<Double>(yaml: number.yaml())
        let numbers: [Double] = [0, -0.0, 1, 1.5, -3, 1e300, 1e-300, .infinity, -.infinity, .nan, 0.1 + 0.2]
        #expect(numbers.map { readNumber.evaluate($0).verdict } == numbers.map { number.evaluate($0).verdict })

        let integer = generator.integer(depth: 4)
        let readInteger = try Requirement<Int>(yaml: integer.yaml())
        let integers = [0, 1, -1, 7, 100, .max, .min]
        #expect(integers.map { readInteger.evaluate($0).verdict } == integers.map { integer.evaluate($0).verdict })
    }

    @Test("a truth value")
    func bool() throws {
        let terms = Requirement<Bool>.require(\.self).because("Необходимо согласие")
        let read = try Requirement<Bool>(yaml: terms.yaml())
        #expect(read.evaluate(true).isConfirmed)
        #expect(read.evaluate(false) == .failed(reason: Reason(message: "Необходимо согласие")))
    }

    @Test("empty, never, and a long chain")
    func edges() throws {
        #expect(try Requirement<String>.always.yaml() == "[]\n")
        #expect(try Requirement<String>(yaml: "[]").evaluate("x").isConfirmed)
        let never = Requirement<String>.never(Reason(message: "Closed"))
        #expect(try Requirement<String>(yaml: never.yaml()).evaluate("x") == .failed(reason: Reason(message: "Closed")))
        for (nothing, text) in [
            (!Requirement<String>.always, #"[{"not":{"all":[]}}]"#),
            (.any([]), #"[{"any":[{"not":{"all":[]}}]}]"#),
            (.oneOf([] as [String]), #"[{"any":[{"not":{"all":[]}}]}]"#), (!(!(!.always)), nil),
        ] as [(Requirement<String>, String?)] {
            let read = try Requirement<String>(yaml: nothing.yaml())
            #expect(read.evaluate("x") == nothing.evaluate("x") && !read.evaluate("x").isConfirmed)
            #expect(try read.yaml() == nothing.yaml())
            if let text { #expect(try nothing.json().filter { !$0.isWhitespace } == text) }
        }
        let chain = (0..<500).reduce(Requirement<String>.minLength(1)) { $0 && .maxLength($1 + 1) }
        #expect(try Requirement<String>(yaml: chain.yaml()).failures(in: "abc") == chain.failures(in: "abc"))
    }

    @Test("requirements that are not data are refused with a message")
    func notData() {
        let closure = Requirement<String> { _ in .confirmed }
        for requirement in [
            closure, .notEmpty() && closure, .not(closure), .when(closure, .notEmpty()), .at(\.self, .notEmpty()),
        ] {
            #expect(throws: NotSerializableError.self) { try requirement.yaml() }
            #expect(throws: NotSerializableError.self) { try Field(name: "a", requirement) }
        }
        #expect(throws: NotSerializableError.self) { try Requirement<String>.matches(pattern: "(").yaml() }
        #expect(
            NotSerializableError(requirement: (.notEmpty() && closure).description).description
                .hasPrefix("this requirement is not data: not empty, and as a rule of its own requires"))
    }

    @Test("a requirement as a column of a rule file, and back")
    func field() throws {
        let field = try Field(name: "password", password && .minLength(2))
        #expect(
            field.rules.map(\.id) == [
                "password.minLength", "password.pattern", "upper", "password.special", "password.when",
                "password.minLength-2",
            ])
        let file = RuleFile(
            schema: Schema(fields: [
                field, try Field(name: "age", isRequired: true, Requirement<Int>.inRange(18...120)),
            ]))
        #expect(try rules(file.json()).schema.fields[0].rules.map(\.id) == field.rules.map(\.id))
        let record = try Requirement<[String: String]>(file.schema)
        #expect(record.evaluate(["password": "MyPass123!", "age": "18"]).isConfirmed)
        #expect(
            record.failures(in: ["password": "MyPass123", "age": "17"]).map(\.rule) == [
                "password.special", "age.range",
            ])
    }

    @Test(
        "mistakes have their place",
        arguments: [
            (
                "- {minLenght: 8}",
                """
                r:1:4: error: unknown key 'minLenght' in a rule
                   1 | - {minLenght: 8}
                     |    ^^^^^^^^^ did you mean 'minLength'?
                """
            ),
            ("- {pattern: '('}", "missing closing parenthesis"),
            ("", "r:1:1: error: there is no rule"),
            ("- {pattern: a, severity: warn}", "a requirement refuses; it has no warnings"),
            ("- {pattern: a, severity: wran}", "unknown severity 'wran'"),
            ("hello", "expected a list of rules, found 'hello'"),
            ("- 7", "expected a rule such as {pattern: '…'}, found '7'"),
            ("minLength: 8\npattern: a", "a rule is one check, and this has 'pattern' and 'minLength'"),
            ("- {minimum: ten}", "'ten' is not an integer"),
        ])
    func mistakes(text: String, message: String) {
        do throws(RuleFileError) {
            _ = try Requirement<Int>(yaml: text, name: "r")
            Issue.record("\(text) was read")
        } catch {
            #expect(error.description.contains(message), "\(error)")
        }
    }

    @Test("a text of any size ends")
    func limits() {
        #expect(throws: RuleFileError.self) {
            var limits = Limits()
            limits.ruleFileBytes = 5
            _ = try Requirement<String>(yaml: "- {pattern: a}", limits: limits)
        }
        var limits = Limits()
        limits.patternBytes = 50_000
        let long = "- {pattern: '\(String(repeating: "a", count: 12_000))'}"
        #expect(throws: RuleFileError.self) { try Requirement<String>(yaml: long, limits: limits) }
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: RuleFileError.self) { try Requirement<String>(yaml: deep) }
    }
}

/// Makes requirements of every built-in kind.
private struct RequirementGenerator {
    var random: Seeded

    mutating func chance() -> Bool { Bool.random(using: &random) }
    mutating func pick<T>(_ values: [T]) -> T { values.randomElement(using: &random)! }

    let texts = ["it's \"q\"", ": #x", "NO", "~", " ", "a\nb", "\u{202E}x", "é", "e\u{301}", "7", "007", "😀😀", "abc"]

    mutating func text(depth: Int) -> Requirement<String> {
        let leaves: [Requirement<String>] = [
            .notEmpty(), .minLength(2), .maxLength(2, in: .utf8), .length(min: 1, max: 3, in: .utf16),
            .minLength(2, in: .scalars), .matches(pattern: "[a-zA-Z0-9]+"),
            .matches(pattern: "A|é", options: [.search, .caseInsensitive]),
            .matches(Pattern.literal(#"\d+"#)), .format("email"), .format("uuid"), .type(.date), .type(.integer),
            .type(ValueType(.number, decimalChar: ",")), .containsDigit, .containsUppercase, .containsLowercase,
            .containsSymbol, .contains(oneOf: "!\"'\\]^-a7"), .contains(oneOf: ""), .oneOf(Set(texts.prefix(5))),
            .oneOf([] as [String]),
            .equals("abc"), .emptyOr(.minLength(3)), .never(Reason(code: "n", message: "No: never")),
        ]
        return joined(pick(leaves), depth: depth) { $0.text(depth: depth - 1) }
    }

    mutating func number(depth: Int) -> Requirement<Double> {
        let bound = pick([0, 1.5, -3, 1e300, 1e-300, 0.1, 0.3, .infinity])
        let leaves: [Requirement<Double>] = [
            .greaterThan(bound), .greaterThanOrEqual(bound), .lessThan(bound), .lessThanOrEqual(bound),
            .inRange(-3...bound.magnitude), .inRange(-3..<bound.magnitude), .inRange(bound...),
            .oneOf([bound, 1, 1.5]), .equals(0),
            .oneOf([]),
        ]
        return joined(pick(leaves), depth: depth) { $0.number(depth: depth - 1) }
    }

    mutating func integer(depth: Int) -> Requirement<Int> {
        let bound = pick([0, 1, -1, 7, .max, .min])
        let leaves: [Requirement<Int>] = [
            .greaterThan(bound), .greaterThanOrEqual(bound), .lessThan(bound), .lessThanOrEqual(bound), .inRange(0...7),
            .inRange(..<bound), .oneOf([bound, 7]), .equals(7),
        ]
        return joined(pick(leaves), depth: depth) { $0.integer(depth: depth - 1) }
    }

    private mutating func joined<Value>(
        _ leaf: Requirement<Value>, depth: Int, _ other: (inout Self) -> Requirement<Value>
    ) -> Requirement<Value> {
        if depth == 0 { return leaf }
        switch Int.random(in: 0...8, using: &random) {
        case 0: return .all([other(&self), other(&self), leaf])
        case 1: return .any([other(&self), leaf])
        case 2: return .not(other(&self))
        case 3: return .when(other(&self), other(&self))
        case 4: return other(&self).because("Say: \"it\" 'so' #\(depth)")
        case 5: return other(&self).because(code: "c.\(depth)", message: "Nein")
        case 6: return other(&self) && leaf
        case 7: return other(&self) || leaf
        default: return leaf
        }
    }
}
