import ArgumentParser

/// An option that takes one of a few words.
///
/// For the parser it is a text, as most options are: of each type of option that it meets it asks for conformances, and each first
/// question goes through all conformances of the program. Types of their own were a fifth of the instructions it takes to start.
protocol OptionWord: RawRepresentable, CaseIterable where RawValue == String {}

extension OptionWord {
    static var completion: CompletionKind { .list(allCases.map(\.rawValue)) }

    /// - Throws: what the parser shows, unless it is one of the words.
    static func checked(_ word: String) throws -> String {
        if Self(rawValue: word) != nil { return word }
        throw ValidationError("Please provide one of \(list(allCases.map { "'\($0.rawValue)'" })).")
    }

    private static func list(_ words: [String]) -> String {
        words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1]
    }
}
