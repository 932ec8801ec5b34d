/// A value that the cell of a file can hold, and so a rule file can judge: its text, as a cell would have it.
///
///     true.cellText           // true
///     Double.nan.cellText     // NaN
///
/// Types of one's own may join, such as a date that is written `2024-02-29`. An enumeration has nothing to add:
///
///     enum Plan: String, CellValue { case free, team }
public protocol CellValue: RuleValue, Sendable {
    /// What the text is as a type of rule files: what ranges and lists of values are compared as.
    static var cellType: ValueType { get }

    var cellText: String { get }
}

extension String: CellValue {
    public static var cellType: ValueType { .string }
    public var cellText: String { self }
}

extension Substring: CellValue {
    public static var cellType: ValueType { .string }
    public var cellText: String { String(self) }
}

extension Bool: CellValue {
    public static var cellType: ValueType { .boolean }
    public var cellText: String { self ? "true" : "false" }
}

extension CellValue where Self: FixedWidthInteger {
    public static var cellType: ValueType { .integer }
    public var cellText: String { String(self) }
}

extension Int: CellValue {}
extension Int8: CellValue {}
extension Int16: CellValue {}
extension Int32: CellValue {}
extension Int64: CellValue {}
extension Int128: CellValue {}
extension UInt: CellValue {}
extension UInt8: CellValue {}
extension UInt16: CellValue {}
extension UInt32: CellValue {}
extension UInt64: CellValue {}
extension UInt128: CellValue {}

extension CellValue where Self: BinaryFloatingPoint {
    public static var cellType: ValueType { .number }
    public var cellText: String {
        // XML Schema's names, which Table Schema takes over; the shortest decimal that means this number otherwise.
        isNaN ? "NaN" : isInfinite ? (self < 0 ? "-INF" : "INF") : "\(self)"
    }
}

extension Double: CellValue {}
extension Float: CellValue {}

extension CellValue where Self: RawRepresentable, RawValue: CellValue {
    public static var cellType: ValueType { RawValue.cellType }
    public var cellText: String { rawValue.cellText }
}

/// The text of a value of any type, where it is one that a cell can hold.
func cellText(_ value: some Any) -> String? { (value as? any CellValue)?.cellText }
