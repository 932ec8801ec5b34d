internal import AssayRules
internal import CAssayABI

/// What is wrong with a call, before it becomes C.
struct Fault: Error {
    var code: assay_fault_code
    /// A sentence without a full stop.
    var message: String
    var hint: String?
    var line = 0
    var column = 0
    /// All of it as people read it; `nil`: the message and the hint.
    var text: String?

    init(_ code: assay_fault_code, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    init(_ problem: RuleProblem) {
        self.init(ASSAY_FAULT_RULES, problem.message, hint: problem.suggestion)
        line = problem.line
        column = problem.column
        text = problem.description
    }

    /// A NULL where something is needed.
    static func null(_ name: String) -> Fault { Fault(ASSAY_FAULT_ARGUMENT, "the argument '\(name)' is NULL") }
}
