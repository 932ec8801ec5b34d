// Patterns that are no literals.
import AssayMacros

func search(_ word: String) -> [Pattern] {
    [
        #pattern(word),
        #pattern("\\b\(word)\\b"),
        #pattern("a", options: word.isEmpty ? [] : .search),
    ]
}
// 6:18 error: #pattern needs a string literal; a text that is known at run time only goes to `try Pattern(…)`
// 7:22 error: a pattern is compiled together with your code, so it cannot contain interpolations; make it at run
//     time with `try Pattern(…)`
// 8:32 error: the options of #pattern must be written out, such as [.search, .dotMatchesNewlines]: the pattern is
//     compiled with them, together with your code
