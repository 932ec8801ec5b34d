import ArgumentParser

/// An option that takes one of a few words.
///
/// The parser sees a plain text, as for most options. For each type of option, it looks up conformances, and each first
/// lookup scans all conformances of the program. Custom types accounted for a fifth of the instructions at startup.
protocol OptionWord: RawRepresentable, CaseIterable where RawValue == String {}

extension OptionWord {
    static var completion: CompletionKind { .list(allCases.map(\.rawValue)) }

    /// - Throws: a message for the parser if the word is not allowed.
    static func checked(_ word: String) throws -> String {
        if Self(rawValue: word) != nil { return word }
        throw ValidationError("Please provide one of \(list(allCases.map { "'\($0.rawValue)'" })).")
    }

    private static func list(_ words: [String]) -> String {
        words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1]
    }
}
