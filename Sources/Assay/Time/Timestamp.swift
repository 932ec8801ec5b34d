internal import CAssaySystem

/// A point in time in UTC, from the year 1 to 9999, with nanoseconds: the value of `now()` in row rules.
///
///     var options = CleanerOptions()
///     options.now = Timestamp("2024-02-29T12:30:00Z")
///
/// Its text is RFC 3339. Equal points in time are equal, whatever the offset of their text.
public struct Timestamp: Hashable, Comparable, Sendable, LosslessStringConvertible {
    package let time: CELTime

    package init(_ time: CELTime) { self.time = time }

    /// Creates a timestamp from a text of RFC 3339 with an offset, such as `2024-02-29T12:30:00.25+01:00`. Returns
    /// `nil` for other texts, for years outside 1 to 9999 in UTC, and for more than nine decimal places.
    public init?(_ text: String) {
        guard let time = CELTime(timestamp: text.utf8) else { return nil }
        self.time = time
    }

    /// Creates a timestamp from the time since 1970-01-01T00:00:00Z, without leap seconds. Returns `nil` for years
    /// outside 1 to 9999.
    ///
    /// - Parameter nanoseconds: From 0 to 999,999,999. Added to the seconds, also for times before 1970.
    public init?(secondsSince1970 seconds: Int64, nanoseconds: Int32 = 0) {
        guard (0..<1_000_000_000).contains(nanoseconds) else { return nil }
        time = CELTime(seconds: seconds, nanoseconds: nanoseconds)
        if !time.isTimestamp { return nil }
    }

    /// Reads the clock of the system.
    public static func now() -> Timestamp {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let time = CELTime(seconds: Int64(now.tv_sec), nanoseconds: Int32(now.tv_nsec))
        // A clock that is set to another year than these has no meaning for rules, but must not stop a program.
        return Timestamp(time.isTimestamp ? time : CELTime(seconds: 0))
    }

    /// The fixed value of `now()` for the current task or thread; `nil`: the clock.
    ///
    ///     Timestamp.$fixed.withValue(Timestamp("2024-02-29T12:30:00Z")) { booking.evaluate(value) }
    ///
    /// Single values and bulk calls use it. A run over files has ``CleanerOptions/now``, which takes precedence.
    @TaskLocal public static var fixed: Timestamp?

    /// The value of `now()` for an evaluation that begins here.
    package static var current: Timestamp { fixed ?? now() }

    /// The number of seconds since 1970-01-01T00:00:00Z, rounded down.
    public var secondsSince1970: Int64 { time.seconds }

    /// The nanoseconds after the second, from 0 to 999,999,999.
    public var nanoseconds: Int32 { time.nanoseconds }

    /// The text in UTC, with as many decimal places of the second as necessary: `2024-02-29T11:30:00.25Z`.
    public var description: String { time.timestampText }

    public static func < (one: Timestamp, other: Timestamp) -> Bool {
        (one.time.seconds, one.time.nanoseconds) < (other.time.seconds, other.time.nanoseconds)
    }
}

/// A function of row rules that returns the time of the run.
package enum CELClock: String, Hashable, Sendable, CaseIterable {
    /// The time at which the run started.
    case now
    /// Midnight in UTC of that day.
    case today

    /// The value in a run that started at a time.
    func value(at now: Timestamp) -> CELTime {
        switch self {
        case .now: now.time
        case .today: CELTime(seconds: now.time.seconds - floorDivided(now.time.seconds, by: 86_400).remainder)
        }
    }
}
