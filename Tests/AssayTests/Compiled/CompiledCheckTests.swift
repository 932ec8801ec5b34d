import Testing

@testable import Assay

struct CompiledCheckTests {
    /// Checks one value alone and in a column, and expects the same verdict.
    func verdict(_ check: Check, _ value: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> Verdict {
        let compiled = try CompiledCheck(check)
        let one = compiled.verdict(of: value)
        #expect(
            try Requirement<String>(check).verdicts(for: [value])[0] == one, "as a column",
            sourceLocation: sourceLocation)
        return one
    }

    @Test(
        "length counts the requested unit",
        arguments: [
            (LengthUnit.characters, "🇵🇹é", 2), (.scalars, "🇵🇹é", 3), (.utf16, "🇵🇹é", 5), (.utf8, "🇵🇹é", 10),
            (.characters, "a\r\nb", 3), (.scalars, "a\r\nb", 4), (.characters, "e\u{301}", 1),
            (.scalars, "e\u{301}", 2),
            (.characters, "", 0), (.characters, "👨‍👩‍👧‍👦", 1),
        ])
    func length(unit: LengthUnit, value: String, length: Int) throws {
        #expect(try verdict(.length(min: length, max: length, in: unit), value) == .pass)
        #expect(try verdict(.length(min: length + 1, max: nil, in: unit), value) == .fail)
        if length > 0 { #expect(try verdict(.length(min: nil, max: length - 1, in: unit), value) == .fail) }
    }

    @Test("a long message is marked as cut")
    func longMessages() {
        let checks = (1...6).map { Check.length(min: $0, max: nil, in: .utf8) }
        #expect(
            Check.all(Array(checks.prefix(2))).failureMessage == "is shorter than 1 byte or is shorter than 2 bytes")
        #expect(Check.all(checks).failureMessage.hasSuffix("shorter than 4 bytes or fails one of 2 more"))
        #expect(Check.any(checks).failureMessage.hasSuffix("shorter than 4 bytes and fails 2 more"))
        #expect(Check.oneOf([""]).failureMessage == "is not one of ''")
    }

    @Test(
        "sets compare as the type means them",
        arguments: [
            (ValueType.string, ["a", "b"], "b", Verdict.pass), (.string, ["a"], "A", .fail),
            (.string, ["1.0"], "1", .fail),
            (.number, ["1.0"], "1", .pass), (.number, ["100"], "1e2", .pass), (.integer, ["7"], "007", .pass),
            (.boolean, ["true"], "1", .pass), (.boolean, ["true"], "0", .fail),
            (.date, ["2024-02-29"], "2024-02-29", .pass),
        ])
    func sets(type: ValueType, values: [String], value: String, expected: Verdict) throws {
        #expect(try verdict(.oneOf(values, as: type), value) == expected)
    }

    @Test(
        "ranges compare as decimals and dates",
        arguments: [
            (ValueType.integer, "18", "120", "18", Verdict.pass), (.integer, "18", "120", "17", .fail),
            (.integer, "0", "99999999999999999999999998", "99999999999999999999999999", .fail),
            (.number, "0.1", "0.3", "0.30000000000000000000000000001", .fail), (.number, "-1", "1", "NaN", .fail),
            (.number, "-1", "1", "1e0", .pass), (.date, "2024-01-01", "2024-12-31", "2024-02-29", .pass),
            (.date, "2024-01-01", "2024-12-31", "2025-01-01", .fail),
            (.datetime, "2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z", "2024-01-01T00:30:00+01:00", .fail),
            (.datetime, "2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z", "2024-06-01T00:00:00", .fail),
        ])
    func ranges(type: ValueType, low: String, high: String, value: String, expected: Verdict) throws {
        #expect(try verdict(.range(min: Bound(low), max: Bound(high), as: type), value) == expected)
    }

    @Test("exclusive bounds leave their own value out")
    func exclusive() throws {
        let check = Check.range(
            min: Bound("0", isExclusive: true), max: Bound("10", isExclusive: true), as: .number)
        #expect(try verdict(check, "0") == .fail)
        #expect(try verdict(check, "0.0001") == .pass)
        #expect(try verdict(check, "10.0") == .fail)
    }

