import Testing

@testable import Assay

/// Compares `dialect: .icu` with ICU on random patterns.
struct ICUAgreementTests {
    @Test("generated patterns agree with ICU, or are refused", .needsPCRE2)
    func agreement() {
        var generator = ICUPatternGenerator(seed: 2024)
        var (pairs, passed) = (0, 0)
        let count = runsSlowTests ? 2_500 : 800
        for _ in 0..<count {
            let (source, values) = generator.next(values: 20)
            let icu = ICUEngine(source)
            guard let pattern = try? Pattern(source, dialect: .icu) else { continue }
            guard let icu else {
                Issue.record("ICU refuses \(source.debugDescription)")
                continue
            }
            for value in values {
                let verdict = pattern.verdict(of: value)
                if verdict == .undecided { continue }
                let expected = icu.matches(value)
                pairs += 1
                passed += expected ? 1 : 0
                #expect(
                    (verdict == .pass) == expected,
                    "\(source.debugDescription) on \(value.debugDescription), which is \(pattern.pcre2Source)")
            }
        }
        #expect(pairs > 10 * count && passed > count * 3 / 5, "\(pairs) pairs, \(passed) of them matches")
    }
}
