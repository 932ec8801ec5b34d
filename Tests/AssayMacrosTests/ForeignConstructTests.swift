import Assay
import Testing

@testable import AssayMacrosPlugin

@Suite("Constructs that mean something else in ICU")
struct ForeignConstructTests {
    private func found(_ pattern: String, isExtended: Bool = false) -> [ForeignConstruct] {
        ForeignConstruct.all(in: Array(pattern.utf8), isExtended: isExtended)
    }

    @Test(
        "are found at their places",
        arguments: [
            ("[a&&b]", 2, ForeignConstruct.intersection), ("[[a-z]&&[^aeiou]]", 6, ForeignConstruct.intersection),
            ("[a-z--[aeiou]]", 4, ForeignConstruct.difference), ("[[a-z]--[aeiou]]", 6, ForeignConstruct.difference),
            ("x[^\\d&&5]", 5, ForeignConstruct.intersection), ("[]&&a]", 2, ForeignConstruct.intersection),
            ("[+--]", 2, ForeignConstruct.difference), ("[a[bc]]", 2, ForeignConstruct.innerSet),
            ("[[(]", 1, ForeignConstruct.innerSet), ("a{,3}", 1, ForeignConstruct.openRepeat),
            ("\\0101", 0, ForeignConstruct.octal), ("[\\0777]", 1, ForeignConstruct.octal),
            ("[[:alpha:]&&b]", 10, ForeignConstruct.intersection), ("[\\Q[\\E&&]", 6, ForeignConstruct.intersection),
            ("é[a&&b]", 4, ForeignConstruct.intersection),
        ])
    func found(pattern: String, offset: Int, advice: String) throws {
        _ = try Pattern(pattern)
        #expect(found(pattern) == [ForeignConstruct(offset: offset, advice: advice)])
    }

    @Test(
        "are not found if there are no mistakes",
        arguments: [
            "", "a&&b--c", "[a&b-]", "[a\\&\\&b]", "[\\-\\-]", "[&\\&]", "[a-z]&&[b]", "[]]--", "[^]-]", "\\[a&&b",
            "\\Q[a&&b]{,3}\\E", "\\Q[\\E[a]", "\\Q[a&&b]", "(?#[)[a]",
            "(?#[a&&b]{,3})", "a{3,}", "a{0,3}", "a\\{,3}", "[{,3}]", "x{,}", "[[:alpha:][:^digit:]]", "\\010", "\\01",
            "[\\]&]",
            "\\\\[a]", "[\\[a]",
        ])
    func notFound(pattern: String) throws {
        _ = try Pattern(pattern)
        #expect(found(pattern) == [])
    }

    @Test("comments count where patterns have them")
    func comments() {
        #expect(found("a # [a&&b]\n[c]", isExtended: true) == [])
        #expect(found("(?x)a # [a&&b]\n[c]") == [])
        #expect(found("a # [a&&b]").map(\.offset) == [6])
        #expect(found("a # x\n[a&&b]", isExtended: true).map(\.offset) == [8])
    }

    @Test("the advice has the stated effect")
    func advice() throws {
        #expect(try Pattern("(?:(?=[a-z])[^aeiou])+").matches("xyz"))
        #expect(try !Pattern("(?:(?=[a-z])[^aeiou])+").matches("xay"))
        #expect(try Pattern("(?:(?![aeiou])[a-z])+").matches("xyz"))
        #expect(try Pattern("[a\\&\\&b]+").matches("a&b"))
        #expect(try Pattern("a\\{,3}").matches("a{,3}"))
        #expect(try Pattern("a{0,3}").matches("aa"))
    }
}
