extension Validated where Value == String {
    /// The value for a text field, which knows no `nil`: the empty text stands for it.
    public var text: String {
        get { wrappedValue ?? "" }
        set { wrappedValue = newValue }
    }
}
