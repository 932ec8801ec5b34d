/// A value that the cell of a file can hold, and so a rule file can judge: its text, as a cell would have it.
///
///     true.cellText           // true
///     Double.nan.cellText     // NaN
///
/// Types of one's own may join, such as a date that is written `2024-02-29`. An enumeration has nothing to add:
///
///     enum Plan: String, CellConvertible { case free, team }
public protocol CellConvertible: RuleCodable, Sendable {
    /// What the text is as a type of rule files: what ranges and lists of values are compared as.
    static var cellType: ValueType { get }

    /// The value as a cell of a CSV file would have it.
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
    /// The decimal digits, with a minus where the integer is negative.
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
        // XML Schema's names, which Table Schema takes over; the shortest decimal that means this number otherwise.
        isNaN ? "NaN" : isInfinite ? (self < 0 ? "-INF" : "INF") : "\(self)"
    }
}

extension Double: CellConvertible {}
extension Float: CellConvertible {}

extension CellConvertible where Self: RawRepresentable, RawValue: CellConvertible {
    public static var cellType: ValueType { RawValue.cellType }
    /// The cell of the raw value.
    public var cellText: String { rawValue.cellText }
}

/// The text of a value of any type, where it is one that a cell can hold.
func cellText(_ value: some Any) -> String? { (value as? any CellConvertible)?.cellText }
