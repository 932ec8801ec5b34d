internal import CAssaySystem

/// The offsets of a time zone from UTC, at any moment.
///
///     ZoneOffsets(named: "Europe/Berlin")?.seconds(at: 1_709_164_800)   // 3600: the clocks show an hour more than UTC
///     ZoneOffsets(named: "+05:30")                                      // always 19,800
///
/// Named zones come from the system's database, `$TZDIR` or `/usr/share/zoneinfo`.
///
/// Source: RFC 8536 (TZif); POSIX.1-2017, 8.3 (the rule at its end); Arrow's Schema.fbs (names of zones).
package struct ZoneOffsets: Sendable {
    /// The moments at which offsets start to apply, in seconds since 1970, ascending.
    private var starts: [Int64] = []
    /// The offsets, one more than starts: the first applies before all starts.
    private var offsets: [Int64] = [0]
    /// The rule for moments after the last start, if the file has one.
    private var rule: YearlyRule?

    package static let utc = ZoneOffsets()

    /// Returns `nil` for a name that the system does not know.
    ///
    /// - Complexity: Reads one file of a few kilobytes.
    package init?(named name: String) {
        if ["", "UTC", "Etc/UTC", "Z"].contains(name) { return }
        if let seconds = Self.fixed(name) {
            offsets = [seconds]
            return
        }
        guard let bytes = Self.file(name), let parsed = TZif(bytes) else { return nil }
        (starts, offsets) = (parsed.starts, parsed.offsets)
        rule = YearlyRule(parsed.footer)
    }

    private init() {}

    /// The offset of local time from UTC at a moment, in seconds.
    ///
    /// - Complexity: O(log *t*) for *t* changes of the offset, some 200.
    package func seconds(at moment: Int64) -> Int64 {
        if let rule, moment >= starts.last ?? .min { return rule.seconds(at: moment) }
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= moment { low = middle + 1 } else { high = middle }
        }
        return offsets[low]
    }

    /// A fixed offset such as `+05:30` or `-08:00`, in seconds.
    private static func fixed(_ name: String) -> Int64? {
        let bytes = Array(name.utf8)
        guard bytes.count == 6, bytes[3] == UInt8(ascii: ":"),
            bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
            [1, 2, 4, 5].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[$0]) })
        else { return nil }
        func pair(_ at: Int) -> Int64 { Int64(bytes[at] - 48) * 10 + Int64(bytes[at + 1] - 48) }
        guard pair(1) < 24, pair(4) < 60 else { return nil }
        return (bytes[0] == UInt8(ascii: "-") ? -60 : 60) * (60 * pair(1) + pair(4))
    }

    /// The contents of the zone's file. The name is input data, so it must not refer to a file outside the folder.
    private static func file(_ name: String) -> [UInt8]? {
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard name.utf8.count <= 64, !parts.contains(where: { $0.isEmpty || $0.first == UInt8(ascii: ".") }),
            name.utf8.allSatisfy({ $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "\\") })
        else { return nil }
        let folder = getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
        let descriptor = open(folder + "/" + name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= 1 << 20 else {
            return nil
        }
        return [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { bytes, count in
            count = max(0, read(descriptor, bytes.baseAddress, bytes.count))
        }
    }
}

/// A parsed zone file.
private struct TZif {
    var starts: [Int64] = []
    var offsets: [Int64] = []
    var footer: Substring = ""

    /// Returns `nil` if the bytes are not a TZif file.
    init?(_ bytes: [UInt8]) {
        func integer(_ at: Int, _ count: Int) -> Int64 {
            bytes[at..<at + count].reduce(bytes[at] >= 128 ? -1 : 0) { $0 << 8 | Int64($1) }
        }
        /// The counts of transitions and types in a header, and the end of its data.
        func header(_ at: Int, width: Int) -> (times: Int, types: Int, end: Int)? {
            guard at + 44 <= bytes.count, bytes[at..<at + 4].elementsEqual("TZif".utf8) else { return nil }
            let counts = (0..<6).map { integer(at + 20 + 4 * $0, 4) }
            guard counts.allSatisfy({ 0...100_000 ~= $0 }), counts[4] > 0 else { return nil }
            let (utc, standard, leaps) = (Int(counts[0]), Int(counts[1]), Int(counts[2]))
            let (times, types, characters) = (Int(counts[3]), Int(counts[4]), Int(counts[5]))
            let end = at + 44 + times * (width + 1) + types * 6 + characters + leaps * (width + 4) + standard + utc
            return end <= bytes.count ? (times, types, end) : nil
        }
        guard let first = header(0, width: 4) else { return nil }
        let hasWide = bytes[4] >= UInt8(ascii: "2")
        let (at, width) = hasWide ? (first.end, 8) : (0, 4)
        guard let (times, types, end) = header(at, width: width) else { return nil }
        let indices = at + 44 + times * width
        let records = indices + times
        let typeOffsets = (0..<types).map { integer(records + 6 * $0, 4) }
        starts = (0..<times).map { integer(at + 44 + $0 * width, width) }
        let used = bytes[indices..<records].map(Int.init)
        guard used.allSatisfy({ $0 < types }), zip(starts, starts.dropFirst()).allSatisfy({ $0 < $1 }) else {
            return nil
        }
        offsets = [typeOffsets[0]] + used.map { typeOffsets[$0] }
        if hasWide, end + 1 < bytes.count {
            footer = String(decoding: bytes[(end + 1)...], as: UTF8.self).prefix { $0 != "\n" }
        }
    }
}

