extension CELTime {
    /// A part of a timestamp in a time zone.
    ///
    /// Months, days of the month except those of `getDate`, and days of the year count from 0. Weekdays count from
    /// Sunday.
    package func part(_ part: CELTimePart, in zone: ZoneOffsets = .utc) -> Int64 {
        let (days, second) = floorDivided(seconds + zone.seconds(at: seconds), by: 86_400)
        let day = Moment(days: days, parts: second, perSecond: 1)
        return switch part {
        case .getFullYear: day.civil.year
        case .getMonth: day.civil.month - 1
        case .getDate: day.civil.day
        case .getDayOfMonth: day.civil.day - 1
        case .getDayOfWeek: Int64(day.weekday)
        case .getDayOfYear: day.dayOfYear - 1
        case .getHours: second / 3600
        case .getMinutes: second / 60 % 60
        case .getSeconds: second % 60
        case .getMilliseconds: Int64(nanoseconds / 1_000_000)
        }
    }

    /// A part of a duration: all hours, minutes or seconds, but only the milliseconds within the second; `nil` for the
    /// other parts.
    package func part(ofDuration part: CELTimePart) -> Int64? {
        guard let total = totalNanoseconds else { return nil }
        return switch part {
        case .getHours: total / 3_600_000_000_000
        case .getMinutes: total / 60_000_000_000
        case .getSeconds: total / 1_000_000_000
        case .getMilliseconds: total % 1_000_000_000 / 1_000_000
        default: nil
        }
    }
}

extension CELTimePart {
    /// Whether durations have this part.
    var isOfDurations: Bool {
        switch self {
        case .getHours, .getMinutes, .getSeconds, .getMilliseconds: true
        default: false
        }
    }
}
