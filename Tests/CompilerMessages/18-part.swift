// A requirement of texts for a number, as the only part.
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
let part = Requirement<Form>.at(\.n0, .minLength(9) || .equals(100))
// 26:40 error: 'minLength(_:in:)' is unavailable: is about texts; for a number write range(1...9), for a collection
//     count(1...9)
