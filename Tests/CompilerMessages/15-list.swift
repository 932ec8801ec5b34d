// A requirement of texts for a number, among twenty lines of arguments.
import AssayMacros

struct Form: Sendable {
    let t0: String
    let n0: Int
    let t1: String
    let n1: Int
    let t2: String
    let n2: Int
    let t3: String
    let n3: Int
    let t4: String
    let n4: Int
    let t5: String
    let n5: Int
    let t6: String
    let n6: Int
    let t7: String
    let n7: Int
    let t8: String
    let n8: Int
    let t9: String
    let n9: Int
}
let form = Requirement<Form>.all(
    .at(\.t0, .notEmpty() && .maxLength(30) && .matches(pattern: "[a-z]+")),
    .at(\.n0, .inRange(1...9) || .equals(100)),
    .at(\.t1, .notEmpty() && .maxLength(30) && .matches(pattern: "[a-z]+")),
    .at(\.n1, .inRange(1...9) || .equals(100)),
    .at(\.t2, .notEmpty() && .maxLength(30) && .matches(pattern: "[a-z]+")),
    .at(\.n2, .inRange(1...9) || .equals(100)),
    .at(\.t3, .notEmpty() && .maxLength(30) && .matches(pattern: "[a-z]+")),
    .at(\.n3, .inRange(1...9) || .equals(100)),
    .at(\.t4, .notEmpty() && .maxLength(30) && .matches(pattern: "[a-z]+")),
    .at(\.n4, .inRange(1...9) || .equals(100)),
    .at(\.t5, .notEmpty() && .maxLength(30) && .matches(pattern: "[a-z]+")),
    .at(\.n5, .inRange(1...9) || .equals(100)),
    .at(\.t6, .notEmpty() && .maxLength(30) && .matches(pattern: "[a-z]+")),
    .at(\.n6, .inRange(1...9) || .equals(100)),
    .at(\.t7, .notEmpty() && .maxLength(30) && .matches(pattern: "[a-z]+")),
    .at(\.n7, .minLength(9) || .equals(100)),
    .at(\.t8, .notEmpty() && .maxLength(30) && .matches(pattern: "[a-z]+")),
    .at(\.n8, .inRange(1...9) || .equals(100)),
    .at(\.t9, .notEmpty() && .maxLength(30) && .matches(pattern: "[a-z]+")),
    .at(\.n9, .inRange(1...9) || .equals(100)))
// 42:16 error: 'minLength(_:in:)' is unavailable: is about texts; for a number write range(1...9), for a collection
//     count(1...9)
