// Something in a block that is no requirement.
import AssayMacros

let password = Requirement<String>.all {
    Requirement<String>.minLength(8)
    "At least 8 characters"
}
// 6:5 error: 'buildExpression' is unavailable: a block of requirements holds requirements, and key paths to Bool
