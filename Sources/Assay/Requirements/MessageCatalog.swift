/// The messages of the built-in rules in one language: rule name to text, with `{name}` as the placeholder of a
/// parameter.
///
///     var mine = MessageCatalog.russian
///     mine.texts["string.minLength"] = "Не короче {min} знаков"
///     mine.texts["password.leaked"] = "Этот пароль известен"       // for your own rule: Requirement(named: …)
///     reason.message(in: mine)
///
/// A description: plain data that can be replaced in part or completely.
public struct MessageCatalog: Hashable, Sendable, Codable {
    /// The BCP 47 language tag, such as `ru` or `pt-BR`.
    public var language: String
    /// Messages by rule name, such as `string.minLength`. `{min}` is the placeholder of the parameter `min`.
    public var texts: [String: String]

    /// A catalog. Messages that it lacks are in English.
    ///
    /// - Parameters:
    ///   - language: The BCP 47 language tag, such as `ru`.
    ///   - texts: Messages by rule name.
    public init(language: String, texts: [String: String]) {
        self.language = language
        self.texts = texts
    }

    /// Returns the shipped catalog for the first subtag of a language tag (`pt` for `pt-BR`); `nil` if there is no such
    /// catalog, as for Chinese in traditional characters (`zh-Hant`, `zh-TW`, `zh-HK`, `zh-MO`).
    public static func shipped(for language: String) -> MessageCatalog? {
        let subtags = language.lowercased().split { $0 == "-" || $0 == "_" }
        let isTraditional = !subtags.contains("hans") && subtags.contains { ["hant", "tw", "hk", "mo"].contains($0) }
        if subtags.first == "zh" && isTraditional { return nil }
        return all.first { $0.language == subtags.first ?? "" }
    }

    /// All shipped catalogs.
    public static let all: [MessageCatalog] = [english, russian, japanese, chinese, portuguese]

    /// The message of a reason: from this catalog, otherwise in English.
    func text(of reason: Reason) -> String {
        // A name that is not built in belongs to the user's rule, and so does the message under that name.
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
                "\(sentence): "
                + (texts["failureReason.\(failureReason)"] ?? Self.failureReasonText(failureReason, in: language))
        }
    }

    /// The shipped message for a count of one or for equal bounds, if this catalog has the shipped text for the general
    /// case.
    private func special(of key: String, _ reason: Reason) -> String? {
        let (min, max) = (reason.parameters["min"], reason.parameters["max"])
        guard min == nil || max == nil || min == max, let amount = min ?? max,
            texts[key] == Self.shipped(for: language)?.texts[key]
        else { return nil }
        if amount == .integer(1), let text = Self.singulars[language]?[key] { return text }
        return min == max ? Self.exact[language]?[key] : nil
    }

    /// A text with its placeholders replaced. Values are inserted once, and placeholders inside them are not replaced.
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
    /// The message in the language of a catalog.
    ///
    /// A message from ``Requirement/because(_:)`` is the same in every language. Messages that the catalog lacks are in
    /// English.
    public func message(in catalog: MessageCatalog) -> String { catalog.text(of: self) }

    /// The message in one of the shipped languages; in English for any other.
    public func message(in language: String) -> String {
        message(in: MessageCatalog.shipped(for: language) ?? .english)
    }
}
