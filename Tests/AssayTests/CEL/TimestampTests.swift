import Assay
import Testing

private struct Visit: RuleRecord, Sendable {
    var at: Instant
    static let members = [Member("at", \.at)]
}

private struct Instant: CellConvertible, Sendable {
    var text: String
    static var cellType: ValueType { ValueType(.datetime) }
    var cellText: String { text }
}

@Suite("The time of a run") struct TimestampTests {
    private static let noon = Timestamp("2024-02-29T12:30:00Z")!

    @Test(
        "texts are RFC 3339",
        arguments: [
            ("2024-02-29T12:30:00Z", "2024-02-29T12:30:00Z"),
            ("2024-02-29T13:30:00.250+01:00", "2024-02-29T12:30:00.25Z"),
            ("0001-01-01T00:00:00.000000001Z", "0001-01-01T00:00:00.000000001Z"), ("1969-12-31T23:59:59.5Z", nil),
        ])
    func texts(text: String, written: String?) throws {
        let time = try #require(Timestamp(text))
        #expect(time.description == written ?? text)
        #expect(Timestamp(secondsSince1970: time.secondsSince1970, nanoseconds: time.nanoseconds) == time)
    }

    @Test(arguments: ["", "2024-02-29", "2024-02-29T12:30:00", "2023-02-29T12:30:00Z", "0001-01-01T00:00:00+01:00"])
    func noTimes(text: String) { #expect(Timestamp(text) == nil) }

    @Test func numbersOutsideTheRange() {
        #expect(Timestamp(secondsSince1970: 0, nanoseconds: -1) == nil)
        #expect(Timestamp(secondsSince1970: 0, nanoseconds: 1_000_000_000) == nil)
        #expect(Timestamp(secondsSince1970: 253_402_300_800) == nil)
        #expect(Timestamp(secondsSince1970: -62_135_596_801) == nil)
        #expect(Timestamp(secondsSince1970: -1, nanoseconds: 999_999_999)! < Timestamp(secondsSince1970: 0)!)
    }

    @Test("a requirement reads the clock, or has a fixed time")
    func requirement() throws {
        let past = try Requirement<Visit>(cel: "at <= now()")
        let (then, later) = (Visit(at: Instant(text: "2024-02-29T12:30:00Z")), Instant(text: "9999-12-31T00:00:00Z"))
        #expect(past.evaluate(then).isConfirmed && !past.evaluate(Visit(at: later)).isConfirmed)
        for (now, isConfirmed) in [(Self.noon, true), (Timestamp("2024-02-29T12:29:59.999999999Z")!, false)] {
            Timestamp.$fixed.withValue(now) {
                #expect(past.evaluate(then).isConfirmed == isConfirmed)
                let mask = past.verdicts(for: Array(repeating: then, count: 10_000), threads: 2)
                #expect(mask.failedCount == (isConfirmed ? 0 : 10_000))
            }
        }
    }

    @Test("all values of a bulk call have one time")
    func bulk() throws {
        let begin = Timestamp.now()
        let visits = (0..<20_000).map { step in
            let nanoseconds = Int64(begin.nanoseconds) + 20_000 * Int64(step)
            let time = Timestamp(
                secondsSince1970: begin.secondsSince1970 + nanoseconds / 1_000_000_000,
                nanoseconds: Int32(nanoseconds % 1_000_000_000))!
            return Visit(at: Instant(text: time.description))
        }
        let mask = try Requirement<Visit>(cel: "at <= now()").verdicts(for: visits, threads: 2)
        let failed = Array(mask.indices(of: .fail))
        #expect(failed.count < 20_000 && failed == Array(20_000 - failed.count..<20_000))
    }

    @Test("all rules of a record, and of a body of JSON, have one time")
    func rules() throws {
        let schema = Schema(
            fields: [Field(name: "at", type: .datetime)],
            rows: (0..<20).map { RowRule(id: "r\($0)", check: $0 % 2 == 0 ? "at < now()" : "at >= now()") })
        let record = try Requirement<[String: String]>(schema)
        let body = try schema.compiled()
        // The reasons are those of one half, at any time.
        for step in 0..<200 {
            let now = Timestamp.now()
            #expect(record.failures(in: ["at": "\(now)"]).count == 10, "\(step)")
            #expect(body.failures(inJSON: #"{"at": "\#(now)"}"#).count == 10, "\(step)")
        }
        Timestamp.$fixed.withValue(Self.noon) {
            #expect(record.failures(in: ["at": "2024-02-29T12:30:00Z"]).map(\.code).contains("r0"))
            #expect(body.failures(inJSON: #"{"at": "2024-02-29T12:29:59Z"}"#).count == 10)
        }
    }
}
