public import Assay

// What macros become names types so: `Assay.Pattern` would be looked for in a type of the program that is called `Assay`.

/// ``Assay/Pattern``, for the macros.
public typealias _AssayPattern = Pattern

/// ``Assay/Requirement``, for the macros.
public typealias _AssayRequirement<Value> = Requirement<Value>
