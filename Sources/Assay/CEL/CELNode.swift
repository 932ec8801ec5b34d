/// An expression whose types have been checked: what the interpreter and the evaluator of columns run.
///
///     end >= start && size(name) > 0
///
///     and ─┬─ greaterOrEqual ─┬─ field(end)
///          │                  └─ field(start)
///          └─ greater ─┬─ size ── field(name)
///                      └─ literal(0)
package final class CELNode: Sendable {
    package let type: CELType
    /// Where in the text it stands, in bytes.
    package let range: Range<Int>
    package let form: Form

    /// What it does, and its parts.
    package indirect enum Form: Sendable {
        case literal(CELValue)
        /// A column, by its place among the variables.
        case field(Int)
        /// What a macro goes through, by how many macros are around it: 0 is the outermost.
        case local(Int)
        /// A function or an operator of arguments with these very types.
        case call(CELFunction, [CELNode])
        case list([CELNode])
        /// Whether a column has a value.
        case has(Int)
        /// `list.all(x, body)` and the like. Of `list.map(x, body, map)` the elements are mapped for which the body is true.
        case macro(CELMacro, list: CELNode, local: Int, body: CELNode, map: CELNode?)
    }

    package init(_ form: Form, _ type: CELType, _ range: Range<Int>) {
        (self.form, self.type, self.range) = (form, type, range)
    }
}

/// What a call does. The types of its arguments are those that the checker found; where an `int` met a number, it put a
/// ``toNumber`` around it.
package enum CELFunction: Hashable, Sendable {
    case and, or, not, conditional
    /// Of two values of one type.
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    /// Numbers, strings, lists, durations; a timestamp and a duration, in this order.
    case add
    /// Numbers, durations, timestamps; a timestamp and a duration.
    case subtract
    case multiply, divide
    /// Of ints.
    case modulo
    case negate
    /// A value and a list.
    case contained
    /// A list and an int.
    case index
    /// Of strings, in code points, and of lists.
    case size
    case startsWith, endsWith, contains
    /// A string in which the pattern is searched, by its place in ``CELProgram/patterns``.
    case matches(Int)
    case toInt, toNumber, toString, toBool, toTimestamp, toDuration
    /// Of a timestamp, and perhaps a time zone, a literal whose offsets are in ``CELProgram/zones``; or of a duration.
    case part(CELTimePart)
}

/// What `getFullYear()` and the like ask of a timestamp or a duration.
package enum CELTimePart: String, Hashable, Sendable, CaseIterable {
    case getFullYear, getMonth, getDate, getDayOfMonth, getDayOfWeek, getDayOfYear
    case getHours, getMinutes, getSeconds, getMilliseconds
}

/// The macros that go through a list.
package enum CELMacro: String, Hashable, Sendable, CaseIterable {
    case all, exists
    case existsOne = "exists_one"
    case filter, map
}

/// An expression that is ready to run.
///
/// Immutable and shared freely between threads.
package struct CELProgram: Sendable {
    package let text: String
    package let root: CELNode
    package let variables: [CELVariable]
    /// The patterns of `matches`.
    package let patterns: [Pattern]
    /// The time zones of `getHours("Europe/Berlin")` and the like, by the names that the text gives them.
    package let zones: [String: ZoneOffsets]
    /// The variables that it names, by their places, in order.
    let fields: [Int]

    package init(
        text: String, root: CELNode, variables: [CELVariable], patterns: [Pattern], zones: [String: ZoneOffsets] = [:]
    ) {
        (self.text, self.root, self.variables) = (text, root, variables)
        (self.patterns, self.zones) = (patterns, zones)
        fields = root.fields.sorted()
    }

    /// The place of a variable in ``fields``.
    ///
    /// - Complexity: O(log *n*).
    func place(ofField field: Int) -> Int {
        var range = 0..<fields.count
        while range.count > 1 {
            let middle = (range.lowerBound + range.upperBound) / 2
            range = field < fields[middle] ? range.lowerBound..<middle : middle..<range.upperBound
        }
        precondition(!range.isEmpty && fields[range.lowerBound] == field, "the program names the variable")
        return range.lowerBound
    }
}
