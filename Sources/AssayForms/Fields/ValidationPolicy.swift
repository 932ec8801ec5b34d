/// When the value of a field is validated.
public enum ValidationPolicy: Hashable, Sendable {
    /// Always: a field that was left empty has the errors that its validators find in nothing.
    case always
    /// Only when something was entered. Nothing (`nil`), an empty text and an empty collection have no errors; a text of white
    /// space was entered.
    case ifNotEmpty
}
