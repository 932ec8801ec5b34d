import Testing

@Suite("#all, #any, #not and #when in the compiler")
struct BlockMacroTests {
    @Test("expand to the functions of their names")
    func functions() {
        let expansion = Expansion(
            """
            let a = #all {
                one.because("x")

                two
            }
            let b = #any { one; two }
            let c = #not { one }
            let d = #not(one)
            let e = #when(.notEmpty()) { one }
            """)
        #expect(expansion.diagnostics == [])
        #expect(
            expansion.source == """
                let a = _AssayRequirement.all {
                    one.because("x")

                    two
                }
                let b = _AssayRequirement.any {
                    one;
                    two
                }
                let c = _AssayRequirement.not {
                    one
                }
                let d = _AssayRequirement.not(one)
                let e = _AssayRequirement.when(.notEmpty()) {
                    one
                }
                """)
    }

    @Test("an empty block is an error that explains its meaning")
    func empty() {
        let everything = "is empty, which would confirm everything; write Requirement.always if you mean that"
        let nothing = "is empty, which would never confirm a value; write Requirement.never(…) if you mean that"
        #expect(Expansion("let a = #all { }").diagnostics == ["1:14 error: the block of #all \(everything)"])
        #expect(Expansion("let a = #all({ })").diagnostics == ["1:14 error: the block of #all \(everything)"])
        #expect(Expansion("let a = #any {\n}").diagnostics == ["1:14 error: the block of #any \(nothing)"])
        #expect(Expansion("let a = #not { }").diagnostics == ["1:14 error: the block of #not \(nothing)"])
        #expect(Expansion("let a = #when(x) { }").diagnostics == ["1:18 error: the block of #when \(everything)"])
    }

    @Test("inner patterns are expanded, and their mistakes have their places")
    func nestedPatterns() {
        let good = Expansion("let r = #when(.matches(#pattern(\"a\"))) { .matches(#pattern(\"b\")) }")
        #expect(good.diagnostics == [])
        #expect(
            good.source == """
                let r = _AssayRequirement.when(.matches(_AssayPattern._shared(literal: "a"))) {
                    .matches(_AssayPattern._shared(literal: "b"))
                }
                """)
        let bad = Expansion(
            """
            let a = #any {
                Requirement<String>.matches(#pattern("(a"))
                #all { Requirement<String>.matches(#pattern("[b{,2}]]a)")) }
            }
            """)
        #expect(
            bad.diagnostics == [
                "2:45 error: this pattern does not compile: missing closing parenthesis",
                "3:59 error: this pattern does not compile: unmatched closing parenthesis",
            ])
    }
}
