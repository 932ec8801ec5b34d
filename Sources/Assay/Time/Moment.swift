/// The quotient rounded down, and the remainder, which is never negative.
package func floorDivided(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
}

/// A day and a time of day.
package struct Moment {
    /// The number of days since 1970-01-01.
    package let days: Int64
    package let seconds: Int64
    package let nanoseconds: Int64
    /// The offset from UTC, in seconds. It must be a whole number of minutes.
    package let offset: Int64

    /// - Parameter parts: Units since midnight. Values outside a day, which are negative or too large, are kept.
    package init(days: Int64, parts: Int64, perSecond: Int64, offset: Int64 = 0) {
        self.days = days
        self.offset = offset
        let (seconds, rest) = floorDivided(parts, by: perSecond)
        self.seconds = seconds
        nanoseconds = rest * (1_000_000_000 / perSecond)
    }

    /// Whether the time of day is midnight.
    package var isMidnight: Bool { seconds == 0 && nanoseconds == 0 }

    /// Year, month and day in the Gregorian calendar.
    ///
    /// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days.
    package var civil: (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let (era, dayOfEra) = floorDivided(shifted, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        return (yearOfEra + era * 400 + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9, day)
    }

    /// The day of the year, from 1.
    package var dayOfYear: Int64 { days - Self.days(year: civil.year, month: 1, day: 1) + 1 }

    /// Whether a year has 366 days.
    package static func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    /// The number of days from 1970-01-01 to a day in the Gregorian calendar.
    ///
    /// Source: as for ``civil``, days_from_civil.
    package static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let (era, yearOfEra) = floorDivided(month <= 2 ? year - 1 : year, by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The weekday, from 0 for Sunday.
    package var weekday: Int { Int(floorDivided(days + 4, by: 7).remainder) }
}
