import AssayMacros
import Testing

private func inGenericCode<Value>(_: Value) -> Pattern { #pattern(#"\d{4}"#) }

extension String {
    fileprivate var isYear: Bool { #pattern(#"\d{4}"#).matches(self) }
}

private struct Holder {
    static let pattern = #pattern("static", options: .caseInsensitive)
    let pattern = #pattern("stored")
}

private func byDefault(_ pattern: Pattern = #pattern("default")) -> Pattern { pattern }

@Suite("#pattern at run time")
struct PatternLiteralTests {
    @Test("is the pattern that was written")
    func value() {
        let pattern = #pattern(#"(?<year>\d{4})-\d\d"#, options: [.search, .extended])
        #expect(pattern.source == #"(?<year>\d{4})-\d\d"#)
        #expect(pattern.options == [.search, .extended])
        #expect(pattern.matches("on 2024-02"))
        #expect(!pattern.matches("2024"))
    }

    @Test("every kind of literal keeps its text")
    func literals() {
        #expect(#pattern("a\\d\t\u{20AC}\"").source == "a\\d\t\u{20AC}\"")
        #expect(#pattern(#"a\d"#).source == "a\\d")
        #expect(
            #pattern(
                """
                a  # first
                b\r\u{0}
                """, options: .extended
            ).source == "a  # first\nb\r\0")
        #expect(#pattern("").matches(""))
        #expect(#pattern("\"\u{301}#\"##\\\u{301}").source == "\"\u{301}#\"##\\\u{301}")
        #expect(#pattern("👨‍👩‍👧é").matches("👨‍👩‍👧é"))
    }

    @Test("works at every place for an expression")
    func everywhere() async {
        #expect(Holder.pattern.matches("STATIC"))
        #expect(Holder().pattern.matches("stored"))
        #expect(byDefault().matches("default"))
        #expect("2024".isYear && !"24".isYear)
        #expect(inGenericCode(1).matches("2024"))
        #expect(await Task { #pattern("task") }.value.matches("task"))
        let requirement = Requirement<String>.matches(#pattern("[a-z]+")).because("Lower case")
        #expect(requirement.evaluate("A") == .failed(reason: Reason(message: "Lower case")))
        #expect(
            Requirement<String>.matches(#pattern("a", options: .search)).check
                == .matches(pattern: "a", options: .search))
    }

    @Test("is compiled once, for any number of uses")
    func once() async {
        let patterns = await withTaskGroup(of: Pattern.self) { group in
            for index in 0..<200 {
                group.addTask { index.isMultiple(of: 2) ? #pattern("[0-9a-f]{8}") : inGenericCode(index) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(patterns.count == 200)
        #expect(Set(patterns.map(ObjectIdentifier.init)).count == 2)
        var seen: Set<ObjectIdentifier> = []
        for _ in 0..<3 { seen.insert(ObjectIdentifier(#pattern("loop"))) }
        #expect(seen.count == 1)
        #expect(inGenericCode(1) === inGenericCode("a"))
    }
}
