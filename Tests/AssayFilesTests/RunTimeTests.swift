import Assay
import AssayFiles
import AssayRules
import Testing

@Suite("now() in a run over a table") struct RunTimeTests {
    private static let rules = """
        fields: [{name: at, type: datetime}]
        rows: [{id: past, check: at <= now()}]
        """

    @Test(
        "a given time is that of all records, for any number of threads and pieces",
        arguments: ["2024-02-29T12:30:00Z", "2024-02-29T12:30:00.5Z"])
    func given(text: String) throws {
        let table = "at\n" + (0..<20_000).map { "2024-02-29T12:30:0\($0 % 3).\($0 % 10)Z\n" }.joined()
        let now = try #require(Timestamp(text))
        let expected = (0..<20_000).filter { 10 * ($0 % 3) + $0 % 10 > (now.nanoseconds == 0 ? 0 : 5) }.count
        for count in [1, 2] {
            for piece in [4093, Int.max] {
                var options = threads(count)
                options.now = now
                let result = try clean(table, rules: Self.rules, piece: piece, options: options).result
                #expect(result.rejected == expected)
                #expect(result.now == now)
            }
        }
    }

    @Test("without a time it is that of the start; without a rule there is no time")
    func clock() throws {
        let begin = Timestamp.now()
        let now = try #require(try clean("at\n2024-02-29T12:30:00Z\n", rules: Self.rules).result.now)
        #expect(begin <= now && now <= Timestamp.now())
        #expect(
            try clean("at\n2024-02-29T12:30:00Z\n", rules: "fields: [{name: at, type: datetime}]").result.now == nil)
    }
}
