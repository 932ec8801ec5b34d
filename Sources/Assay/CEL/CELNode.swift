/// A type-checked expression, which the interpreter and the column evaluator run.
///
///     end >= start && size(name) > 0
///
///     and ─┬─ greaterOrEqual ─┬─ field(end)
///          │                  └─ field(start)
///          └─ greater ─┬─ size ── field(name)
///                      └─ literal(0)
package final class CELNode: Sendable {
    package let type: CELType
    /// The place in the text, in bytes.
    package let range: Range<Int>
    package let form: Form

    /// The operation and its operands.
    package indirect enum Form: Sendable {
        case literal(CELValue)
        /// A column, by its index in ``CELProgram/variables``.
        case field(Int)
        /// The current element of a macro, by the number of enclosing macros: 0 is the outermost.
        case local(Int)
        /// A function or an operator. The arguments must have exactly the types of its parameters.
        case call(CELFunction, [CELNode])
        case list([CELNode])
        /// Whether a column has a value.
        case has(Int)
        /// `now()` or `today()`, whose value is given with each run.
        case clock(CELClock)
        /// `list.all(x, body)` and the other macros. `list.map(x, body, map)` maps the elements for which the body is
        /// true.
        case macro(CELMacro, list: CELNode, local: Int, body: CELNode, map: CELNode?)
    }

    package init(_ form: Form, _ type: CELType, _ range: Range<Int>) {
        (self.form, self.type, self.range) = (form, type, range)
    }
}

/// The function of a call. The checker has verified the types of the arguments, and has wrapped an `int` that is
/// combined with a number in ``toNumber``.
package enum CELFunction: Hashable, Sendable {
    case and, or, not, conditional
    /// Compare two values of the same type.
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    /// Adds numbers, strings, lists or durations, or a timestamp and a duration, in this order.
    case add
    /// Subtracts numbers, durations or timestamps, or a duration from a timestamp.
    case subtract
    case multiply, divide
    /// The remainder of two ints.
    case modulo
    case negate
    /// Whether a value is in a list.
    case contained
    /// The element of a list at an int.
    case index
    /// The size of a string, in code points, or of a list.
    case size
    case startsWith, endsWith, contains
    /// Whether a string contains a match of a pattern, by its index in ``CELProgram/patterns``.
    case matches(Int)
    /// Whether a string has a format, by its index in ``CELProgram/formats``.
    case isFormat(Int)
    case text(CELStringFunction)
    case math(CELMathFunction)
    case lists(CELListFunction)
    case toInt, toNumber, toString, toBool, toTimestamp, toDuration
    /// A part of a duration or of a timestamp. A time zone is a literal, and its offsets are in ``CELProgram/zones``.
    case part(CELTimePart)
}

/// The parts of a timestamp or a duration: `getFullYear()` and similar functions.
package enum CELTimePart: String, Hashable, Sendable, CaseIterable {
    case getFullYear, getMonth, getDate, getDayOfMonth, getDayOfWeek, getDayOfYear
    case getHours, getMinutes, getSeconds, getMilliseconds
}

/// The macros that iterate over a list.
package enum CELMacro: String, Hashable, Sendable, CaseIterable {
    case all, exists
    case existsOne = "exists_one"
    case filter, map
}

/// An executable expression.
///
/// Immutable and shared freely between threads.
package struct CELProgram: Sendable {
    package let text: String
    package let root: CELNode
    package let variables: [CELVariable]
    /// The patterns of `matches`.
    package let patterns: [Pattern]
    /// The formats of `isFormat`.
    package let formats: [CompiledCheck]
    /// The time zones of `getHours("Europe/Berlin")` and similar calls, by their names in the text.
    package let zones: [String: ZoneOffsets]
    /// The indices of the variables in the expression, in ascending order.
    let fields: [Int]
    /// Whether the expression depends on the time of the run.
    package let usesNow: Bool

    package init(
        text: String, root: CELNode, variables: [CELVariable], patterns: [Pattern], formats: [CompiledCheck] = [],
        zones: [String: ZoneOffsets] = [:]
    ) {
        (self.text, self.root, self.variables) = (text, root, variables)
        (self.patterns, self.formats, self.zones) = (patterns, formats, zones)
        fields = root.fields.sorted()
        usesNow = root.usesNow
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
