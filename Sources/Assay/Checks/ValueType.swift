/// What the text of a cell is meant to be: a Table Schema type with its format.
///
///     {type: number, decimalChar: ","}      ValueType(.number, decimalChar: ",")
///     {type: date, format: "%d/%m/%Y"}      ValueType(.date, format: "%d/%m/%Y")
///
/// A description: plain data, and two equal ones behave alike, unless texts in them are equal only as Unicode.
/// Source: Table Schema v2, "Field Types" (<https://datapackage.org/standard/table-schema/>).
public struct ValueType: Hashable, Sendable, Codable {
    /// The types a cell can hold.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        case any, string, integer, number, boolean, date, time, datetime, year, yearmonth, duration
    }

    public var kind: Kind

    /// Strings: a ``BuiltInType`` with its options, such as `email` or `phone region=GB`. Dates and times: strptime-like, such as `%d/%m/%Y`.
    /// `nil`: the standard's default form.
    public var format: String?

    /// The decimal separator of numbers, by default `.`.
    public var decimalChar: String?

    /// The separator of digit groups of integers and numbers, by default none.
    public var groupChar: String?

    /// Whether integers and numbers stand alone. `false` allows text such as `€` or `%` around them.
    public var isBareNumber: Bool

    /// The spellings of true and of false, by default `true True TRUE 1` and `false False FALSE 0`.
    public var trueValues: [String]?
    public var falseValues: [String]?

    public init(
        _ kind: Kind, format: String? = nil, decimalChar: String? = nil, groupChar: String? = nil,
        isBareNumber: Bool = true, trueValues: [String]? = nil, falseValues: [String]? = nil
    ) {
        self.kind = kind
        self.format = format
        self.decimalChar = decimalChar
        self.groupChar = groupChar
        self.isBareNumber = isBareNumber
        self.trueValues = trueValues
        self.falseValues = falseValues
    }

    /// What rules about the type are called, as in `email.format`.
    package var ruleCode: String { kind == .string ? "format" : "type" }

    public static let any = ValueType(.any)
    public static let string = ValueType(.string)
    public static let integer = ValueType(.integer)
    public static let number = ValueType(.number)
    public static let boolean = ValueType(.boolean)
    public static let date = ValueType(.date)
    public static let time = ValueType(.time)
    public static let datetime = ValueType(.datetime)
    public static let year = ValueType(.year)
    public static let yearmonth = ValueType(.yearmonth)
    public static let duration = ValueType(.duration)
}
