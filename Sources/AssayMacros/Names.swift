public import Assay

// Expansions use these names, because `Assay.Pattern` would refer to a type `Assay` of the program if it has one.

/// ``Assay/Pattern``, for macro expansions.
public typealias _AssayPattern = Pattern

/// ``Assay/Requirement``, for macro expansions.
public typealias _AssayRequirement<Value> = Requirement<Value>
