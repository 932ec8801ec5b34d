import CAssay
import Testing

@testable import Assay

/// Repairs as data, over single values, and before checks.
@Suite("Repairs") struct RepairTests {
    private static let all: [Repair] = [
        .trim, .collapse, .upper, .lower, .nfc, .nfkc, .stripControl, .asciiDigits, .unquote, .missing(["N/A", "-"]),
        .replace(pattern: #"(\d) +"#, with: "$1"), .map(["m": "male", "f": "female"]), .default("none"), .canonical(),
        .canonical(Repair.CanonicalOptions(from: ["%d.%m.%Y"], region: "GB", decimalChar: ",", groupChar: ".")),
    ]

    @Test func namesAreStable() {
        #expect(
            Self.all.names == [
                "trim", "collapse", "upper", "lower", "nfc", "nfkc", "strip-control", "ascii-digits", "unquote",
                "missing",
                "replace", "map", "default", "canonical", "canonical.2",
            ])
    }

    @Test func singleValues() throws {
        let repairs = try CompiledRepairs([.trim, .lower, .missing(["n/a"]), .default("none")])
        #expect(repairs.repaired(" Anna@Example.ORG\u{A0}") == "anna@example.org")
        #expect(repairs.repaired("anna") == "anna")
        #expect(repairs.repaired(" N/A") == "none")
        #expect(repairs.repaired("") == "none")
        let changed = try #require(repairs.repair(" N/A"))
        #expect(changed.repairs == [0, 1, 2, 3])
        #expect(repairs.repair("anna") == nil)
        #expect(try CompiledRepairs([]).repaired(" a ") == " a ")
        #expect(try CompiledRepairs([.trim]).repaired("") == "")
    }

    @Test func fieldsRepairBeforeTheyEvaluate() throws {
        let born = Field(
            name: "born", type: .date, repair: [.trim, .canonical(Repair.CanonicalOptions(from: ["%d.%m.%Y"]))])
        #expect(try born.repaired(" 31.12.1999") == "1999-12-31")
        #expect(try born.repaired("31.13.1999") == "31.13.1999")
        #expect(try born.repaired(" 1999-12-31") == "1999-12-31")
        let mark = Field(name: "mark", missingValues: ["-"], repair: [.default("none")])
        #expect(try mark.repaired("-") == "none")
        #expect(try mark.repaired("") == "")
    }

    /// Values and their canonical forms, which depend on the type of the field.
    @Test(.needsPCRE2) func typesAreThoseOfTheField() throws {
        func canonical(_ type: ValueType, _ text: String, _ options: Repair.CanonicalOptions = .init()) throws -> String
        {
            try CompiledRepairs([.canonical(options)], of: type).repaired(text)
        }
        #expect(try canonical(.boolean, "TRUE") == "true")
        #expect(try canonical(ValueType(.boolean, trueValues: ["yes", "true"]), "yes") == "true")
        #expect(try canonical(.integer, "+007") == "7")
        #expect(
            try canonical(.number, "1.234,5", Repair.CanonicalOptions(decimalChar: ",", groupChar: ".")) == "1234.5")
        #expect(
            try canonical(ValueType(.string, format: "iban"), "de89 3704 0044 0532 0130 00") == "DE89370400440532013000"
        )
        #expect(
            try canonical(ValueType(.string, format: "phone"), "020 7946 0018", Repair.CanonicalOptions(region: "GB"))
                == "+442079460018")
        #expect(try canonical(ValueType(.string, format: "country"), "Germany") == "DE")
    }

    @Test(arguments: [
        ([Repair.trim, .replace(pattern: "a(", with: "")], ValueType.any, "missing closing parenthesis at offset 2"),
        ([.replace(pattern: "a", with: "$1")], .any, "the pattern has no such group, or several at offset 1"),
        ([.canonical()], .string, "text without a format has no canonical form"),
        ([.canonical()], .any, "text without a format has no canonical form"),
        ([.canonical()], ValueType(.string, format: "json"), "the format 'json' has no canonical form"),
        (
            [.canonical()], ValueType(.date, format: "%d/%m/%Y"),
            "the type with a format of its own refuses canonical values, which are ISO 8601"
        ),
        ([.canonical(Repair.CanonicalOptions(region: "GB"))], .integer, "'region' is for phone numbers"),
        (Array(repeating: .trim, count: 33), .any, "a list has at most 32 repairs"),
    ])
    func mistakes(_ repairs: [Repair], _ type: ValueType, _ expected: String) {
        if !hasPCRE2 && repairs.contains(where: \.needsPCRE2) { return }
        let error = #expect(throws: CompileError.self) { try CompiledRepairs(repairs, of: type) }
        #expect(error?.description == expected)
    }

    @Test func requirementsOfFieldsEvaluateRepairedValues() throws {
        let field = Field(
            name: "email", type: ValueType(.string, format: "email"), isRequired: true,
            repair: [.trim, .missing(["N/A"])])
        let requirement = try Requirement(field)
        #expect(requirement.evaluate(" anna@example.org").isConfirmed)
        #expect(requirement.evaluate("anna @example.org").reason?.rule == "email.format")
        #expect(requirement.evaluate(" N/A").reason?.rule == "email.required")
        #expect(Array(requirement.verdicts(for: [" anna@example.org", "", "a"])) == [.pass, .fail, .fail])
        let name = Requirement<String>.minLength(3).repairing(try CompiledRepairs([.trim]))
        #expect(name.evaluate(" ab ").reason?.rule == "string.minLength")
    }

    @Test(.needsPCRE2) func schemasNameTheField() {
        let schema = Schema(fields: [Field(name: "a", repair: [.replace(pattern: "(", with: "")])])
        let error = #expect(throws: CompileError.self) { try CompiledSchema(schema) }
        #expect(error?.message == "field 'a', repair: missing closing parenthesis")
    }
}

extension Repair {
    fileprivate var needsPCRE2: Bool { if case .replace = self { true } else { false } }
}
