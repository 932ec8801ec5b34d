import Assay
import Testing

@Suite("CEL: functions of strings")
struct CELStringTests {
    private static let variables = [CELVariable("s", .string), CELVariable("t", .string), CELVariable("u", .string)]

    @Test("agree with arrays of code points, for random texts", arguments: 0..<4 as Range<UInt64>)
    func agreement(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func text(_ count: Int) -> String {
            let letters: [Character] = ["a", "b", "Ž", "\u{10400}", " ", "\u{2003}", "A"]
            return String(
                (0..<Int.random(in: 0...count, using: &random)).map { _ in letters.randomElement(using: &random)! })
        }
        func index() -> Int { Int.random(in: -1...6, using: &random) }
        for _ in 0..<(runsSlowTests ? 400 : 150) {
            let (s, t, u) = (text(8), text(2), text(2))
            let (plain, part, new) = (PlainText(s), PlainText(t), PlainText(u))
            let (first, second) = (index(), index())
            let cases: [(String, CELValue?)] = [
                ("s.charAt(\(first))", plain.slice(first, first == plain.count ? first : first + 1)),
                ("s.substring(\(first))", plain.slice(first, plain.count)),
                ("s.substring(\(first), \(second))", plain.slice(first, second)),
                ("s.indexOf(t)", plain.indices(of: part).first.map { .int(Int64($0)) } ?? .int(-1)),
                ("s.lastIndexOf(t)", plain.indices(of: part).last.map { .int(Int64($0)) } ?? .int(-1)),
                ("s.indexOf(t, \(first))", plain.found(plain.indices(of: part).first { $0 >= first }, first)),
                ("s.lastIndexOf(t, \(first))", plain.found(plain.indices(of: part).last { $0 <= first }, first)),
                ("s.replace(t, u)", plain.replacing(part, by: new, limit: .max).value),
                ("s.replace(t, u, \(first))", plain.replacing(part, by: new, limit: first < 0 ? .max : first).value),
                ("s.split(t)", .list(plain.split(by: part, limit: .max).map(\.value))),
                ("s.split(t, \(first))", .list(plain.split(by: part, limit: first < 0 ? .max : first).map(\.value))),
                ("s.split(t).join(t)", plain.count == 0 && part.count == 0 ? .string("") : .string(s)),
                (
                    "s.trim()",
                    .string(String(s.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()))
                ),
                ("s.lowerAscii()", .string(s.replacing("A", with: "a"))),
                ("s.upperAscii()", .string(s.replacing("a", with: "A").replacing("b", with: "B"))),
                ("s.reverse()", .string(String(s.reversed()))),
            ]
            for (expression, expected) in cases {
                let program = try CELProgram(compiling: expression, variables: Self.variables, mustBe: nil)
                let outcome = program.outcome { .value(.string([s, t, u][$0])) }
                #expect(outcome == expected.map { .value($0) } ?? .undecided, "\(expression) of \([s, t, u])")
            }
        }
    }

    @Test(
        "take work and memory in proportion to their texts",
        arguments: [
            "s.replace('a', t)", "s.split('')", "s.split('').join(t)", "s.replace('', s)",
            "s.reverse() + s.lowerAscii()",
            "s.split('').map(x, s.indexOf(x + 'b'))", "s.split('').sort().distinct()",
        ])
    func budgets(expression: String) throws {
        let program = try CELProgram(compiling: expression, variables: Self.variables, mustBe: nil)
        let texts = [String(repeating: "a", count: 1 << 17), String(repeating: "b", count: 1 << 12), ""]
        for maxBytes in [1 << 16, 1 << 20, 1 << 24] {
            var interpreter = CELInterpreter(program: program, maxBytes: maxBytes)
            let outcome = interpreter.outcome { index, budget in
                budget.holdText(texts[index].utf8.count) ? .value(.string(texts[index])) : .undecided
            }
            #expect(interpreter.budget.peak <= maxBytes && interpreter.budget.steps <= CELBudget.maxSteps)
            if maxBytes == 1 << 16 { #expect(outcome == .exhausted(.memory)) }
        }
    }
}

/// A text as an array of code points, with the functions in their simplest form.
private struct PlainText {
    private let scalars: [Unicode.Scalar]

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    private init(_ scalars: some Sequence<Unicode.Scalar>) { self.scalars = Array(scalars) }

    var count: Int { scalars.count }

    var value: CELValue { .string(String(String.UnicodeScalarView(scalars))) }

    func slice(_ start: Int, _ end: Int) -> CELValue? {
        0 <= start && start <= end && end <= count ? PlainText(scalars[start..<end]).value : nil
    }

    /// The indices at which a part starts, which may overlap.
    func indices(of part: PlainText) -> [Int] {
        (0...count).filter { scalars[$0...].starts(with: part.scalars) }
    }

    /// The result of a search that starts at an index.
    func found(_ place: Int?, _ index: Int) -> CELValue? {
        0 <= index && index <= count ? .int(Int64(place ?? -1)) : nil
    }

    /// The parts between separators, of which the last one is the rest of the text.
    func split(by separator: PlainText, limit: Int) -> [PlainText] {
        if limit == 0 || count == 0 && separator.count == 0 { return [] }
        let cut = indices(of: separator).first { separator.count > 0 || ($0 > 0 && $0 < count) }
        guard limit > 1, let cut else { return [self] }
        let rest = PlainText(scalars[(cut + separator.count)...])
        return [PlainText(scalars[..<cut])] + rest.split(by: separator, limit: limit - 1)
    }

    /// The text with the first parts replaced.
    func replacing(_ part: PlainText, by new: PlainText, limit: Int) -> PlainText {
        guard limit > 0, let cut = indices(of: part).first else { return self }
        let after = cut + max(part.count, 1)
        let kept = part.count == 0 ? Array(scalars.prefix(1)) : []
        if after > count { return PlainText(scalars[..<cut] + new.scalars + scalars[cut...].dropFirst(part.count)) }
        let rest = PlainText(scalars[after...]).replacing(part, by: new, limit: limit - 1)
        return PlainText(scalars[..<cut] + new.scalars + kept + rest.scalars)
    }
}
