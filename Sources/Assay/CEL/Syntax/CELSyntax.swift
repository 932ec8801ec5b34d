/// An expression as it is written, before anything is known of its types.
///
///     end >= start
///
///     binary(>=) ─┬─ name(end)
///                 └─ name(start)
struct CELSyntax {
    let form: Form
    /// Bytes of the text.
    let range: Range<Int>
    /// How many of them are one in the other, this one included.
    let height: Int

    /// What is written, and its parts.
    indirect enum Form {
        case literal(CELValue)
        /// A name by itself; after a point, as in `.x`, it is not that of a macro's variable.
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
        /// What CEL has and row rules have not.
        case unsupported(CELRefusal)
    }

    /// The deepest expression: 200 operators in a row, their comparison with something, and a name. CEL asks for 24 operators in a row and 12 parentheses, lists or calls inside one another; the
    /// checker and the interpreter go down as many calls.
    static let maxHeight = 202
}

/// A name, and where it stands.
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

    /// How tightly it binds.
    var precedence: Int {
        switch self {
        case .or: 0
        case .and: 1
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .contained: 2
        case .add, .subtract: 3
        case .multiply, .divide, .modulo: 4
        }
    }

    /// What it does.
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
