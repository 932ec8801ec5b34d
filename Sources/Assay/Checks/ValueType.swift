/// The type of a cell's text: a Table Schema type with its format.
///
///     {type: number, decimalChar: ","}      ValueType(.number, decimalChar: ",")
///     {type: date, format: "%d/%m/%Y"}      ValueType(.date, format: "%d/%m/%Y")
///
/// A description: plain data. Equal descriptions behave alike, because their texts are compared byte by byte.
/// Source: Table Schema v2, "Field Types" (<https://datapackage.org/standard/table-schema/>).
public struct ValueType: Hashable, Sendable {
    /// The types of cells.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// Any text.
        case any
        /// Text, optionally of a built-in type.
        case string
        /// An integer of any length.
        case integer
        /// A decimal number of any length, with an optional exponent; `NaN`, `INF` and `-INF` are numbers.
        case number
        /// True or false.
        case boolean
        /// A day of the calendar.
        case date
        /// A time of day.
        case time
        /// A date and a time of day, with an optional zone.
        case datetime
        /// A year of four digits.
        case year
        /// A month of a year.
        case yearmonth
        /// A duration of ISO 8601.
        case duration
        /// Several values of one type, separated by a delimiter.
        case list
        /// A JSON array.
        case array
        /// A JSON object.
        case object
    }

    /// The type without its format.
    public var kind: Kind

    /// The format. For strings: a ``BuiltInType`` with its options, such as `email` or `phone region=GB`. For dates and
    /// times: a strptime-like format, such as `%d/%m/%Y`. For any: `json`, which accepts objects and arrays in JSON
    /// Lines. `nil` means the standard's default format.
    public var format: String?

    /// The decimal separator of numbers. The default is `.`.
    public var decimalChar: String?

    /// The separator of digit groups in integers and numbers. The default is no separator.
    public var groupChar: String?

    /// Whether integers and numbers must not have surrounding text. `false` allows text such as `€` or `%`.
    public var isBareNumber: Bool

    /// The spellings of true. The default is `true True TRUE 1`.
    public var trueValues: [String]?
    /// The spellings of false. The default is `false False FALSE 0`.
    public var falseValues: [String]?

    /// The type of list items, one of ``itemKinds`` in its default format. The default is strings.
    public var itemType: Kind?
    /// The delimiter between list items, at most 16 bytes. The default is a comma.
    public var delimiter: String?

    /// A type with its format. Whether the properties are compatible is checked when the schema is compiled.
    ///
    /// - Parameters:
    ///   - kind: The type.
    ///   - format: See ``format``.
    ///   - decimalChar: The decimal separator of numbers; `nil` means a point.
    ///   - groupChar: The separator of digit groups; `nil` means no separator.
    ///   - isBareNumber: `false` allows text around integers and numbers.
    ///   - trueValues: The spellings of true; `nil` means the default.
    ///   - falseValues: The spellings of false; `nil` means the default.
    ///   - itemType: The type of list items; `nil` means strings.
    ///   - delimiter: The delimiter between list items, at most 16 bytes; `nil` means a comma.
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

    /// The code of rules for the type, as in `email.format`.
    package var ruleCode: String { kind == .string ? "format" : "type" }

    /// Any text. In JSON Lines a string, a number or a Boolean, and with the format `json` any value.
    public static let any = ValueType(.any)
    /// A string without a format: any text.
    public static let string = ValueType(.string)
    /// An integer of any length, such as `-17`.
    public static let integer = ValueType(.integer)
    /// A decimal number of any length, such as `-1.5e3`, `NaN` or `INF`.
    public static let number = ValueType(.number)
    /// A Boolean, in one of the spellings of true and false.
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
    /// A list of strings, separated by commas, such as `a,b`. The empty text has no items.
    public static let list = ValueType(.list)
    /// A JSON array, such as `[1, "a"]`.
    public static let array = ValueType(.array)
    /// A JSON object, such as `{"a": 1}`.
    public static let object = ValueType(.object)

    /// The types of list items. Source: Table Schema v2, `itemType`.
    public static let itemKinds: [Kind] = [.string, .integer, .boolean, .number, .datetime, .date, .time]

    /// Whether every JSON value has this type.
    package var isAnyJSON: Bool { kind == .any && format == "json" }

    /// Whether values have items or members, which length rules then count.
    package var hasMembers: Bool { [.list, .array, .object].contains(kind) }
}
