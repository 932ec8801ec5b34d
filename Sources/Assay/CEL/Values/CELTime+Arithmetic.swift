extension CELTime {
    private static let perSecond: Int32 = 1_000_000_000

    /// 0001-01-01T00:00:00Z.
    private static let firstSecond: Int64 = -62_135_596_800
    /// 9999-12-31T23:59:59Z.
    private static let lastSecond: Int64 = 253_402_300_799

    /// Whether the time is in the range of CEL's timestamps, the years 1 to 9999.
    package var isTimestamp: Bool { Self.firstSecond <= seconds && seconds <= Self.lastSecond }

    /// Whether the time is in the range of CEL's durations: nanoseconds of 64 bits, about 292 years.
    package var isDuration: Bool { totalNanoseconds != nil }

    /// The nanoseconds of a duration; `nil` if they do not fit 64 bits.
    package var totalNanoseconds: Int64? {
        Int64(exactly: Int128(seconds) * Int128(Self.perSecond) + Int128(nanoseconds))
    }

    /// A duration in nanoseconds.
    init(nanoseconds total: Int64) {
        let (seconds, rest) = floorDivided(total, by: Int64(Self.perSecond))
        self.init(seconds: seconds, nanoseconds: Int32(rest))
    }

    /// The sum, if its seconds fit 64 bits. The caller must check that it is a valid timestamp or duration.
    package func adding(_ other: CELTime) -> CELTime? {
        let nanoseconds = self.nanoseconds + other.nanoseconds
        let carry: Int64 = nanoseconds >= Self.perSecond ? 1 : 0
        let (sum, overflow) = seconds.addingReportingOverflow(other.seconds)
        let (seconds, carried) = sum.addingReportingOverflow(carry)
        return overflow || carried
            ? nil : CELTime(seconds: seconds, nanoseconds: nanoseconds - Int32(carry) * Self.perSecond)
    }

    /// The difference, under the conditions of ``adding(_:)``.
    package func subtracting(_ other: CELTime) -> CELTime? {
        let nanoseconds = self.nanoseconds - other.nanoseconds
        let borrow: Int64 = nanoseconds < 0 ? 1 : 0
        let (difference, overflow) = seconds.subtractingReportingOverflow(other.seconds)
        let (seconds, borrowed) = difference.subtractingReportingOverflow(borrow)
        return overflow || borrowed
            ? nil : CELTime(seconds: seconds, nanoseconds: nanoseconds + Int32(borrow) * Self.perSecond)
    }
}

extension CELTime: Comparable {
    package static func < (first: CELTime, second: CELTime) -> Bool {
        (first.seconds, first.nanoseconds) < (second.seconds, second.nanoseconds)
    }
}
