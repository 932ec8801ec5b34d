/// Why a text is no row rule: the first mistake in it.
///
///     end >= start_dat
///            ╰─ there is no column 'start_dat'; did you mean 'start_date'?
package struct CELMistake: Error, Hashable, Sendable {
    /// One sentence without a full stop.
    package var message: String
    /// What to write instead.
    package var suggestion: String?
    /// Bytes of the text.
    package var range: Range<Int>
    /// The name of an unknown column, if that is the mistake and no known name is similar.
    package var unknownColumn: String?
    /// Whether the text would be read in a file that is trusted.
    package var needsTrust = false

    package init(_ message: String, _ suggestion: String? = nil, at range: Range<Int>) {
        (self.message, self.suggestion, self.range) = (message, suggestion, range)
    }
}
