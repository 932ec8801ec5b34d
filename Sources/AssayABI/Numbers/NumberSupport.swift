internal import Assay

/// The numbers of a column whose texts are of a field's type, as far as the type of the column implies it.
struct NumberSupport {
    /// The numbers whose texts are of the type, if they are whole or need not be.
    let ordinals: ClosedRange<Int128>
    /// Whether only whole numbers are of the type.
    let mustBeWhole: Bool
    /// Whether the values of the field have an order, which is the order of the numbers.
    let isOrdered: Bool

    /// `nil` for types and formats that do not cover all usual values of the column.
    init?(of type: ValueType, _ column: NumberColumn) {
        let all = column.domain.ordinals
        switch (column.format, type.kind) {
        case (_, .any) where type.format == nil, (_, .string) where type.format == nil || type.format == "default":
            self.init(all)
        case (.integer, .integer), (.integer, .number): self.init(all, isOrdered: true)
        case (.integer, .year):
            // Years have four digits.
            guard all.contains(9999) else { return nil }
            self.init(1000...9999, isOrdered: true)
        case (.float, .number): self.init(all, isOrdered: true)
        case (.float, .integer): self.init(all, mustBeWhole: true, isOrdered: true)
        case (.decimal, .number): self.init(all, isOrdered: true)
        case (.decimal(let scale, _), .integer) where scale <= 0: self.init(all, isOrdered: true)
        case (.date32, _), (.date64, _), (.timestamp, _), (.time, _):
            guard type.format == nil || type.format == "default",
                let ordinals = Self.usualTimes(column.format, type.kind)
            else { return nil }
            self.init(ordinals.clamped(to: all), isOrdered: true)
        default: return nil
        }
    }

    private init(_ ordinals: ClosedRange<Int128>, mustBeWhole: Bool = false, isOrdered: Bool = false) {
        (self.ordinals, self.mustBeWhole, self.isOrdered) = (ordinals, mustBeWhole, isOrdered)
    }

    /// The counts of the years 1 to 9998, which have four digits in every time zone, or of the units of a day.
    private static func usualTimes(_ format: ArrowFormat, _ kind: ValueType.Kind) -> ClosedRange<Int128>? {
        let first = Int128(Moment.days(year: 1, month: 1, day: 1))
        let last = Int128(Moment.days(year: 9998, month: 12, day: 31))
        func counts(perDay: Int128) -> ClosedRange<Int128> { first * perDay...(last + 1) * perDay - 1 }
        switch format {
        case .date32 where [.date, .datetime, .year, .yearmonth].contains(kind): return counts(perDay: 1)
        case .date64 where [.date, .datetime, .year, .yearmonth].contains(kind): return counts(perDay: 86_400_000)
        case .timestamp(let unit, _) where kind == .datetime: return counts(perDay: 86_400 * Int128(unit.perSecond))
        case .time(let unit, _) where kind == .time: return 0...86_400 * Int128(unit.perSecond) - 1
        default: return nil
        }
    }
}
