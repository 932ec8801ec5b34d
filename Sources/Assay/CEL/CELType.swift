/// The types of the Common Expression Language that row rules have.
///
/// Source: cel-spec, "Values". There are no `uint`, `bytes`, maps and messages; a `double` is a decimal number here.
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
    /// What the elements of `[]` are: any type will do.
    case nothing

    /// As it is called in messages.
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

/// A column that an expression may name.
package struct CELVariable: Hashable, Sendable {
    /// The name of the field: `price`, or in `row["unit price"]` any text.
    package let name: String
    package let type: CELType

    package init(_ name: String, _ type: CELType) { (self.name, self.type) = (name, type) }
}
