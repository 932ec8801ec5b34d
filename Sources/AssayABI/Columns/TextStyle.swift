internal import Assay

/// The text form of a field's values that are not text, as in a file for the same rules.
///
///     {type: date, format: "%d/%m/%Y"}     19782 days       →  29/02/2024
///     {type: number, decimalChar: ","}     1.5              →  1,5
///     {type: boolean, trueValues: [ja]}    true             →  ja
///
/// The same rules therefore give the same verdicts for a table and for a file with its values.
struct TextStyle {
    let type: ValueType

    /// A writer for the values of an Arrow array, or `nil` if rules cannot check them.
    ///
    /// - Parameter start: the row of the buffer that is row 0.
    func writer(_ format: ArrowFormat, _ base: UnsafeRawPointer, start: Int) -> (any ValueWriter)? {
        switch format {
        case .boolean:
            return BooleanWriter(
                bits: Bitmap(bytes: base.assumingMemoryBound(to: UInt8.self), offset: start), spellings: spellings)
        case .integer(let integer): return writer(integer, base, start)
        case .float(let bits):
            return FloatWriter(
                base: base + start * bits / 8, width: bits == 16 ? .half : bits == 32 ? .single : .double,
                dropsZeroFraction: type.kind == .integer, decimalPoint: decimalPoint)
        case .decimal(let scale, let bits):
            return DecimalWriter(
                base: base + start * bits / 8, bits: bits, scale: scale,
                dropsZeroFraction: type.kind == .integer, decimalPoint: decimalPoint)
        case .date32:
            return TimeWriter(base: base + 4 * start, count: .days, form: form(hasTime: false))
        case .date64:
            return TimeWriter(base: base + 8 * start, count: .millisecondsOfDays, form: form(hasTime: false))
        case .time(let unit, let bits):
            return TimeWriter(
                base: base + start * bits / 8, count: .sinceMidnight(perSecond: unit.perSecond, bits: bits),
                form: form(hasDay: false))
        case .timestamp(let unit, let zone):
            return TimeWriter(
                base: base + 8 * start,
                count: .sinceEpoch(perSecond: unit.perSecond, zone: ZoneOffsets(named: zone) ?? .utc),
                form: form(isZoned: !zone.isEmpty))
        case .null, .text32, .text64, .textView, .structure, .runs, .other: return nil
        }
    }

    private func writer(_ integer: ArrowInteger, _ base: UnsafeRawPointer, _ start: Int) -> any ValueWriter {
        switch integer {
        case .int8: IntegerWriter<Int8>(base: base + start)
        case .uint8: IntegerWriter<UInt8>(base: base + start)
        case .int16: IntegerWriter<Int16>(base: base + 2 * start)
        case .uint16: IntegerWriter<UInt16>(base: base + 2 * start)
        case .int32: IntegerWriter<Int32>(base: base + 4 * start)
        case .uint32: IntegerWriter<UInt32>(base: base + 4 * start)
        case .int64: IntegerWriter<Int64>(base: base + 8 * start)
        case .uint64: IntegerWriter<UInt64>(base: base + 8 * start)
        }
    }

    private var spellings: (no: String, yes: String) {
        guard type.kind == .boolean else { return ("false", "true") }
        return (type.falseValues?.first ?? "false", type.trueValues?.first ?? "true")
    }

    private var decimalPoint: String { type.kind == .number ? type.decimalChar ?? "." : "." }

    private func form(hasDay: Bool = true, hasTime: Bool = true, isZoned: Bool = false) -> TimeForm {
        TimeForm(type, hasDay: hasDay, hasTime: hasTime, isZoned: isZoned)
    }
}
