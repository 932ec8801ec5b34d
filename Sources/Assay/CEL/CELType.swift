/// The types of the Common Expression Language that row rules support.
///
/// Source: cel-spec, "Values". `uint`, `bytes`, maps and messages are unsupported. A `double` is a decimal number here.
package indirect enum CELType: Hashable, Sendable {
    case bool
    /// 64 bits, signed.
    case int
    /// A decimal number (``CELNumber``).
    case number
    case string
    /// A point in time, in UTC.
    case timestamp
    case duration
    case list(CELType)
    /// The element type of `[]`, which is compatible with every type.
    case nothing

    /// The name in messages.
    package var name: String {
        switch self {
        case .bool: "bool"
        case .int: "int"
        case .number: "number"
        case .string: "string"
        case .timestamp: "timestamp"
        case .duration: "duration"
        case .list(let element): "list(\(element.name))"
        case .nothing: "nothing"
        }
    }
}

/// A column that an expression may refer to.
package struct CELVariable: Hashable, Sendable {
    /// The name of the field: `price`, or any text in `row["unit price"]`.
    package let name: String
    package let type: CELType

    package init(_ name: String, _ type: CELType) { (self.name, self.type) = (name, type) }
}
