import Assay
import Testing

@Suite("CEL: timestamps and durations")
struct CELTimeTests {
    @Test(
        "timestamps",
        arguments: [
            ("1970-01-01T00:00:00Z", 0, 0, "1970-01-01T00:00:00Z"),
            ("2009-02-13T23:31:30Z", 1_234_567_890, 0, "2009-02-13T23:31:30Z"),
            ("2009-02-14T00:31:30+01:00", 1_234_567_890, 0, "2009-02-13T23:31:30Z"),
            ("2009-02-13T20:01:30.250-03:30", 1_234_567_890, 250_000_000, "2009-02-13T23:31:30.25Z"),
            ("1969-12-31T23:59:59.5Z", -1, 500_000_000, "1969-12-31T23:59:59.5Z"),
            ("0001-01-01T00:00:00Z", -62_135_596_800, 0, "0001-01-01T00:00:00Z"),
            ("9999-12-31T23:59:59.999999999Z", 253_402_300_799, 999_999_999, "9999-12-31T23:59:59.999999999Z"),
            ("2024-02-29T12:00:00Z", 1_709_208_000, 0, "2024-02-29T12:00:00Z"),
        ] as [(String, Int64, Int32, String)])
    func timestamps(text: String, seconds: Int64, nanoseconds: Int32, written: String) {
        let time = CELTime(timestamp: text.utf8)
        #expect(time == CELTime(seconds: seconds, nanoseconds: nanoseconds))
        #expect(time?.timestampText == written)
    }

    @Test(
        "no timestamps",
        arguments: [
            "", "2024-02-29", "2024-02-29T12:00:00", "2024-02-29 12:00:00Z", "2024-02-30T12:00:00Z",
            "2023-02-29T12:00:00Z", "2024-00-10T12:00:00Z", "2024-13-10T12:00:00Z", "2024-04-31T12:00:00Z",
            "2024-02-29T24:00:00Z", "2024-02-29T12:60:00Z", "2024-02-29T12:00:60Z", "2024-02-29t12:00:00z",
            "2024-02-29T12:00:00.Z", "2024-02-29T12:00:00.1234567890Z", "2024-02-29T12:00:00+0100",
            "2024-02-29T12:00:00+24:00", "2024-02-29T12:00:00+01:60", "2024-02-29T12:00:00Zx", "0000-12-31T23:59:59Z",
            "10000-01-01T00:00:00Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", " 2024-02-29T12:00:00Z",
        ])
    func noTimestamps(text: String) { #expect(CELTime(timestamp: text.utf8) == nil) }

    @Test(
        "durations",
        arguments: [
            ("0", 0, "0s"), ("1h30m", 5_400_000_000_000, "5400s"), ("1.5s", 1_500_000_000, "1.5s"),
            ("-1.5h", -5_400_000_000_000, "-5400s"), ("+100ms", 100_000_000, "0.1s"), ("5us", 5_000, "0.000005s"),
            ("5µs", 5_000, "0.000005s"), ("1ns", 1, "0.000000001s"), (".5s", 500_000_000, "0.5s"),
            ("1s1s", 2_000_000_000, "2s"), ("0.4ns", 0, "0s"), ("-250ms", -250_000_000, "-0.25s"),
            ("9223372036.854775807s", .max, "9223372036.854775807s"),
            ("-9223372036.854775808s", .min, "-9223372036.854775808s"),
        ] as [(String, Int64, String)])
    func durations(text: String, nanoseconds: Int64, written: String) {
        let time = CELTime(duration: text.utf8)
        #expect(time?.totalNanoseconds == nanoseconds)
        #expect(time?.durationText == written)
    }

    @Test(
        "no durations",
        arguments: [
            "", "1", "s", "-", "1 h", "1h 30m", "1d", "1e3s", "--1s", "9223372036.854775808s", "320000000000s", ".s",
            "1.2.3s", String(repeating: "1s", count: 200),
        ])
    func noDurations(text: String) { #expect(CELTime(duration: text.utf8) == nil) }

    @Test("sums and differences carry")
    func arithmetic() {
        let (half, second) = (CELTime(seconds: 0, nanoseconds: 500_000_000), CELTime(seconds: 1))
        #expect(half.adding(half) == second)
        #expect(half.subtracting(second) == CELTime(seconds: -1, nanoseconds: 500_000_000))
        #expect(CELTime(seconds: .max).adding(second) == nil)
        #expect(CELTime(seconds: .min).subtracting(second) == nil)
        #expect(CELTime(seconds: -1, nanoseconds: 500_000_000) < CELTime(seconds: 0))
    }

    @Test(
        "parts in time zones",
        arguments: [
            ("UTC", [2009, 1, 13, 12, 5, 43, 23, 31, 30, 250]), ("+05:45", [2009, 1, 14, 13, 6, 44, 5, 16, 30, 250]),
            ("-23:59", [2009, 1, 12, 11, 4, 42, 23, 32, 30, 250]),
        ] as [(String, [Int64])])
    func parts(zone: String, expected: [Int64]) throws {
        let time = CELTime(seconds: 1_234_567_890, nanoseconds: 250_999_999)
        let offsets = try #require(ZoneOffsets(named: zone))
        #expect(CELTimePart.allCases.map { time.part($0, in: offsets) } == expected)
    }

    @Test("parts of a duration are totals, but for its milliseconds")
    func partsOfDurations() throws {
        let time = try #require(CELTime(duration: "-26h3m4.567s".utf8))
        #expect(time.part(ofDuration: .getHours) == -26)
        #expect(time.part(ofDuration: .getMinutes) == -1563)
        #expect(time.part(ofDuration: .getSeconds) == -93_784)
        #expect(time.part(ofDuration: .getMilliseconds) == -567)
        #expect(time.part(ofDuration: .getMonth) == nil)
    }
}
