extension Validated where Value == String {
    /// The value for a text field, with the empty text instead of `nil`. It is the text as entered: repairs do not
    /// change it while it is edited.
    public var text: String {
        get { entered ?? "" }
        set { wrappedValue = newValue }
    }
}
