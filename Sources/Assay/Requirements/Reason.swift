/// Why a value is not what it should be.
///
///     Requirement<String>.notEmpty().evaluate("")     // .failed(reason: Reason(message: "String is empty"))
///
/// Two reasons are equal when their code and message are. What a reason knows besides (the stable name of the rule, its
/// parameters, the place in a nested value) rides along.
///
/// A reason holds no value of the data.
public struct Reason: Error, Sendable, CustomStringConvertible {
    /// The code of reasons that were not given one.
    public static let defaultCode = "requirement_failed"

    /// For programs: which kind of failure this is.
    public var code: String

    /// For people.
    public var message: String

    /// The stable name of the built-in rule that failed, such as `string.minLength`; `nil` for rules of one's own.
    public var rule: String?

    /// What the rule was given, such as `min` = 8.
    public var parameters: [String: Parameter]

    /// Where in a nested value: `items[3].price`. Empty for the value itself.
    public var path: ValuePath

    /// Whether the value was not proved wrong: a limit was hit, or a pattern does not compile. Never a pass.
    public var isUndecided: Bool

    public init(code: String = Reason.defaultCode, message: String) {
        self.code = code
        self.message = message
        rule = nil
        parameters = [:]
        path = ValuePath()
        isUndecided = false
    }

    /// A parameter of a rule, as it goes into messages and reports.
    public enum Parameter: Hashable, Sendable, CustomStringConvertible {
        case integer(Int)
        case number(Double)
        case text(String)

        public var description: String {
            switch self {
            case .integer(let value): String(value)
            case .number(let value): value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : "\(value)"
            case .text(let value): value
            }
        }
    }

    /// `[code] message`
    public var description: String { "[\(code)] \(message)" }
}

extension Reason: Hashable {
    public static func == (one: Reason, other: Reason) -> Bool {
        one.code == other.code && one.message == other.message
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
    }
}

/// The place of a value inside another: the names of fields and the indices of elements.
public struct ValuePath: Hashable, Sendable, Codable, CustomStringConvertible {
    public enum Step: Hashable, Sendable, Codable {
        case field(String)
        case index(Int)
    }

    public var steps: [Step]

    public init(_ steps: [Step] = []) { self.steps = steps }

    /// `items[3].price`
    public var description: String {
        steps.enumerated().map { position, step in
            switch step {
            case .field(let name): position == 0 ? name : "." + name
            case .index(let index): "[\(index)]"
            }
        }.joined()
    }
}
