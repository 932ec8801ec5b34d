@_exported public import Assay

/// Every requirement of the block.
///
///     let password = #all {
///         Requirement<String>.minLength(8).because("At least 8 characters")
///         containsDigit
///         containsUppercase
///     }
///
/// The type follows from the block, so nothing need be annotated. It is `Requirement.all { … }` in other words, with an
/// error for a block that is empty. In a block, a key path to `Bool` is a requirement, too: `\User.isActive`.
@freestanding(expression)
public macro all<Value>(@RequirementBuilder<Value> _ requirements: () -> [Requirement<Value>]) -> Requirement<Value> =
    #externalMacro(module: "AssayMacrosPlugin", type: "AllMacro")

/// At least one requirement of the block.
///
///     let contact = #any {
///         email
///         phone
///     }
@freestanding(expression)
public macro any<Value>(@RequirementBuilder<Value> _ requirements: () -> [Requirement<Value>]) -> Requirement<Value> =
    #externalMacro(module: "AssayMacrosPlugin", type: "AnyMacro")

/// Not all of the block at once.
///
///     let fresh = #not { Requirement<String>.oneOf(["admin", "root"]) }
@freestanding(expression)
public macro not<Value>(@RequirementBuilder<Value> _ requirements: () -> [Requirement<Value>]) -> Requirement<Value> =
    #externalMacro(module: "AssayMacrosPlugin", type: "NotMacro")

/// The opposite of a requirement.
@freestanding(expression)
public macro not<Value>(_ requirement: Requirement<Value>) -> Requirement<Value> =
    #externalMacro(module: "AssayMacrosPlugin", type: "NotMacro")

/// If the condition is confirmed, every requirement of the block.
///
///     let nickname = #when(.notEmpty()) { Requirement<String>.length(min: 3, max: 20) }
@freestanding(expression)
public macro when<Value>(
    _ condition: Requirement<Value>, @RequirementBuilder<Value> _ requirements: () -> [Requirement<Value>]
) -> Requirement<Value> = #externalMacro(module: "AssayMacrosPlugin", type: "WhenMacro")

/// A PCRE2 pattern that is checked when your code is compiled.
///
///     static let zip = Requirement<String>.matches(#pattern(#"\d{5}"#))
///
///     #pattern(#"(\d{5}"#)        // error: this pattern does not compile: missing closing parenthesis
///                    ^
///
/// The compiler's plug-in asks the function that compiles patterns at run time, so both accept the same, and shows a
/// mistake at its character. It warns of what compiles and means something else to NSRegularExpression: `&&` and `--` in
/// sets, sets in sets, `{,n}`, `\0` with three digits.
///
/// The expression needs no `try`, is thread-safe, and compiles the pattern when it is first evaluated and never again,
/// wherever it stands: in a loop or in generic code, too. See ``Assay/Pattern/shared(literal:options:)``.
///
/// - Parameters:
///   - source: a string literal of any kind, without interpolation.
///   - options: written out, such as `[.search]`.
/// - Precondition: the program runs on a PCRE2 that accepts the pattern, as one at least as new as the one of the build
///   does.
@freestanding(expression)
public macro pattern(_ source: String, options: Pattern.Options = []) -> Pattern =
    #externalMacro(module: "AssayMacrosPlugin", type: "PatternMacro")
