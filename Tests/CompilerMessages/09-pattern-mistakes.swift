// Mistakes in patterns, in every kind of literal.
import AssayMacros

let zip = #pattern(#"(\d{5}"#)
let price = #pattern("[z-a]")
let name = #pattern("\u{20AC}\u{20AC})")
let date = #pattern(
    """
    \\d{4}  # the year
    -\\d{2) # the month
    -(\\d{2}  # the day
    """, options: .extended)
let block = #any {
    Requirement<String>.matches(#pattern("a|*"))
}
// 4:28 error: this pattern does not compile: missing closing parenthesis
// 5:26 error: this pattern does not compile: range out of order in character class
// 6:38 error: this pattern does not compile: unmatched closing parenthesis
// 10:11 error: this pattern does not compile: unmatched closing parenthesis
// 14:45 error: this pattern does not compile: quantifier does not follow a repeatable item
