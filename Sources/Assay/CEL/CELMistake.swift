/// The first mistake in the text of a row rule.
///
///     end >= start_dat
///            ╰─ there is no column 'start_dat'; did you mean 'start_date'?
package struct CELMistake: Error, Hashable, Sendable {
    /// One sentence without a full stop.
    package var message: String
    /// A correction.
    package var suggestion: String?
    /// The place in the text, in bytes.
    package var range: Range<Int>
    /// The name of an unknown column, if that is the mistake and no known name is similar.
    package var unknownColumn: String?
    /// Whether a trusted file may contain the text.
    package var needsTrust = false

    package init(_ message: String, _ suggestion: String? = nil, at range: Range<Int>) {
        (self.message, self.suggestion, self.range) = (message, suggestion, range)
    }
}
