public import Assay

private let literals = LiteralPatterns()

extension Pattern {
    /// The one pattern for a literal, compiled on the first call: what `#pattern` becomes.
    ///
    /// Thread-safe. A later call takes no lock and costs about what reading a static constant costs.
    ///
    /// - Precondition: the pattern compiles, which `#pattern` has made sure of.
    public static func shared(literal source: StaticString, options: Options = []) -> Pattern {
        literals.pattern(source, options: options) { .literal(source, options: options) }
    }
}
