import ArgumentParser
import AssayFiles

/// An option that takes one of a few words. Its property is the word as a text.
protocol OptionWord: RawRepresentable, CaseIterable where RawValue == String {}

extension OptionWord {
    static var completion: CompletionKind { .list(allCases.map(\.rawValue)) }

    /// Refuses a word that the option does not take.
    static func check(_ word: String?, of option: String) throws {
        guard let word, Self(rawValue: word) == nil else { return }
        let words = allCases.map(\.rawValue)
        let list = words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1]
        throw ValidationError("\(option) takes \(list), not '\(printable(word))'.")
    }
}
