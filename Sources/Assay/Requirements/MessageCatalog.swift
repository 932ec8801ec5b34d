/// The sentences of the built-in rules in one language: rule name to text, with `{name}` where a parameter goes.
///
///     var mine = MessageCatalog.russian
///     mine.texts["string.minLength"] = "Не короче {min} знаков"
///     mine.texts["password.leaked"] = "Этот пароль известен"       // a rule of one's own: Requirement(named: …)
///     reason.message(in: mine)
///
/// A description: plain data, to be replaced in part or whole.
public struct MessageCatalog: Hashable, Sendable, Codable {
    /// BCP 47, such as `ru` or `pt-BR`.
    public var language: String
    /// Sentences by the name of the rule, such as `string.minLength`. `{min}` stands for a parameter of the reason.
    public var texts: [String: String]

    /// A catalogue. Names that it lacks are taken from English.
    ///
    /// - Parameters:
    ///   - language: BCP 47, such as `ru`.
    ///   - texts: sentences by the name of the rule.
    public init(language: String, texts: [String: String]) {
        self.language = language
        self.texts = texts
    }

    /// The catalogue that ships for a language: by the first part of its tag (`pt` for `pt-BR`); `nil` if none does, as for Chinese
    /// in traditional characters (`zh-Hant`, `zh-TW`, `zh-HK`, `zh-MO`).
    public static func shipped(for language: String) -> MessageCatalog? {
        let subtags = language.lowercased().split { $0 == "-" || $0 == "_" }
        let isTraditional = !subtags.contains("hans") && subtags.contains { ["hant", "tw", "hk", "mo"].contains($0) }
        if subtags.first == "zh" && isTraditional { return nil }
        return all.first { $0.language == subtags.first ?? "" }
    }

    /// Every catalogue that ships.
    public static let all: [MessageCatalog] = [english, russian, japanese, chinese, portuguese]

    /// The sentence of a reason: this catalogue's, or else English.
    func text(of reason: Reason) -> String {
        // A name that is not ours is somebody's own, and so is the sentence under it.
        if let rule = reason.rule, Self.english.texts[rule] == nil, let own = texts[rule] {
            return Self.filled(own, reason.parameters)
        }
        switch reason.contents.text {
        case .given(let text): return text
        case .listed(let key):
            let catalog = texts[key] == nil ? Self.english : self
            let sentence = Self.filled(
                catalog.special(of: key, reason) ?? catalog.texts[key] ?? key, reason.parameters)
            guard case .text(let failureReason)? = reason.parameters["failureReason"] else { return sentence }
            return
                "\(sentence): \(texts["failureReason.\(failureReason)"] ?? Self.failureReasonText(failureReason, in: language))"
        }
    }

    /// The shipped sentence about one character or element, or about exactly so many, where this catalogue has the shipped one
    /// about several.
    private func special(of key: String, _ reason: Reason) -> String? {
        let (min, max) = (reason.parameters["min"], reason.parameters["max"])
        guard min == nil || max == nil || min == max, let amount = min ?? max,
            texts[key] == Self.shipped(for: language)?.texts[key]
        else { return nil }
        if amount == .integer(1), let text = Self.singulars[language]?[key] { return text }
        return min == max ? Self.exact[language]?[key] : nil
    }

    /// A text with its parameters, each put in once: what a parameter brings is not looked at again.
    private static func filled(_ text: String, _ parameters: [String: Reason.Parameter]) -> String {
        var result = ""
        var rest = text.unicodeScalars[...]
        while let open = rest.firstIndex(of: "{") {
            result.unicodeScalars += rest[..<open]
            rest = rest[open...]
            if let close = rest.firstIndex(of: "}"), let value = parameters[String(rest.dropFirst()[..<close])] {
                result += value.description
                rest = rest[close...].dropFirst()
            } else {
                result.unicodeScalars.append(rest.removeFirst())
            }
        }
        result.unicodeScalars += rest
        return result
    }
}

extension Reason {
    /// The sentence for people, in a language of theirs.
    ///
    /// A message that was given with ``Requirement/because(_:)`` is the same in every language. What the catalogue lacks
    /// comes in English.
    public func message(in catalog: MessageCatalog) -> String { catalog.text(of: self) }

    /// The sentence for people in one of the languages that ship; in English when it is none of them.
    public func message(in language: String) -> String {
        message(in: MessageCatalog.shipped(for: language) ?? .english)
    }
}
