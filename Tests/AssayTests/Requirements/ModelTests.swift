import Assay
import Foundation
import Testing

private struct Item: Sendable {
    var id = "a"
    var price = 1.0
}

private struct Address: Sendable {
    var city = "Porto"
}

private struct Order: Sendable {
    var items = [Item()]
    var address: Address? = Address()
    var limits: [String: Int] = [:]
    var start = 1
    var end = 2
    var password = "x"
    var repeated = "x"
}

@Suite("Requirements of models")
struct ModelTests {
    @Test("nested values have structured paths")
    func paths() {
        let order = Requirement<Order>.all {
            Requirement<Order>.at(\.items, named: "items", .each(.at(\.price, named: "price", .greaterThan(0))))
            Requirement<Order>.at(\.address, named: "address", .notNil(.at(\.city, named: "city", .notEmpty())))
            Requirement<Order>.at(\.limits, named: "limits", .eachValue(.inRange(0...9)))
            Requirement<Order>.at(\.items, named: "items", .unique(by: \.id))
            Requirement<Order>.at(\.items, named: "items", .contains(.at(\.price, .greaterThan(10))))
        }
        var value = Order()
        value.items = [Item(price: 20), Item(id: "b", price: 0), Item(id: "b"), Item(id: "c", price: -1)]
        value.address?.city = ""
        value.limits = ["per day": 10, "b": 3, "a": 11]
        let reasons = order.failures(in: value)
        #expect(
            reasons.map(\.path.description) == [
                "items[1].price", "items[3].price", "address.city", "limits.a", "limits[\"per day\"]", "items[2]",
            ])
        #expect(reasons[0].path == ValuePath([.field("items"), .index(1), .field("price")]))
        #expect(reasons[0].rule == "number.greaterThan")
        #expect(reasons[0].parameters == ["min": .number(0)])
        value.items = []
        value.address = nil
        #expect(
            order.failures(in: value).map(\.rule) == [
                "value.missing", "number.range", "number.range", "collection.contains",
            ])
    }

    @Test("rules across fields are at the first field and name the other")
    func acrossFields() {
        let rules = Requirement<Order>.all {
            Requirement<Order>.require(\.repeated, equals: \.password, named: "repeated", "password")
            Requirement<Order>.require(\.end, greaterThan: \.start, named: "end", "start")
        }
        #expect(rules.evaluate(Order()).isConfirmed)
        let reasons = rules.failures(in: Order(start: 3, end: 3, repeated: "y"))
        #expect(reasons.map(\.path.description) == ["repeated", "end"])
        #expect(reasons.map(\.message) == ["Must equal password", "Must be greater than start"])
        #expect(reasons.map { $0.message(in: "pt") } == ["Deve ser igual a password", "Deve ser maior que start"])
        #expect(reasons.map(\.rule) == ["fields.equal", "fields.greaterThan"])
        func holds(_ requirement: Requirement<Order>) -> [Bool] {
            [(1, 2), (2, 2), (3, 2)].map { requirement.evaluate(Order(start: $0.0, end: $0.1)).isConfirmed }
        }
        #expect(holds(.require(\.start, equals: \.end, named: "a", "b")) == [false, true, false])
        #expect(holds(.require(\.start, notEquals: \.end, named: "a", "b")) == [true, false, true])
        #expect(holds(.require(\.start, lessThan: \.end, named: "a", "b")) == [true, false, false])
        #expect(holds(.require(\.start, lessThanOrEqual: \.end, named: "a", "b")) == [true, true, false])
        #expect(holds(.require(\.start, greaterThan: \.end, named: "a", "b")) == [false, false, true])
        #expect(holds(.require(\.start, greaterThanOrEqual: \.end, named: "a", "b")) == [false, true, true])
    }

    @Test("a rule of one's own has a stable name, and its sentence in a table of one's own")
    func ownNames() {
        let leaked = Requirement<String>(named: "password.leaked") { value in
            value == "123456" ? .failed(reason: Reason(message: "This password is known")) : .confirmed
        }
        let reason = leaked.evaluate("123456").reason
        #expect(reason?.rule == "password.leaked")
        #expect(reason?.message(in: "ru") == "This password is known")
        var mine = MessageCatalog.russian
        mine.texts["password.leaked"] = "Этот пароль известен"
        #expect(reason?.message(in: mine) == "Этот пароль известен")
        mine.texts["pin.length"] = "{min} или больше"
        let pin = Requirement<String>.minLength(4).named("pin.length").evaluate("1").reason
        #expect(pin?.message(in: mine) == "4 или больше")
        #expect(pin?.message(in: "ja") == "4文字以上で入力してください")
    }

    @Test("contradictory and exact bounds, and bounds that are outside")
    func bounds() throws {
        func messages<Value>(_ requirement: Requirement<Value>, _ value: Value, in language: String = "en") -> String? {
            requirement.evaluate(value).reason?.message(in: language)
        }
        #expect(messages(.inRange(0..<5.0), 5) == "Must be at least 0 and less than 5")
        #expect(messages(.inRange(1..<1), 1) == "Must be at least 1 and less than 1")
        #expect(messages(.inRange(1...1), 2) == "Must be 1")
        #expect(messages(.inRange(0..<5.0), 5, in: "ja") == "0以上5未満にしてください")
        #expect(messages(.inRange(0...5), 6) == "Must be between 0 and 5")
        for (low, high, text) in [
            (true, false, "Must be greater than 1 and at most 3"),
            (true, true, "Must be greater than 1 and less than 3"),
        ] {
            let check = Check.range(
                min: Bound("1", isExclusive: low), max: Bound("3", isExclusive: high), as: .integer)
            #expect(messages(try Requirement<Int>(check), 4) == text)
        }
        #expect(messages(.length(min: 2, max: 2), "") == "Must have exactly 2 characters")
        #expect(messages(.length(min: 1, max: 1, in: .utf8), "") == "Must have exactly 1 byte")
        #expect(messages(.length(min: 1, max: 2), "") == "Must have 1 to 2 characters")
        #expect(messages(.length(min: 2, max: 2), "", in: "pt-PT") == "Deve ter exatamente 2 caracteres")
        #expect(messages(.count(min: 3, max: 3), [1]) == "Must have exactly 3 elements")
        var mine = MessageCatalog.russian
        mine.texts["string.length"] = "от {min} до {max}"
        #expect(Requirement<String>.length(min: 2, max: 2).evaluate("").reason?.message(in: mine) == "от 2 до 2")

        for requirement in [Requirement<String>.length(min: 5, max: 2), .length(min: 5, max: 2, in: .utf8)] {
            let reason = requirement.evaluate("abc").reason
            #expect(reason?.message == "The requirement cannot be met: the maximum 2 is less than the minimum 5")
            #expect(reason?.isUndecided == true)
        }
        let count = Requirement<[Int]>.count(min: 5, max: 2).evaluate([1]).reason
        #expect(count?.message == "The requirement cannot be met: the maximum 2 is less than the minimum 5")

        let day = Requirement<Date>.greaterThan(Date(timeIntervalSince1970: 0))
        #expect(messages(day, .distantPast) == "Must be greater than 1970-01-01T00:00:00Z")
    }

    @Test(
        "a language that does not ship is English",
        arguments: [
            ("zh", true), ("zh-CN", true), ("zh-Hans-HK", true), ("zh_Hans", true), ("zh-Hant", false),
            ("zh-TW", false), ("zh_Hant_HK", false), ("zh-MO", false), ("pt-MO", true), ("ja-TW", true), ("", false),
            ("tlh", false),
        ])
    func shippedLanguages(tag: String, ships: Bool) {
        #expect((MessageCatalog.shipped(for: tag) != nil) == ships)
        let message = Requirement<String>.minLength(2).evaluate("").reason?.message(in: tag)
        #expect((message == "Must have at least 2 characters") == !ships)
    }

    @Test("parameters are the same after JSON")
    func parameters() throws {
        let parameters: [Reason.Parameter] = [
            .integer(2), .number(2), .number(2.5), .number(.infinity), .number(-.infinity), .text("inf"), .text("2"),
            .number(1e300), .number(-0.0),
        ]
        let read = try JSONDecoder().decode([Reason.Parameter].self, from: JSONEncoder().encode(parameters))
        #expect(read == parameters)
        #expect(Reason.Parameter.integer(2) == .number(2) && Set([Reason.Parameter.integer(2), .number(2)]).count == 1)
        #expect(Reason.Parameter.text("2") != .integer(2) && Reason.Parameter.number(2.5) != .integer(2))
        let reason = try #require(Requirement<Double>.inRange(0..<(.infinity)).evaluate(-1).reason)
        let again = try JSONDecoder().decode(Reason.self, from: JSONEncoder().encode(reason))
        #expect(again.parameters == reason.parameters && again == reason)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Reason.Parameter.self, from: Data(#"{"number": "ten"}"#.utf8))
        }
    }

    @Test("a requirement prints as its words, on one line")
    func printed() {
        #expect("\(Requirement<String>.minLength(8) && .containsDigit)" == "at least 8 characters, and a digit")
        #expect("\(Requirement<String>.matches(pattern: "a\n\u{202E}b"))" == #"text that matches a\n\u{202E}b"#)
        let long = Requirement<String>.all((0..<1000).map { .minLength($0) })
        #expect("\(long)".hasSuffix(", and at least 998 characters, and at least 999 characters"))
        #expect(Requirement<String>.minLength(2).evaluate("abc".prefix(2)).isConfirmed)
    }

    @Test("a parameter is put into a sentence once, and braces stay braces")
    func sentences() {
        let reason = Requirement<String>.contains(oneOf: "{min}").evaluate("x").reason
        #expect(reason?.message == "Must contain one of the characters {min}")
        var mine = MessageCatalog.english
        mine.texts["string.containsOneOf"] = "{ {characters} {unknown} {"
        #expect(reason?.message(in: mine) == "{ {min} {unknown} {")
    }

    @Test("one thing, and several")
    func singulars() {
        let one = Requirement<String>.minLength(1).evaluate("").reason
        let two = Requirement<String>.minLength(2).evaluate("").reason
        #expect(one?.message == "Must have at least 1 character" && two?.message == "Must have at least 2 characters")
        #expect(one?.message(in: "pt-BR") == "Deve ter pelo menos 1 caractere")
        #expect(Requirement<[Int]>.count(max: 1).evaluate([1, 2]).reason?.message == "Must have at most 1 element")
        var mine = MessageCatalog.english
        mine.texts["string.minLength"] = "{min} or more"
        #expect(one?.message(in: mine) == "1 or more")
    }

    @Test(
        "lengths in every unit, and messages that say which",
        arguments: [
            (LengthUnit.characters, 1), (.scalars, 7), (.utf16, 11), (.utf8, 25),
        ])
    func lengthUnits(unit: LengthUnit, length: Int) {
        let family = "👨‍👩‍👧‍👦"
        #expect(Requirement<String>.length(min: length, max: length, in: unit).evaluate(family).isConfirmed)
        #expect(!Requirement<String>.minLength(length + 1, in: unit).evaluate(family).isConfirmed)
        #expect(length == 1 || !Requirement<String>.maxLength(length - 1, in: unit).evaluate(family).isConfirmed)
    }

    @Test("nearest misses of lengths")
    func lengths() {
        #expect(Requirement<String>.maxLength(3).evaluate("a\r\nb").isConfirmed)
        #expect(!Requirement<String>.maxLength(3, in: .scalars).evaluate("a\r\nb").isConfirmed)
        #expect(Requirement<String>.minLength(0).evaluate("").isConfirmed)
        #expect(
            Requirement<String>.minLength(9, in: .utf8).evaluate("x").reason?.message == "Must have at least 9 bytes")
        #expect(Requirement<String>.maxLength(1, in: .utf16).evaluate("😀").reason?.message(in: "zh") == "最多1个UTF-16单元")
        #expect(Requirement<String>.minLength(-1).evaluate("x").verdict == .undecided)
    }

    @Test("reasons, evaluations, traces and reports are Codable")
    func coding() throws {
        func again<Value: Codable>(_ value: Value) throws -> Value {
            try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
        }
        let nested = Requirement<[String]>.each(.all([.length(min: 2, max: 3), .containsDigit]))
        let reason = try #require(nested.evaluate(["ab1", "x"]).reason)
        let read = try again(reason)
        #expect(read == reason)
        #expect(read.rule == "string.length" && read.parameters == ["min": .integer(2), "max": .integer(3)])
        #expect(read.path.description == "[1]")
        #expect(read.message(in: "ja") == "2文字以上3文字以下で入力してください")
        #expect(try again(Evaluation.confirmed) == .confirmed)
        #expect(try again(nested.evaluate(["x"])) == nested.evaluate(["x"]))
        #expect(try again(nested.trace(["x", "ab1"])) == nested.trace(["x", "ab1"]))
        let report = Requirement<String>.containsDigit.report(on: ["x"], showingValues: true)
        #expect(try again(report) == report)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(
            String(decoding: try encoder.encode(reason), as: UTF8.self)
                == #"{"code":"string.length","message":"Must have 2 to 3 characters","parameters":{"max":3,"min":2},"path":[1],"rule":"string.length","text":"string.length"}"#
        )
        #expect(try again(Reason.undecided(message: "?")).isUndecided)
    }

    @Test(
        "in words",
        arguments: [
            (
                .minLength(8) && .containsDigit && .containsUppercase,
                "at least 8 characters, and a digit, and an upper-case letter"
            ),
            (
                (.notEmpty() || .maxLength(1, in: .utf8)) && !.containsSymbol,
                "(not empty, or at most 1 byte), and (not: a special character)"
            ),
            (.when(.notEmpty(), .format("email")), "if not empty, then text of the format email"),
            (.oneOf(["a", "b"]), "one of \"a\", \"b\""), (.matches(pattern: "[a-z]+"), "text that matches [a-z]+"),
            (Requirement { _ in .confirmed }, "as a rule of its own requires"), (.always, "anything"),
            (.any([]), "nothing"),
        ] as [(Requirement<String>, String)])
    func words(requirement: Requirement<String>, text: String) {
        #expect(requirement.description == text)
    }

    @Test("in words, of other values")
    func moreWords() {
        #expect(Requirement<Int>.inRange(18...120).description == "at least 18 and at most 120")
        #expect(Requirement<Double>.greaterThan(0.5).description == "more than 0.5")
        #expect(
            Requirement<Order>.at(
                \.items, named: "items", .count(min: 1, max: 5) && .each(.at(\.price, named: "price", .lessThan(9)))
            ).description
                == "items: (1 to 5 elements, and each element: price: less than 9.0)")
        #expect(Requirement<String>.equals("hunter2").description == "equal to the expected value")
    }

    @Test("no built-in reason or trace holds the value")
    func privacy() throws {
        let secret = "hunter2-hunter2"
        let requirements: [Requirement<String>] = [
            .maxLength(3), .matches(pattern: "[a-z]+"), .oneOf(["a"]), .containsUppercase, .not(.notEmpty()),
            .format("email"), .type(.integer), .any([.maxLength(1)]), .equals("other"), .contains(oneOf: "XYZ"),
        ]
        for requirement in requirements {
            let reason = try #require(requirement.evaluate(secret).reason)
            let everything =
                MessageCatalog.all.map { reason.message(in: $0) } + ["\(reason)", "\(requirement.trace(secret))"]
            #expect(everything.allSatisfy { !$0.contains("hunter") })
            let json = try JSONEncoder().encode(requirement.report(on: [secret]))
            #expect(!String(decoding: json, as: UTF8.self).contains("hunter"))
        }
    }

    @Test("contains(oneOf:) takes every character for itself")
    func oneOfCharacters() {
        let characters = "!@#$%^&*()_+-=[]{}|;:,.<>?\\/~`'\" aZ09é😀\n\u{7F}"
        for character in characters {
            let requirement = Requirement<String>.contains(oneOf: String(character))
            #expect(
                requirement.evaluate("__x\(character)y".replacingOccurrences(of: "__", with: "")).isConfirmed,
                "\(character)")
            let others = characters.filter { $0 != character }
            #expect(!requirement.evaluate(others).isConfirmed, "\(character)")
            #expect(requirement.evaluate("").reason?.parameters["characters"] == .text(String(character)))
        }
        #expect(!Requirement<String>.contains(oneOf: "").evaluate("x").isConfirmed)
    }

    @Test("data agrees with Swift: NaN equals no value, texts are equal byte by byte")
    func valuesAndTheirTexts() throws {
        let numbers = Requirement<Double>.oneOf([.nan, 1])
        #expect(!numbers.evaluate(.nan).isConfirmed && numbers.evaluate(1).isConfirmed)
        #expect(numbers.check == nil, "its text would be one of them")
        let part = Requirement<Substring>.equals("\u{E9}")
        #expect(part.evaluate("\u{E9}").isConfirmed && !part.evaluate("e\u{301}").isConfirmed)
        #expect(part.check == .oneOf(["\u{E9}"]))
    }

    @Test("any of one gives the reasons of that one")
    func anyOfOne() {
        let one = Requirement<String>.any([.minLength(3)])
        #expect(one.evaluate("a").reason == one.trace("a").reason)
        #expect(one.evaluate("a").reason?.rule == "string.minLength")
        let asCheck = try! Requirement<String>(.any([.length(min: 3, max: nil, in: .scalars)]))
        #expect(asCheck.evaluate("a").reason == asCheck.trace("a").reason)
    }

    @Test("allowed texts that Swift takes for one are two")
    func oneOfSpellings() {
        let allowed = Requirement<Substring>.oneOf(["\u{E9}", "e\u{301}"])
        #expect(allowed.evaluate("\u{E9}").verdict == .pass)
        #expect(allowed.evaluate("e\u{301}").verdict == .pass)
        #expect(allowed.evaluate("e").verdict == .fail)
    }

    @Test("the columns of a rule file, as a requirement of a record")
    func schema() throws {
        let schema = Schema(fields: [
            Field(
                name: "age", type: .integer, isRequired: true,
                rules: [
                    Rule(
                        id: "age.minimum", code: "minimum", check: .range(min: Bound("18"), max: nil, as: .integer),
                        message: "Too young")
                ]),
            Field(
                name: "note",
                rules: [
                    Rule(id: "note.max", code: "maxLength", check: .length(min: nil, max: 3, in: .scalars)),
                    Rule(
                        id: "note.warn", code: "maxLength", check: .length(min: nil, max: 1, in: .scalars),
                        severity: .warn),
                ]),
        ])
        let record = try Requirement<[String: String]>(schema)
        func messages(_ record: [String: String], _ requirement: Requirement<[String: String]>) -> [String] {
            requirement.failures(in: record).map { "\($0.path) \($0.rule ?? ""): \($0.message)" }
        }
        #expect(messages(["age": "18", "note": "abc"], record) == [])
        #expect(messages([:], record) == ["age age.required: Is missing"])
        // The rule about the type has the same name as in findings.
        let mail = Field(name: "mail", type: ValueType(.string, format: "email"))
        let mails = Schema(fields: [mail])
        #expect(try messages(["mail": "x"], Requirement(mails)).first?.hasPrefix("mail mail.format: ") == true)
        #expect(try BoundSchema(CompiledSchema(mails), field: 0).rules.map(\.id) == ["mail.format"])
        #expect(messages(["age": "x", "note": ""], record) == ["age age.type: Is not of the type integer"])
        #expect(
            messages(["age": "7", "note": "abcd"], record) == [
                "age age.minimum: Too young", "note note.max: Must have at most 3 characters",
            ])
    }
}