    @Test(
        "types",
        arguments: [
            (ValueType.integer, "-12", Verdict.pass), (.integer, "1.0", .fail), (.integer, "", .fail),
            (.number, "1e5", .pass), (.number, "1,5", .fail), (ValueType(.number, decimalChar: ","), "1,5", .pass),
            (.boolean, "True", .pass), (.boolean, "yes", .fail), (.date, "1990-02-30", .fail),
            (.date, "2024-02-29", .pass),
            (.date, "2024-02-29\n", .fail), (.time, "23:59:59.999", .pass), (.time, "24:00:00", .fail),
            (.time, "23:59:60", .fail), (.year, "2024", .pass), (.year, "24", .fail), (.yearmonth, "2024-13", .fail),
            (.duration, "P1Y2M3DT4H5M6.7S", .pass), (.duration, "P", .fail),
            (ValueType(.date, format: "%d/%m/%Y"), "29/02/2023", .fail),
            (ValueType(.date, format: "%d/%m/%Y"), "28/02/2023", .pass), (.any, "whatever", .pass),
            (ValueType(.string, format: "email"), "a@b.example", .pass),
            (ValueType(.string, format: "email"), "a..b@c.example", .fail),
            (ValueType(.string, format: "email"), "a@b.example\n", .fail),
            (ValueType(.string, format: "email"), "a@localhost", .fail),
            (ValueType(.string, format: "uuid"), "123e4567-e89b-12d3-a456-426614174000", .pass),
            (ValueType(.string, format: "uuid"), "123e4567-e89b-02d3-a456-426614174000", .fail),
            (ValueType(.string, format: "uri"), "https://example.org/a?b=c#d", .pass),
            (ValueType(.string, format: "uri"), "http://[2001:db8::7]/c=GB", .pass),
            (ValueType(.string, format: "uri"), "//no.scheme", .fail),
            (ValueType(.string, format: "uri"), "a:b c", .fail),
            (ValueType(.string, format: "binary"), "aGVsbG8=", .pass),
            (ValueType(.string, format: "binary"), "aGVsbG8", .fail),
        ])
    func types(type: ValueType, value: String, expected: Verdict) throws {
        #expect(try verdict(.type(type), value) == expected)
    }

    // Three values for the truth tables of Kleene's logic: a pattern that passes, one that fails, and one that reaches
    // a limit.
    static let hostile = String(repeating: "a", count: 64)
    static let checks: [Verdict: Check] = [
        .pass: .matches(pattern: "a+"), .fail: .matches(pattern: "b"), .undecided: .matches(pattern: #"(a+)+b\1{0}"#),
    ]

    @Test("joined checks follow Kleene's logic", .needsPCRE2, arguments: Verdict.allCases, Verdict.allCases)
    func logic(one: Verdict, other: Verdict) throws {
        let (a, b) = (Self.checks[one]!, Self.checks[other]!)
        func and(_ one: Verdict, _ other: Verdict) -> Verdict {
            one == .fail || other == .fail ? .fail : (one == .pass && other == .pass ? .pass : .undecided)
        }
        func not(_ verdict: Verdict) -> Verdict {
            switch verdict {
            case .pass: .fail
            case .fail: .pass
            case .undecided: .undecided
            }
        }
        let or = not(and(not(one), not(other)))
        #expect(try verdict(.all([a, b]), Self.hostile) == and(one, other))
        #expect(try verdict(.any([a, b]), Self.hostile) == or)
        #expect(try verdict(.not(a), Self.hostile) == not(one))
        #expect(try verdict(.when(a, then: b), Self.hostile) == not(and(one, not(other))))
    }

    @Test("an empty all passes, an empty any fails")
    func empty() throws {
        #expect(try verdict(.all([]), "x") == .pass)
        #expect(try verdict(.any([]), "x") == .fail)
    }

    @Test(
        "mistakes name the part",
        arguments: [
            (Check.type(ValueType(.date, format: "%Q")), CompileError.Part.format),
            (.oneOf(["1", "x"], as: .integer), .value(1)),
            (.range(min: Bound("x"), max: nil, as: .integer), .minimum),
            (.range(min: nil, max: Bound("x"), as: .integer), .maximum),
            (.length(min: -1, max: nil, in: .scalars), .minimum),
            (.range(min: Bound(""), max: nil, as: .integer), .minimum),
            (.type(ValueType(.string, format: "postcode")), .format),
            (.not(.matches(pattern: "(")), .pattern),
        ])
    func mistakes(check: Check, part: CompileError.Part) {
        #expect { try CompiledCheck(check) } throws: { ($0 as? CompileError)?.part == part }
    }
}
