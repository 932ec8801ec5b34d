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

    /// A remedy in place of a suggestion, if it concerns the way the file is read.
    var remedy: RuleProblem.Remedy?

    struct Excerpt {
        var text: String
        var offset: Int
    }
}
