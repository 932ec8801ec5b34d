/// The syntax of an expression, before type checking.
///
///     end >= start
///
///     binary(>=) ─┬─ name(end)
///                 └─ name(start)
struct CELSyntax {
    let form: Form
    /// The place in the text, in bytes.
    let range: Range<Int>
    /// The height of the tree, this node included.
    let height: Int

    /// The construct and its parts.
    indirect enum Form {
        case literal(CELValue)
        /// A single name. If it is rooted, as in `.x`, it is not the variable of a macro.
        case name(String, isRooted: Bool)
        /// `operand.field`
        case select(CELSyntax, CELName)
        /// `operand[index]`
        case index(CELSyntax, CELSyntax)
        /// `function(arguments)`
        case call(CELName, [CELSyntax])
        /// `receiver.function(arguments)`
        case method(CELSyntax, CELName, [CELSyntax])
        case list([CELSyntax])
        case not(CELSyntax, at: Range<Int>)
        case negate(CELSyntax, at: Range<Int>)
        case binary(CELOperator, at: Range<Int>, CELSyntax, CELSyntax)
        /// `condition ? first : second`
        case conditional(CELSyntax, at: Range<Int>, CELSyntax, CELSyntax)
        /// A feature of CEL that row rules do not support.
        case unsupported(CELRefusal)
    }

    /// The maximum height: 200 operators in a row, one comparison, and a name. CEL requires 24 operators in a row and
    /// 12 nested parentheses, lists or calls. The checker and the interpreter have the same recursion depth.
    static let maxHeight = 202
}

/// A name and its place.
struct CELName {
    let text: String
    let range: Range<Int>
}

/// An operator between two values.
enum CELOperator: String {
    case or = "||"
    case and = "&&"
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case contained = "in"
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case modulo = "%"

    /// The precedence; operators with higher values bind more tightly.
    var precedence: Int {
        switch self {
        case .or: 0
        case .and: 1
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .contained: 2
        case .add, .subtract: 3
        case .multiply, .divide, .modulo: 4
        }
    }

    /// The function of the operator.
    var function: CELFunction {
        switch self {
        case .or: .or
        case .and: .and
        case .equal: .equal
        case .notEqual: .notEqual
        case .less: .less
        case .lessOrEqual: .lessOrEqual
        case .greater: .greater
        case .greaterOrEqual: .greaterOrEqual
        case .contained: .contained
        case .add: .add
        case .subtract: .subtract
        case .multiply: .multiply
        case .divide: .divide
        case .modulo: .modulo
        }
    }
}
