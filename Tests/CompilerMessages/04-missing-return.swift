// A closure of several lines without `return`.
import AssayMacros

let even = Requirement<Int> { number in
    let rest = number % 2
    rest == 0 ? .confirmed : .failed(reason: Reason(message: "Is odd"))
}
// 6:18 error: cannot infer contextual base in reference to member 'confirmed'
