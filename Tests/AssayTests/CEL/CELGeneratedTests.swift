import Assay
import Testing

@Suite("CEL: generated expressions")
struct CELGeneratedTests {
    @Test(
        "compile and run without a trap, and give values of their type",
        arguments: 0..<(runsSlowTests ? 8 : 3) as Range<UInt64>)
    func run(seed: UInt64) throws {
        var generator = CELExpressionGenerator(seed: seed)
        var outcomes: [CELOutcome: Int] = [:]
        for _ in 0..<250 {
            let expression = generator.expression()
            do {
                let program = try CELProgram(compiling: expression, variables: celColumns)
                for _ in 0..<4 {
                    let row = generator.row()
                    outcomes[program.outcome { row[$0] }, default: 0] += 1
                }
            } catch {
                Issue.record("\(expression): \(error.message)")
            }
        }
        #expect(Set(outcomes.keys) == [.value(.bool(true)), .value(.bool(false)), .absent, .undecided])
        #expect(outcomes.values.allSatisfy { $0 > 20 }, "\(outcomes)")
    }

    @Test(
        "cut off or with a byte changed they compile, or have a mistake in the text", arguments: 0..<4 as Range<UInt64>)
    func damaged(seed: UInt64) {
        var generator = CELExpressionGenerator(seed: 100 + seed)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<250 {
            var bytes = Array(generator.expression(depth: 3).utf8)
            if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
            let place = Int.random(in: 0..<bytes.count, using: &random)
            bytes[place] = Array("()[]{}.,?:!-+*/%<>=&|'\"\\`x0u \u{1}".utf8).randomElement(using: &random)!
            let text = String(decoding: bytes, as: UTF8.self)
            do {
                let program = try CELProgram(compiling: text, variables: celColumns, mustBe: nil)
                let row = generator.row()
                _ = program.outcome { row[$0] }
            } catch {
                #expect(error.range.upperBound <= text.utf8.count && !error.message.isEmpty)
            }
        }
    }
}