/// The offsets of all later years, from a rule such as `CET-1CEST,M3.5.0,M10.5.0/3`.
private struct YearlyRule: Sendable {
    /// A day of each year.
    private enum Day {
        /// A weekday from 0 for Sunday, in a week of a month; week 5 is the last one.
        case weekday(month: Int64, week: Int64, day: Int64)
        /// The day of the year from 1, without 29 February.
        case julian(Int64)
        /// The day of the year from 0.
        case ordinal(Int64)
    }

    private let standard: Int64
    private var summer: (offset: Int64, start: (day: Day, time: Int64), end: (day: Day, time: Int64))?

    /// Returns `nil` if the text is not such a rule.
    init?(_ text: Substring) {
        var rest = text[...]
        guard Self.skipName(&rest), let offset = Self.time(&rest) else { return nil }
        standard = -offset
        if rest.isEmpty { return }
        guard Self.skipName(&rest) else { return nil }
        var daylight = standard + 3600
        if let first = rest.first, first != "," {
            guard let offset = Self.time(&rest) else { return nil }
            daylight = -offset
        }
        guard let start = Self.change(&rest), let end = Self.change(&rest), rest.isEmpty else { return nil }
        summer = (daylight, start, end)
    }

    func seconds(at moment: Int64) -> Int64 {
        // Beyond this, sums would overflow, so standard time applies.
        guard let summer, moment.magnitude < 1 << 62 else { return standard }
        let year = Moment(days: floorDivided(moment + standard, by: 86_400).quotient, parts: 0, perSecond: 1).civil.year
        let start = Self.seconds(of: summer.start, year) - standard
        let end = Self.seconds(of: summer.end, year) - summer.offset
        // In the southern hemisphere, summer time spans the end of the year.
        let isSummer = start < end ? start <= moment && moment < end : !(end <= moment && moment < start)
        return isSummer ? summer.offset : standard
    }

    private static func seconds(of change: (day: Day, time: Int64), _ year: Int64) -> Int64 {
        let january = Moment.days(year: year, month: 1, day: 1)
        let days =
            switch change.day {
            case .ordinal(let day): january + day
            case .julian(let day): january + day - 1 + (day >= 60 && Moment.isLeap(year) ? 1 : 0)
            case .weekday(let month, let week, let day):
                { () -> Int64 in
                    let first = Moment.days(year: year, month: month, day: 1)
                    let next = month == 12 ? first + 31 : Moment.days(year: year, month: month + 1, day: 1)
                    var found = first + floorDivided(day - floorDivided(first + 4, by: 7).remainder, by: 7).remainder
                    found += 7 * (week - 1)
                    while found >= next { found -= 7 }
                    return found
                }()
            }
        return 86_400 * days + change.time
    }

    /// Skips a name such as `CET` or `<+03>`.
    private static func skipName(_ text: inout Substring) -> Bool {
        if text.first == "<" {
            guard let end = text.firstIndex(of: ">") else { return false }
            text = text[text.index(after: end)...]
            return true
        }
        let name = text.prefix { $0.isASCII && $0.isLetter }
        text = text[name.endIndex...]
        return name.count >= 3
    }

    /// Parses a time such as `-1`, `3` or `+5:30`, in seconds.
    private static func time(_ text: inout Substring) -> Int64? {
        let isNegative = text.first == "-"
        if isNegative || text.first == "+" { text.removeFirst() }
        var (seconds, unit): (Int64, Int64) = (0, 3600)
        repeat {
            guard let part = number(&text) else { return nil }
            seconds += part * unit
            unit /= 60
        } while unit > 0 && skip(":", &text)
        return isNegative ? -seconds : seconds
    }

    /// Parses a change such as `,M10.5.0/3`.
    private static func change(_ text: inout Substring) -> (day: Day, time: Int64)? {
        guard skip(",", &text) else { return nil }
        let day: Day
        if skip("M", &text) {
            guard let month = number(&text), skip(".", &text), let week = number(&text), skip(".", &text),
                let weekday = number(&text), 1...12 ~= month, 1...5 ~= week, 0...6 ~= weekday
            else { return nil }
            day = .weekday(month: month, week: week, day: weekday)
        } else {
            let isJulian = skip("J", &text)
            guard let number = number(&text), number <= 366 else { return nil }
            day = isJulian ? .julian(number) : .ordinal(number)
        }
        guard skip("/", &text) else { return (day, 7200) }
        guard let time = time(&text) else { return nil }
        return (day, time)
    }

    private static func number(_ text: inout Substring) -> Int64? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        text = text[digits.endIndex...]
        return digits.count <= 4 ? Int64(digits) : nil
    }

    private static func skip(_ character: Character, _ text: inout Substring) -> Bool {
        guard text.first == character else { return false }
        text.removeFirst()
        return true
    }
}
