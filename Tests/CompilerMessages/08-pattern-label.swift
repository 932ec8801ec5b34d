// A pattern without its label.
import AssayMacros

let zip = Requirement<String>.matches(#"\d{5}"#)
// 4:31 error: 'matches(_:options:)' is unavailable: write matches(pattern: …), or matches(#pattern(…)) with AssayMacros
