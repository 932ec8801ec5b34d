// A closure that says whether, not why.
import AssayMacros

let even = Requirement<Int> { $0 % 2 == 0 }
// 4:38 error: cannot convert value of type 'Bool' to closure result type 'Evaluation'
