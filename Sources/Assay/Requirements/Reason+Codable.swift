/// `{"code": "string.minLength", "message": "Must have at least 8 characters", "rule": "string.minLength",
/// "parameters": {"min": 8}, "path": ["password"]}`, and `"undecided": true` for undecided reasons.
///
/// The message is written in English for readers without a catalog. A decoded reason can still be rendered in any
/// language.
extension Reason: Codable {
    private enum Key: String, CodingKey {
        case code, message, rule, text, parameters, path, undecided
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let message = try values.decode(String.self, forKey: .message)
        let rule = try values.decodeIfPresent(String.self, forKey: .rule)
        let code = try values.decodeIfPresent(String.self, forKey: .code)
        let key = try values.decodeIfPresent(String.self, forKey: .text)
        self.init(
            Contents(
                // The name of the rule takes the place of a missing code.
                code: code == rule ? Self.defaultCode : code ?? Self.defaultCode,
                text: key.map(Text.listed) ?? .given(message),
                rule: rule,
                parameters: try values.decodeIfPresent([String: Parameter].self, forKey: .parameters) ?? [:],
                path: try values.decodeIfPresent(ValuePath.self, forKey: .path) ?? ValuePath(),
                isUndecided: try values.decodeIfPresent(Bool.self, forKey: .undecided) ?? false))
        // The key comes from a version with a larger catalog, so the English message is the only one available.
        if let key, MessageCatalog.english.texts[key] == nil { self.message = message }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(code, forKey: .code)
        try values.encode(message, forKey: .message)
        try values.encodeIfPresent(rule, forKey: .rule)
        if case .listed(let key) = contents.text { try values.encode(key, forKey: .text) }
        if !parameters.isEmpty { try values.encode(parameters, forKey: .parameters) }
        if !path.steps.isEmpty { try values.encode(path, forKey: .path) }
        if isUndecided { try values.encode(true, forKey: .undecided) }
    }
}
