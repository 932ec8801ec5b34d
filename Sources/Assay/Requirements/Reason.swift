/// Why a value is not what it should be.
///
///     Requirement<String>.notEmpty().evaluate("")     // .failed(reason: Reason(message: "String is empty"))
///
/// Two reasons are equal when their code and message are. What a reason knows besides (the stable name of the rule, its
/// parameters, the place in a nested value) rides along.
///
/// A reason of a built-in rule holds no value of the data. Its message is made when somebody reads it, in the language of
/// the reader: ``message(in:)-(String)``.
public struct Reason: Error, Sendable, CustomStringConvertible {
    /// The code of reasons that were not given one.
    public static let defaultCode = "requirement_failed"

    /// What a reason consists of.
    struct Contents: Sendable {
        var code: String
        var text: Text
        var rule: String?
        var parameters: [String: Parameter] = [:]
        var path = ValuePath()
        var isUndecided = false
    }

    /// Where the message comes from.
    enum Text: Sendable {
        case given(String)
        /// Under this key in a ``MessageCatalog``.
        case listed(String)
    }

    // One reference, so that a reason and an `Evaluation` are one word: handing on "confirmed" touches no memory, and handing
    // on a failure that was made beforehand does not allocate.
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

    /// A reason of one's own.
    ///
    /// - Parameters:
    ///   - code: a stable name for programs, such as `password.leaked`.
    ///   - message: a sentence for people.
    public init(code: String = Reason.defaultCode, message: String) {
        self.init(Contents(code: code, text: .given(message)))
    }

    /// For programs: which kind of failure this is.
    public var code: String {
        get { storage.contents.code }
        set { contents.code = newValue }
    }

    /// For people; the sentence of a built-in rule in English.
    public var message: String {
        get { MessageCatalog.english.text(of: self) }
        set { contents.text = .given(newValue) }
    }

    /// The stable name of the rule that failed, such as `string.minLength`; `nil` for a closure that was not given one.
    public var rule: String? {
        get { storage.contents.rule }
        set { contents.rule = newValue }
    }

    /// What the rule was given, such as `min` = 8.
    public var parameters: [String: Parameter] {
        get { storage.contents.parameters }
        set { contents.parameters = newValue }
    }

    /// Where in a nested value: `items[3].price`. Empty for the value itself.
    public var path: ValuePath {
        get { storage.contents.path }
        set { contents.path = newValue }
    }

    /// Whether the value was not proved wrong: a limit was hit, or a pattern does not compile. Never a pass.
    public var isUndecided: Bool {
        get { storage.contents.isUndecided }
        set { contents.isUndecided = newValue }
    }

    /// `[code] message`
    public var description: String { "[\(code)] \(message)" }
}

extension Reason: Hashable {
    public static func == (one: Reason, other: Reason) -> Bool {
        one.storage === other.storage || (one.code == other.code && one.message == other.message)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
    }
}

extension Reason {
    /// A parameter of a rule, as it goes into messages and reports.
    ///
    /// Numbers are equal when they mean the same, and JSON has one kind of them: a ``number(_:)`` that is whole is read back as an
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
    /// A value that could not be judged.
    public static func undecided(code: String = Reason.defaultCode, message: String) -> Reason {
        var contents = Contents(code: code, text: .given(message))
        contents.isUndecided = true
        return Reason(contents)
    }

    /// The reason of a built-in rule.
    ///
    /// - Parameter text: the key of its sentence, where one rule has several.
    init(
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
    /// A question that was asked elsewhere had no answer.
    package static let unanswered = Reason(rule: "unanswered", isUndecided: true)
    static let timeout = Reason(rule: "timeout", code: "timeout", isUndecided: true)

    /// This reason in other words. One that is undecided stays as it is, since nothing was found to be wrong.
    func replaced(code: String, message: String) -> Reason {
        if isUndecided { return self }
        var contents = contents
        contents.code = code
        contents.text = .given(message)
        return Reason(contents)
    }

    /// This reason under the name that somebody gave to the rule.
    func named(_ name: String) -> Reason {
        var reason = self
        reason.rule = name
        return reason
    }

    /// This reason as seen from outside a nested value.
    func inside(_ step: ValuePath.Step) -> Reason {
        var reason = self
        reason.path = ValuePath([step] + path.steps)
        return reason
    }
}
