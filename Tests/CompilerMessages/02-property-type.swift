// A requirement that does not suit the type of the property.
import AssayMacros

struct User: Sendable {
    let name: String
    let age: Int
}
let adult: Requirement<User> = .at(\.name, .greaterThan(17))
// 8:57 error: cannot convert value of type 'Int' to expected argument type 'String'
