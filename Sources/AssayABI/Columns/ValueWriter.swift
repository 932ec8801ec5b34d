/// Writes values that are not text in the form that a CSV file would have.
protocol ValueWriter: Sendable {
    /// Appends the text of a row, whose value must be present.
    func append(_ row: Int, to text: inout TextBuffer)
}
