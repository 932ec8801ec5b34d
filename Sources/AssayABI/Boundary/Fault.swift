internal import AssayRules
internal import CAssayABI

/// An error of a call, before its conversion to C.
struct Fault: Error {
    var code: assay_fault_code
    /// A sentence without a full stop.
    var message: String
    var hint: String?
    var line = 0
    var column = 0
    /// The whole text for people; `nil` means the message and the hint.
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

    /// The fault for a NULL argument that is required.
    static func null(_ name: String) -> Fault { Fault(ASSAY_FAULT_ARGUMENT, "the argument '\(name)' is NULL") }
}
