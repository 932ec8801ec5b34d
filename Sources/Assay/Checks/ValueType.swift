/// What the text of a cell is meant to be: a Table Schema type with its format.
///
///     {type: number, decimalChar: ","}      ValueType(.number, decimalChar: ",")
///     {type: date, format: "%d/%m/%Y"}      ValueType(.date, format: "%d/%m/%Y")
///
/// A description: plain data, and two equal ones behave alike: texts in them are compared byte by byte.
/// Source: Table Schema v2, "Field Types" (<https://datapackage.org/standard/table-schema/>).
public struct ValueType: Hashable, Sendable, Codable {
    /// The types a cell can hold.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// Any text.
        case any
        /// Text, perhaps of a built-in type.
        case string
        /// An integer of any length.
        case integer
        /// A decimal number of any length, with an optional exponent; also `NaN`, `INF` and `-INF`.
        case number
        /// True or false.
        case boolean
        /// A day of the calendar.
        case date
        /// A time of day.
        case time
        /// A date and a time of day, perhaps with a zone.
        case datetime
        /// A year of four digits.
        case year
        /// A month of a year.
        case yearmonth
        /// A duration of ISO 8601.
        case duration
        /// Several values of one type, with a delimiter between them.
        case list
        /// An array of JSON.
        case array
        /// An object of JSON.
        case object
    }

    /// The type without its format.
    public var kind: Kind

    /// Strings: a ``BuiltInType`` with its options, such as `email` or `phone region=GB`. Dates and times: strptime-like, such as `%d/%m/%Y`.
    /// Any: `json`, which in JSON Lines takes objects and arrays.
    /// `nil`: the standard's default form.
    public var format: String?

    /// The decimal separator of numbers, by default `.`.
    public var decimalChar: String?

    /// The separator of digit groups of integers and numbers, by default none.
    public var groupChar: String?

    /// Whether integers and numbers stand alone. `false` allows text such as `€` or `%` around them.
    public var isBareNumber: Bool

    /// The spellings of true, by default `true True TRUE 1`.
    public var trueValues: [String]?
    /// The spellings of false, by default `false False FALSE 0`.
    public var falseValues: [String]?

    /// What the items of a list are, by default strings: one of ``itemKinds``, each in its default form.
    public var itemType: Kind?
    /// What stands between the items of a list, by default a comma.
    public var delimiter: String?

    /// A type with its format. Whether the parts go together is checked when the schema is compiled.
    ///
    /// - Parameters:
    ///   - kind: the type.
    ///   - format: see ``format``.
    ///   - decimalChar: the decimal separator of numbers; `nil`: a point.
    ///   - groupChar: the separator of digit groups; `nil`: none.
    ///   - isBareNumber: `false` allows text around integers and numbers.
    ///   - trueValues: the spellings of true; `nil`: the default ones.
    ///   - falseValues: the spellings of false; `nil`: the default ones.
    ///   - itemType: what the items of a list are; `nil`: strings.
    ///   - delimiter: what stands between the items of a list, at most 16 bytes; `nil`: a comma.
    public init(
        _ kind: Kind, format: String? = nil, decimalChar: String? = nil, groupChar: String? = nil,
        isBareNumber: Bool = true, trueValues: [String]? = nil, falseValues: [String]? = nil,
        itemType: Kind? = nil, delimiter: String? = nil
    ) {
        self.kind = kind
        self.format = format
        self.decimalChar = decimalChar
        self.groupChar = groupChar
        self.isBareNumber = isBareNumber
        self.trueValues = trueValues
        self.falseValues = falseValues
        self.itemType = itemType
        self.delimiter = delimiter
    }

    /// What rules about the type are called, as in `email.format`.
    package var ruleCode: String { kind == .string ? "format" : "type" }

    /// Any text. In JSON Lines a string, a number, true or false, and with the format `json` every value.
    public static let any = ValueType(.any)
    /// A string without a format: any text.
    public static let string = ValueType(.string)
    /// An integer of any length, such as `-17`.
    public static let integer = ValueType(.integer)
    /// A decimal number of any length, such as `-1.5e3`, `NaN` or `INF`.
    public static let number = ValueType(.number)
    /// A Boolean, `true` or `false` in one of their spellings.
    public static let boolean = ValueType(.boolean)
    /// A date, `YYYY-MM-DD`.
    public static let date = ValueType(.date)
    /// A time, `hh:mm:ss` with an optional fraction.
    public static let time = ValueType(.time)
    /// A date and time, `YYYY-MM-DDThh:mm:ss` with an optional fraction and zone.
    public static let datetime = ValueType(.datetime)
    /// A year, `YYYY`.
    public static let year = ValueType(.year)
    /// A month of a year, `YYYY-MM`.
    public static let yearmonth = ValueType(.yearmonth)
    /// A duration of ISO 8601, such as `P1Y2M` or `PT36H`.
    public static let duration = ValueType(.duration)
    /// A list of strings with commas between them, such as `a,b`. The empty text has no items.
    public static let list = ValueType(.list)
    /// An array of JSON, such as `[1, "a"]`.
    public static let array = ValueType(.array)
    /// An object of JSON, such as `{"a": 1}`.
    public static let object = ValueType(.object)

    /// What the items of a list can be. Source: Table Schema v2, `itemType`.
    public static let itemKinds: [Kind] = [.string, .integer, .boolean, .number, .datetime, .date, .time]

    /// Whether every value of JSON is of this type.
    package var isAnyJSON: Bool { kind == .any && format == "json" }

    /// Whether values have items or members, which are what lengths count.
    package var hasMembers: Bool { [.list, .array, .object].contains(kind) }
}
