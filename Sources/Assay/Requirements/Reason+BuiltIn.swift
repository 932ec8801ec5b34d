extension Reason {
    /// The reason of a built-in rule, in English.
    init(rule: String, parameters: [String: Parameter] = [:], path: ValuePath = ValuePath()) {
        self.init(message: MessageCatalog.english.text(rule: rule, parameters: parameters))
        self.rule = rule
        self.parameters = parameters
        self.path = path
    }

    /// A value that could not be judged.
    public static func undecided(code: String = Reason.defaultCode, message: String) -> Reason {
        var reason = Reason(code: code, message: message)
        reason.isUndecided = true
        return reason
    }

    static let missing = Reason(rule: "value.missing")
    static let anyOf = Reason(rule: "any")
    static let not = Reason(rule: "not")
    static let limit = undecided(message: MessageCatalog.english.text(rule: "limit", parameters: [:]))

    /// This reason in other words; undecided stays as it is, since nothing was found to be wrong.
    func replaced(code: String, message: String) -> Reason {
        if isUndecided { return self }
        var reason = self
        reason.code = code
        reason.message = message
        return reason
    }

    /// This reason as seen from outside a nested value.
    func inside(_ step: ValuePath.Step) -> Reason {
        var reason = self
        reason.path.steps.insert(step, at: 0)
        return reason
    }
}
