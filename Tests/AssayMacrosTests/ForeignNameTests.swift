import AssayMacros
import Testing

/// A type of the program with the name of the module.
private enum Assay {
    enum Pattern {}
}

@Suite("Macros in a program with a type called Assay")
struct ForeignNameTests {
    @Test("are what they are elsewhere")
    func macros() {
        let short = #all { Requirement<String>.maxLength(3) }
        let digits = #when(.notEmpty()) { Requirement<String>.matches(#pattern(#"\d+"#)) }
        #expect(["12", "1234", "a"].map { (short && digits).evaluate($0).isConfirmed } == [true, false, false])
        #expect(#pattern("a").matches("a") && "\(Assay.Pattern.self)" == "Pattern")
    }
}
