// A requirement for another type of value among those of a block.
import AssayMacros

let password = #all {
    Requirement<String>.minLength(8)
    Requirement<Int>.greaterThan(0)
}
// 6:22 error: cannot convert value of type 'Requirement<Int>' to expected argument type 'Requirement<String>'
