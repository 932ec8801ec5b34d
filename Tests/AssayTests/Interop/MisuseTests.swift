import Assay
import Testing

@Suite("A caller's mistake ends the process with a message")
struct MisuseTests {
    private func standardError(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test("a pattern that does not compile")
    func literal() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Pattern.literal("(")
        }
        #expect(
            standardError(result).contains("the pattern ( does not compile: missing closing parenthesis at offset 1"))
    }

    @Test("a mask of other values")
    func mask() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Pattern.literal("a").verdicts(for: ["a", "b"]).partition(["a"])
        }
        #expect(standardError(result).contains("2 values were judged, not 1"))
    }

    @Test("a place outside of a mask")
    func place() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Pattern.literal("a").verdicts(for: ["a", "b"])[2]
        }
        #expect(standardError(result).contains("index 2 is outside 0..<2"))
    }

    @Test("a format that does not exist")
    func format() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Requirement<String>.format("emial")
        }
        #expect(standardError(result).contains("no built-in type is called 'emial'; did you mean 'email'?"))
    }

    @Test("a cache without capacity")
    func cache() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = PatternCache(capacity: 0)
        }
        #expect(standardError(result).contains("a cache holds at least one pattern, not 0"))
    }
}
