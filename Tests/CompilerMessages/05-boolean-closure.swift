// A closure that says whether, not why.
import AssayMacros

let even = Requirement<Int> { $0 % 2 == 0 }
// 4:31 error: 'buildExpression' is unavailable: say why not: … ? .confirmed : .failed(reason: Reason(message: …))
