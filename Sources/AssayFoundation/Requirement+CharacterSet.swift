public import Assay
public import Foundation

extension Requirement where Value == String {
    /// Only characters whose Unicode scalars are in the set, as Vapor's `.characterSet`. An empty text is confirmed.
    ///
    ///     import AssayFoundation
    ///
    ///     .characterSet(.letters.union(.whitespaces))
    ///
    /// The set is not data. A pattern such as `[\p{L} ]*` (``Requirement/pattern(_:)``) can be written to a rule file,
    /// and is faster.
    public static func characterSet(_ set: CharacterSet) -> Self {
        let failure = Reason(rule: "string.characterSet")
        return Self { text in
            text.unicodeScalars.allSatisfy(set.contains) ? .confirmed : .failed(reason: failure)
        }
    }
}
