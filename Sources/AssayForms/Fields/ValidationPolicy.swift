/// The condition for validating the value of a field.
public enum ValidationPolicy: Hashable, Sendable {
    /// Always. An empty field has the errors that its validators report for `nil`.
    case always
    /// Only if a value was entered. `nil`, an empty text and an empty collection have no errors. White space counts as
    /// entered.
    case ifNotEmpty
}
