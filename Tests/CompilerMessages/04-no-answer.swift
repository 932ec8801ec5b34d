// A closure that has no answer on one of its ways. (One of several lines needs no `return`.)
import AssayMacros

let even = Requirement<Int> { number in
    let rest = number % 2
    if rest == 1 { .failed(reason: Reason(message: "Is odd")) }
    Evaluation.confirmed
}
// 6:18 error: 'buildOptional' is unavailable: an 'if' without 'else' is no answer; write return
