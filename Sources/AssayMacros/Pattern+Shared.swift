public import Assay

/// The patterns of the program's own text. There are only so many, so none makes room for another.
private let literals = PatternCache(capacity: .max)

extension Pattern {
    /// The one pattern for a literal, compiled on the first call: what `#pattern` becomes.
    ///
    /// Thread-safe.
    ///
    /// - Precondition: the pattern compiles, which `#pattern` has made sure of.
    public static func shared(literal source: StaticString, options: Options = []) -> Pattern {
        do {
            return try literals.pattern("\(source)", options: options)
        } catch {
            preconditionFailure("the pattern \(source) does not compile: \(error)")
        }
    }
}
