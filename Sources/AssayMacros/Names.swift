public import Assay

// Macro expansions use these names. If a program declares a type `Assay`, `Assay.Pattern` is a member of that type.

/// ``Assay/Pattern``, for macro expansions.
public typealias _AssayPattern = Pattern

/// ``Assay/Requirement``, for macro expansions.
public typealias _AssayRequirement<Value> = Requirement<Value>
