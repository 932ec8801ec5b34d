extension Validated where Value == String {
    /// The value for a text field, which knows no `nil`: the empty text stands for it. As it was entered: a field that repairs it
    /// does not change the text under the hands of who types.
    public var text: String {
        get { entered ?? "" }
        set { wrappedValue = newValue }
    }
}
