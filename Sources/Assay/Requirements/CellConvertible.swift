/// A value that has a text form in the cells of files, so that rule files can check it.
///
///     true.cellText           // true
///     Double.nan.cellText     // NaN
///
/// You can add conformances, such as for a date that is written `2024-02-29`. An enumeration needs no members:
///
///     enum Plan: String, CellConvertible { case free, team }
public protocol CellConvertible: RuleCodable, Sendable {
    /// The rule file type as which ranges and lists compare the text.
    static var cellType: ValueType { get }

    /// The value as the text of a CSV cell.
    var cellText: String { get }
}

extension String: CellConvertible {
    public static var cellType: ValueType { .string }
    /// The string itself.
    public var cellText: String { self }
}

extension Substring: CellConvertible {
    public static var cellType: ValueType { .string }
    /// A copy of the text.
    public var cellText: String { String(self) }
}

extension Bool: CellConvertible {
    public static var cellType: ValueType { .boolean }
    /// `true` or `false`.
    public var cellText: String { self ? "true" : "false" }
}

extension CellConvertible where Self: FixedWidthInteger {
    public static var cellType: ValueType { .integer }
    /// The decimal digits, with a minus sign if the integer is negative.
    public var cellText: String { String(self) }
}

extension Int: CellConvertible {}
extension Int8: CellConvertible {}
extension Int16: CellConvertible {}
extension Int32: CellConvertible {}
extension Int64: CellConvertible {}
extension Int128: CellConvertible {}
extension UInt: CellConvertible {}
extension UInt8: CellConvertible {}
extension UInt16: CellConvertible {}
extension UInt32: CellConvertible {}
extension UInt64: CellConvertible {}
extension UInt128: CellConvertible {}

extension CellConvertible where Self: BinaryFloatingPoint {
    public static var cellType: ValueType { .number }
    /// The shortest digits that give the same number, or `NaN`, `INF`, `-INF`.
    public var cellText: String {
        // NaN and the infinities have XML Schema's names, which Table Schema also uses.
        isNaN ? "NaN" : isInfinite ? (self < 0 ? "-INF" : "INF") : "\(self)"
    }
}

extension Double: CellConvertible {}
extension Float: CellConvertible {}

extension CellConvertible where Self: RawRepresentable, RawValue: CellConvertible {
    public static var cellType: ValueType { RawValue.cellType }
    /// The cell text of the raw value.
    public var cellText: String { rawValue.cellText }
}

/// The cell text of a value; `nil` if its type is not ``CellConvertible``.
func cellText(_ value: some Any) -> String? { (value as? any CellConvertible)?.cellText }
