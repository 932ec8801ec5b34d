import Assay
import CAssaySystem
import Testing

/// Built-in types in Swift: the verdicts must equal those of the C core and of rule files, which share the cases.
@Suite("Built-in types") struct BuiltInTypeTests {
    struct Line: Sendable {
        var format: String
        /// The middle column: whether the value is valid, or its failure reason.
        var sign: String
        var value: String
        var passes: Bool { sign == "+" }
    }

    static let lines = lines(of: "cases.tsv")

    /// The lines of a file in Tests/Types, except for values that a Swift string cannot contain.
    private static func lines(of name: String) -> [Line] {
        let path = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        guard let file = fopen(path + "/Types/\(name)", "rb") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 18)
        bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let parts = line.split(separator: UInt8(ascii: "\t"), maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3, let value = String(validating: unescaped(parts[2]), as: UTF8.self) else {
                return nil
            }
            return Line(
                format: String(decoding: parts[0], as: UTF8.self), sign: String(decoding: parts[1], as: UTF8.self),
                value: value)
        }
    }

    private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            if rest.popFirst() == UInt8(ascii: "\\") {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)!)
                rest = rest.dropFirst(2)
            }
        }
        return bytes
    }

    @Test func everyCaseAsCheckRequirementAndColumn() throws {
        #expect(Self.lines.count > 1000)
        // Without PCRE2, a pattern with different meanings in its versions does not compile.
        let known = Self.lines.filter { hasPCRE2 || !($0.format == "regex" && $0.value == "a{,2}") }
        for (format, lines) in Dictionary(grouping: known, by: \.format) {
            let check = try CompiledCheck(.type(ValueType(.string, format: format)))
            let requirement = Requirement<String>.format(format)
            for line in lines {
                let expected: Verdict = line.passes ? .pass : .fail
                #expect(check.verdict(of: line.value) == expected, "\(format): \(line.value.debugDescription)")
                #expect(requirement.evaluate(line.value).isConfirmed == line.passes, "\(format): \(line.value)")
            }
            #expect(
                Array(try Requirement<String>(check.description).verdicts(for: lines.map(\.value)))
                    == lines.map { $0.passes ? .pass : .fail }, "\(format)")
        }
    }

    @Test func whatIsWrongWithAValue() throws {
        let lines = Self.lines(of: "reasons.tsv")
        // Two formats of a repair may read a value differently, but a type has only one reading.
        #expect(Set(lines.map(\.sign) + ["ambiguous"]) == Set(FailureReason.all.map(\.name) + ["-"]))
        for line in lines {
            let check = try CompiledCheck(.type(ValueType(.string, format: line.format)))
            let failureReason = check.failureReason(of: line.value)
            #expect(failureReason?.name ?? "-" == line.sign, "\(line.format): \(line.value.debugDescription)")
            let combined = try CompiledCheck(.all([check.description, .length(min: 0, max: 1_000_000, in: .utf8)]))
            #expect(combined.failureReason(of: line.value) == failureReason)
            guard case .failed(let reason) = Requirement<String>.format(line.format).evaluate(line.value) else {
                Issue.record("\(line.format) accepts \(line.value)")
                continue
            }
            #expect(reason.parameters["failureReason"] == failureReason.map { .text($0.name) })
            #expect(
                reason.message == "Is not in the format \(line.format)" + (failureReason.map { ": \($0.text)" } ?? ""))
        }
        #expect(
            try CompiledCheck(.type(ValueType(.string, format: "iban"))).failureReason(of: "DE89370400440532013000")
                == nil)
        #expect(try CompiledCheck(.matches(pattern: "a")).failureReason(of: "b") == nil)
    }

    @Test func failureReasonsInEveryLanguage() {
        let reason = Requirement<String>.iban().evaluate("DE88370400440532013000").reason
        #expect(reason?.message(in: "pt-BR").hasSuffix(": os dígitos verificadores não conferem") == true)
        #expect(reason?.message(in: "sv") == reason?.message)
        for language in ["ru", "ja", "zh", "pt"] {
            let texts = FailureReason.all.map { MessageCatalog.failureReasonText($0.name, in: language) }
            #expect(Set(texts).count == FailureReason.all.count, "\(language)")
            #expect(Set(texts).isDisjoint(with: FailureReason.all.map(\.text)), "\(language)")
        }
        var mine = MessageCatalog.russian
        mine.texts["failureReason.check-digits"] = "опечатка"
        #expect(reason?.message(in: mine).hasSuffix(": опечатка") == true)
    }

    @Test func descriptionsOfTypes() throws {
        let names = BuiltInType.all.map(\.name)
        #expect(names.count >= 70 && Set(names).count == names.count)
        for type in BuiltInType.all {
            #expect(BuiltInType.named(type.name) == type)
            #expect(Requirement<String>.format(type.name).evaluate(type.example).isConfirmed, "\(type.name)")
            #expect(!Requirement<String>.format(type.name).evaluate(type.example + "\n").isConfirmed, "\(type.name)")
            let message = Check.type(ValueType(.string, format: type.name)).failureMessage
            #expect(message == "is not \(type.displayName)")
        }
        #expect(BuiltInType.named("iban country=DE")?.name == "iban")
        #expect(BuiltInType.named("ibn") == nil && BuiltInType.named("") == nil)
    }

    @Test func mistakesHaveTheirPlace() {
        let error = #expect(throws: CompileError.self) {
            try CompiledCheck(.type(ValueType(.string, format: "uuid version=9")))
        }
        #expect(error == CompileError(part: .format, message: "version=9: versions are 1 to 8, nil and max", offset: 5))
        // An invalid requirement confirms no value and reports the error.
        #expect(!Requirement<String>.iban(countries: ["XX"]).evaluate("DE89370400440532013000").isConfirmed)
    }

    @Test func requirementsByName() {
        typealias Case = (Requirement<String>, good: String, bad: String)
        let cases: [Case] = [
            (.email(), "a@example.org", "a@b"), (.email([.singleLabel, .ipLiteral]), "a@[192.0.2.1]", "\"a\"@b.org"),
            (.email([.quoted, .unicode, .numericTLD]), "\"ä\"@b.1", "ä@b"),
            (.url(), "https://a.example/", "ftp://a.example"),
            (.url(schemes: ["ftp"], credentials: true, localhost: true, ip: true), "ftp://a:b@8.8.8.8", "http://a.b"),
            (.url(privateIP: true), "http://127.0.0.1", "http://localhost"),
            (.url(unicode: true), "https://bücher.example/ä", "https://bücher.example/ ä"),
            (.url(port: false), "https://a.example/", "https://a.example:80/"),
            (.uri(), "urn:a:b", "a"), (.hostname(), "a.b", "a_b"), (.hostname(unicode: true), "bücher", "-ü"),
            (.domain(), "a.co.uk", "co.uk"), (.ip(), "::1", "1"), (.ipv4(), "192.0.2.1", "::1"),
            (.ipv6(), "::1", "1.1.1.1"),
            (.ipv6(zone: true), "::1%a", "::1%"), (.cidr(), "192.0.2.1/24", "192.0.2.1"),
            (.cidr(network: true), "192.0.2.0/24", "192.0.2.1/24"), (.mac(), "00:00:5e:00:53:af", "00:00:5e"),
            (.uuid(), "123e4567-e89b-12d3-a456-426614174000", "123e4567"),
            (.uuid(versions: [4]), "123e4567-e89b-42d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174000"),
            (.ulid(), "01ARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3NDEK"), (.semanticVersion(), "1.0.0", "1.0"),
            (.slug(), "a-b", "a--b"), (.date(), "2024-02-29", "2023-02-29"),
            (.birthDate(minAge: 18, maxAge: 99, on: "2024-06-01"), "2006-06-01", "2006-06-02"),
            (.birthDate(), "1990-01-01", "9999-01-01"), (.time(), "12:00:00Z", "12:00:00"),
            (.dateTime(), "2024-02-29T12:00:00Z", "2024-02-29"), (.duration(), "P1D", "P"),
            (.timeZone(), "Europe/Berlin", "Berlin"), (.card(), "4111111111111111", "4111111111111112"),
            (.card(brands: ["amex"]), "378282246310005", "4111111111111111"),
            (.iban(), "DE89370400440532013000", "DE89370400440532013001"),
            (.iban(countries: ["GB"]), "GB82WEST12345698765432", "DE89370400440532013000"),
            (.bic(), "DEUTDEFF", "DEUTDEF"), (.isin(), "US0378331005", "US0378331006"),
            (.lei(), "529900T8BM49AURSDO55", "529900T8BM49AURSDO56"), (.isbn(), "9783161484100", "978-3-16-148410-0"),
            (.isbn(hyphens: true), "978-3-16-148410-0", "978-3-16-148410-1"), (.issn(), "2049-3630", "20493630"),
            (.gtin(), "4006381333931", "4006381333932"), (.decimal(precision: 4, scale: 2), "99.99", "100.00"),
            (.country(), "DE", "XX"), (.currency(), "EUR", "EURO"), (.languageTag(), "de-CH", "de_CH"),
            (.languageTag(registered: true), "de-CH", "xx-CH"), (.postalCode(countries: ["DE"]), "10115", "1011"),
            (.phone(), "+442079460018", "442079460018"), (.phone(regions: ["GB"]), "+442079460018", "+12015550123"),
            (.phone(regions: ["GB"], mobile: true), "+447400123456", "+442079460018"), (.personName(), "O’Neil", "123"),
            (.password(), "correct horse", "password"),
            (.password(min: 20, max: 30), "correct horse staple", "correct"),
            (.plainText(), "a b", "a\nb"), (.plainText(lines: true), "a\nb", "a\u{200B}"), (.json(), "[1]", "[1"),
            (.base64(), "YQ==", "YQ"),
        ]
        for (requirement, good, bad) in cases {
            #expect(requirement.evaluate(good).isConfirmed, "\(good)")
            #expect(!requirement.evaluate(bad).isConfirmed, "\(bad)")
        }
    }

    /// The first thread that needs a pattern of a numbering plan compiles it.
    @Test func plansFromManyThreads() throws {
        let check = try CompiledCheck(.type(ValueType(.string, format: "phone valid")))
        let numbers = ["+442079460018", "+4930123456", "+12015550123", "+390612345678", "+81312345678", "+4420794600"]
        let values = (0..<60_000).map { numbers[$0 % numbers.count] }
        let mask = try Requirement<String>(check.description).verdicts(for: values, threads: 8)
        #expect(mask.indices(of: .fail).allSatisfy { $0 % numbers.count == 5 })
        #expect(mask.passedCount == 50_000)
    }
}
