/// A mistake in a rule file, at a range of its bytes. ``RuleProblem`` is the form for people.
struct Mistake {
    /// The underlined bytes of the source. An empty range shows only a caret.
    var range: Range<Int>

    /// One sentence without a full stop.
    var message: String

    /// The suggested replacement. A text of several lines is printed below the caret.
    var suggestion: String?

    /// For a mistake inside a text that the source spells differently (escapes, folded lines): the text and the byte
    /// offset in it.
    var excerpt: Excerpt?

    /// An alternative to trusting the file. `nil` if trust does not help.
    var remedy: String?

    struct Excerpt {
        var text: String
        var offset: Int
    }
}
