internal import Assay

/// Writes dates and times in a strptime-like format.
struct TimeWriter: ValueWriter, @unchecked Sendable {
    // SAFETY: the memory is only read, and only during the call that lent it.
    let base: UnsafeRawPointer

    /// The unit and origin of the numbers.
    enum Count {
        /// Days since 1970.
        case days
        /// Milliseconds since 1970 that are whole days.
        case millisecondsOfDays
        /// Fractions of a second since midnight, in 32 or 64 bits.
        case sinceMidnight(perSecond: Int64, bits: Int)
        /// Fractions of a second since 1970 in UTC, to be written in the local time of a zone.
        case sinceEpoch(perSecond: Int64, zone: ZoneOffsets)
    }

    let count: Count
    let form: TimeForm

    func append(_ row: Int, to text: inout TextBuffer) { form.append(moment(row), to: &text) }

    private func moment(_ row: Int) -> Moment {
        func wide() -> Int64 { base.loadUnaligned(fromByteOffset: 8 * row, as: Int64.self) }
        func narrow() -> Int64 { Int64(base.loadUnaligned(fromByteOffset: 4 * row, as: Int32.self)) }
        switch count {
        case .days: return Moment(days: narrow(), parts: 0, perSecond: 1)
        case .millisecondsOfDays:
            return Moment(days: floorDivided(wide(), by: 86_400_000).quotient, parts: 0, perSecond: 1)
        case .sinceMidnight(let perSecond, let bits):
            return Moment(days: 0, parts: bits == 32 ? narrow() : wide(), perSecond: perSecond)
        case .sinceEpoch(let perSecond, let zone):
            let (seconds, rest) = floorDivided(wide(), by: perSecond)
            var offset = zone.seconds(at: seconds)
            // Write UTC if the offset has seconds, as in local mean time, because RFC 3339, 4.2 does not allow them.
            // Also write UTC if the local time overflows 64 bits.
            if offset % 60 != 0 || seconds.addingReportingOverflow(offset).overflow { offset = 0 }
            let (days, time) = floorDivided(seconds + offset, by: 86_400)
            return Moment(days: days, parts: time * perSecond + rest, perSecond: perSecond, offset: offset)
        }
    }
}

/// The text form of a date or time.
struct TimeForm: Sendable {
    private enum Item: Sendable {
        case text(UInt8)
        case directive(UInt8)
        /// A point and the digits of the fraction without trailing zeros; empty if all digits are zero.
        case fraction
        /// `Z` or `+01:00`.
        case zone
    }

    private var items: [Item] = []
    /// The form for midnight if the field is a date.
    private var dayOnly: [Item]?

    /// - Parameters:
    ///   - type: the type of the field, with the format in files.
    ///   - hasDay, hasTime: the parts of the values.
    init(_ type: ValueType, hasDay: Bool, hasTime: Bool, isZoned: Bool) {
        if let format = type.format, format != "default", format != "any",
            [.date, .time, .datetime].contains(type.kind)
        {
            items = Self.items(format)
            return
        }
        switch (hasDay, hasTime) {
        case (true, false):
            switch type.kind {
            case .datetime: items = Self.items("%Y-%m-%dT00:00:00")
            case .yearmonth: items = Self.items("%Y-%m")
            case .year: items = Self.items("%Y")
            default: items = Self.items("%Y-%m-%d")
            }
        case (false, _): items = Self.items("%H:%M:%S") + [.fraction]
        case (true, true):
            items = Self.items("%Y-%m-%dT%H:%M:%S") + [.fraction] + (isZoned ? [.zone] : [])
            // Many data frames have only timestamps, and store a date as its midnight.
            let isNamedDate = type.kind == .string && type.format?.split(separator: " ").first == "date"
            if type.kind == .date || isNamedDate { dayOnly = Self.items("%Y-%m-%d") }
        }
    }

    private static func items(_ format: String) -> [Item] {
        var items: [Item] = []
        var bytes = format.utf8.makeIterator()
        while let byte = bytes.next() {
            guard byte == UInt8(ascii: "%"), let letter = bytes.next() else {
                items.append(.text(byte))
                continue
            }
            switch letter {
            case UInt8(ascii: "T"): items += Self.items("%H:%M:%S")
            case UInt8(ascii: "D"): items += Self.items("%m/%d/%y")
            case UInt8(ascii: "F"): items += Self.items("%Y-%m-%d")
            case UInt8(ascii: "R"): items += Self.items("%H:%M")
            case UInt8(ascii: "%"): items.append(.text(letter))
            default: items.append(.directive(letter))
            }
        }
        return items
    }

    func append(_ moment: Moment, to text: inout TextBuffer) {
        for item in moment.isMidnight ? dayOnly ?? items : items {
            switch item {
            case .text(let byte): text.append(byte)
            case .directive(let letter): Self.append(letter, moment, to: &text)
            case .fraction:
                guard moment.nanoseconds > 0 else { continue }
                text.append(UInt8(ascii: "."))
                var (digits, rest) = (9, moment.nanoseconds)
                while rest % 10 == 0 { (digits, rest) = (digits - 1, rest / 10) }
                text.append(decimal: rest, digits: digits)
            case .zone:
                if moment.offset == 0 {
                    text.append(UInt8(ascii: "Z"))
                } else {
                    Self.appendOffset(moment, ":", to: &text)
                }
            }
        }
    }

    private static func appendOffset(_ moment: Moment, _ separator: String, to text: inout TextBuffer) {
        text.append(UInt8(ascii: moment.offset < 0 ? "-" : "+"))
        text.append(decimal: abs(moment.offset) / 3600, digits: 2)
        text.append(separator)
        text.append(decimal: abs(moment.offset) / 60 % 60, digits: 2)
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

    private static func append(_ letter: UInt8, _ moment: Moment, to text: inout TextBuffer) {
        let hour = moment.seconds / 3600
        switch letter {
        case UInt8(ascii: "Y"): text.append(decimal: moment.civil.year, digits: 4)
        case UInt8(ascii: "y"): text.append(decimal: ((moment.civil.year % 100) + 100) % 100, digits: 2)
        case UInt8(ascii: "m"): text.append(decimal: moment.civil.month, digits: 2)
        case UInt8(ascii: "d"), UInt8(ascii: "e"): text.append(decimal: moment.civil.day, digits: 2)
        case UInt8(ascii: "j"): text.append(decimal: moment.dayOfYear, digits: 3)
        case UInt8(ascii: "H"): text.append(decimal: hour, digits: 2)
        case UInt8(ascii: "I"): text.append(decimal: (hour + 11) % 12 + 1, digits: 2)
        case UInt8(ascii: "p"): text.append(hour % 24 < 12 ? "AM" : "PM")
        case UInt8(ascii: "M"): text.append(decimal: moment.seconds / 60 % 60, digits: 2)
        case UInt8(ascii: "S"): text.append(decimal: moment.seconds % 60, digits: 2)
        case UInt8(ascii: "f"): text.append(decimal: moment.nanoseconds / 1000, digits: 6)
        case UInt8(ascii: "z"): appendOffset(moment, "", to: &text)
        case UInt8(ascii: "b"), UInt8(ascii: "h"): text.append(String(months[Int(moment.civil.month) - 1].prefix(3)))
        case UInt8(ascii: "B"): text.append(months[Int(moment.civil.month) - 1])
        case UInt8(ascii: "a"): text.append(String(weekdays[moment.weekday].prefix(3)))
        case UInt8(ascii: "A"): text.append(weekdays[moment.weekday])
        default: break
        }
    }
}
