/// Writes values that are not text as the text that a CSV file would have for them.
protocol ValueWriter: Sendable {
    /// Appends the text of a row, which has a value.
    func append(_ row: Int, to text: inout TextBuffer)
}
