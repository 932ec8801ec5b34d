extension Schema {
    /// The treatment of types in JSON values.
    public enum JSONTypes: String, Hashable, Sendable, Codable, CaseIterable {
        /// Values must have the JSON type.
        case strict
        /// Values are checked as text, like those of CSV.
        case text
        /// As in JSON Schema: null has its own type, the empty text is missing only if the rules list it, and every
        /// whole number is an integer, including `1.0`.
        case jsonSchema

        package var typing: Typing {
            switch self {
            case .strict: .jsonStrict
            case .text: .jsonText
            case .jsonSchema: .jsonSchema
            }
        }
    }
}
