/// The sentences of the built-in rules in one language: rule name to text, with `{name}` where a parameter goes.
///
///     var mine = MessageCatalog.russian
///     mine.texts["string.minLength"] = "Не короче {min} знаков"
///     reason.message(in: mine)
///
/// A description: plain data, to be replaced in part or whole.
public struct MessageCatalog: Hashable, Sendable, Codable {
    /// BCP 47, such as `ru` or `pt-BR`.
    public var language: String
    public var texts: [String: String]

    public init(language: String, texts: [String: String]) {
        self.language = language
        self.texts = texts
    }

    /// The catalogue that ships for a language: by the tag, or else by its first part (`pt` for `pt-BR`); `nil` if none does.
    public static func shipped(for language: String) -> MessageCatalog? {
        let tag = language.lowercased()
        let primary = tag.prefix { $0 != "-" && $0 != "_" }
        return all.first { $0.language.lowercased() == tag } ?? all.first { $0.language == primary }
    }

    /// Every catalogue that ships.
    public static let all: [MessageCatalog] = [english, russian, japanese, chinese, portuguese]

    func text(rule: String, parameters: [String: Reason.Parameter]) -> String {
        var text = texts[rule] ?? rule
        for (name, value) in parameters {
            text = text.split(separator: "{\(name)}", omittingEmptySubsequences: false)
                .joined(separator: value.description)
        }
        return text
    }
}

extension Reason {
    /// The sentence for people, in a language of theirs.
    ///
    /// A message that was given with ``Requirement/because(_:)`` is the same in every language. What the catalogue lacks
    /// comes in English.
    public func message(in catalog: MessageCatalog) -> String {
        guard let rule, message == MessageCatalog.english.text(rule: rule, parameters: parameters),
            catalog.texts[rule] != nil
        else { return message }
        return catalog.text(rule: rule, parameters: parameters)
    }

    /// The sentence for people in one of the languages that ship; in English when it is none of them.
    public func message(in language: String) -> String {
        message(in: MessageCatalog.shipped(for: language) ?? .english)
    }
}
