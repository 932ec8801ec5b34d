/// A mistake in a rule file, by its place in the bytes. ``RuleProblem`` is what people get to see.
struct Mistake {
    /// Bytes of the source that are underlined. Empty: the caret stands there alone.
    var range: Range<Int>

    /// One sentence without a full stop.
    var message: String

    /// What to write instead; a text of several lines stands below the caret.
    var suggestion: String?

    /// For a mistake inside a text that the source writes in another way (escapes, folded lines): the text itself and
    /// the byte offset in it.
    var excerpt: Excerpt?

    /// What to do instead of trusting the file; `nil`: that would not help.
    var remedy: String?

    struct Excerpt {
        var text: String
        var offset: Int
    }
}
