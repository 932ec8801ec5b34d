public import Assay

private let literals = LiteralPatterns()

extension Pattern {
    /// Returns the shared pattern of a literal, compiled on the first call. For macro expansions:
    /// `#pattern` expands to this call.
    ///
    /// Thread-safe. Later calls take no lock and cost about as much as reading a static constant.
    ///
    /// - Precondition: The pattern compiles, which `#pattern` has checked.
    public static func _shared(literal source: StaticString, options: Options = []) -> Pattern {
        literals.pattern(source, options: options) { .literal(source, options: options) }
    }
}
