// A property that is not there.
import AssayMacros

struct User: Sendable {
    let name: String
}
let named = Requirement<User>.at(\.nam, .notEmpty())
// 7:34 error: value of type 'User' has no member 'nam'
