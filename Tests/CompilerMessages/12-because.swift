// A code and words without their labels.
import AssayMacros

let terms = Requirement<Bool>.require(\.self).because("terms", "Please accept the terms")
// 4:54 error: missing argument labels 'code:message:' in call
