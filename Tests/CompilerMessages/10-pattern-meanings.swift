// Patterns that compile and mean something else elsewhere.
import AssayMacros

let consonants = #pattern("[[a-z]&&[^aeiou]]+")
let others = #pattern(#"[a-z--[aeiou]]+"#)
let short = #pattern("a{,3}")
// 4:34 warning: NSRegularExpression reads && in a set as intersection, PCRE2 as two characters; for the characters
//     write \&\&, for an intersection a look-ahead: (?=[a-z])[^aeiou]
// 5:29 warning: NSRegularExpression reads -- in a set as difference, PCRE2 as hyphens; for the characters write \-\-,
//     for a difference a look-ahead: (?![aeiou])[a-z]
// 6:24 warning: NSRegularExpression refuses {,n}, PCRE2 reads it as text before 10.43 and as 0 to n times since then;
//     write {0,n}, or \{,n} for the text
