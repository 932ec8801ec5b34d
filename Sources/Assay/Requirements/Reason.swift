/// The reason why a value fails or is undecided.
///
///     Requirement<String>.notEmpty().evaluate("")     // .failed(reason: Reason(message: "String is empty"))
///
/// Two reasons are equal if their own codes and their messages are equal. Equality ignores the other properties: the
/// stable name of the rule, its parameters and the path in a nested value.
///
/// The reason of a built-in rule does not contain the checked value. Its message is rendered on access, in the
/// reader's language: ``message(in:)-(String)``.
public struct Reason: Error, Sendable, CustomStringConvertible {
    /// The code of reasons without a code of their own and without a rule.
    public static let defaultCode = "requirement_failed"

    /// The properties of a reason.
    struct Contents: Sendable {
        var code: String
        var text: Text
        var rule: String?
        var parameters: [String: Parameter] = [:]
        var path = ValuePath()
        var isUndecided = false
    }

    /// The source of the message.
    enum Text: Sendable {
        case given(String)
        /// The message with this key in a ``MessageCatalog``.
        case listed(String)
    }

    // A single reference, so that a reason and an `Evaluation` are one word: returning "confirmed" touches no memory,
    // and returning a failure that was made before does not allocate.
    private final class Storage: Sendable {
        let contents: Contents
        init(_ contents: Contents) { self.contents = contents }
    }

    private var storage: Storage

    init(_ contents: Contents) { storage = Storage(contents) }

    var contents: Contents {
        get { storage.contents }
        set { storage = Storage(newValue) }
    }

    /// A reason with a custom message.
    ///
    /// - Parameters:
    ///   - code: A stable name for programs, such as `password.leaked`.
    ///   - message: A sentence for people.
    public init(code: String = Reason.defaultCode, message: String) {
        self.init(Contents(code: code, text: .given(message)))
    }

    /// The kind of failure, for programs: the reason's own code, such as that of
    /// ``Requirement/because(code:message:)``, otherwise the ``rule``, otherwise ``defaultCode``.
    public var code: String {
        get { storage.contents.code == Self.defaultCode ? rule ?? Self.defaultCode : storage.contents.code }
        set { contents.code = newValue }
    }

    /// The message for people; in English for built-in rules.
    public var message: String {
        get { MessageCatalog.english.text(of: self) }
        set { contents.text = .given(newValue) }
    }

    /// The stable name of the failed rule, such as `string.minLength`; `nil` for an unnamed closure.
    public var rule: String? {
        get { storage.contents.rule }
        set { contents.rule = newValue }
    }

    /// The parameters of the rule, such as `min` = 8.
    public var parameters: [String: Parameter] {
        get { storage.contents.parameters }
        set { contents.parameters = newValue }
    }

    /// The path in a nested value, such as `items[3].price`. Empty for the value itself.
    public var path: ValuePath {
        get { storage.contents.path }
        set { contents.path = newValue }
    }

    /// Whether the value could not be checked, because a limit was reached or a pattern does not compile. Undecided
    /// values never pass.
    public var isUndecided: Bool {
        get { storage.contents.isUndecided }
        set { contents.isUndecided = newValue }
    }

    /// `[code] message`
    public var description: String { "[\(code)] \(message)" }
}

extension Reason: Hashable {
    public static func == (one: Reason, other: Reason) -> Bool {
        one.storage === other.storage || (one.contents.code == other.contents.code && one.message == other.message)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(contents.code)
        hasher.combine(message)
    }
}

extension Reason {
    /// A parameter of a rule, for messages and reports.
    ///
    /// Numbers are equal if their values are. JSON has one kind of number: a whole ``number(_:)`` is decoded as an
    /// ``integer(_:)``, which is equal to it.
    public enum Parameter: Hashable, Sendable, CustomStringConvertible {
        /// A whole number, such as a length.
        case integer(Int)
        /// A number.
        case number(Double)
        /// Text, such as a pattern.
        case text(String)

        public var description: String {
            switch self {
            case .integer(let value): String(value)
            case .number(let value): value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : "\(value)"
            case .text(let value): value
            }
        }
    }
}

extension Reason {
    /// A reason for a value that could not be checked.
    public static func undecided(code: String = Reason.defaultCode, message: String) -> Reason {
        var contents = Contents(code: code, text: .given(message))
        contents.isUndecided = true
        return Reason(contents)
    }

    /// The reason of a built-in rule.
    ///
    /// - Parameter text: The key of its message, if the rule has several.
    package init(
        rule: String, parameters: [String: Parameter] = [:], text: String? = nil, code: String = Reason.defaultCode,
        path: ValuePath = ValuePath(), isUndecided: Bool = false
    ) {
        self.init(
            Contents(
                code: code, text: .listed(text ?? rule), rule: rule, parameters: parameters, path: path,
                isUndecided: isUndecided))
    }

    static let missing = Reason(rule: "value.missing")
    static let anyOf = Reason(rule: "any")
    static let not = Reason(rule: "not")
    static let limit = Reason(rule: "limit", isUndecided: true)
    /// The reason if an external lookup has no answer.
    package static let unanswered = Reason(rule: "unanswered", isUndecided: true)
    static let timeout = Reason(rule: "timeout", code: "timeout", isUndecided: true)

    /// This reason with another code and message. An undecided reason stays unchanged, because it does not report a
    /// failure.
    func replaced(code: String, message: String) -> Reason {
        if isUndecided { return self }
        var contents = contents
        contents.code = code
        contents.text = .given(message)
        return Reason(contents)
    }

    /// This reason with the name of a user's rule.
    func named(_ name: String) -> Reason {
        var reason = self
        reason.rule = name
        return reason
    }

    /// This reason with a path that starts one level further out.
    func inside(_ step: ValuePath.Step) -> Reason {
        var reason = self
        reason.path = ValuePath([step] + path.steps)
        return reason
    }
}
