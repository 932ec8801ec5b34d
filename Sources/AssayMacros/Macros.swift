@_exported public import Assay

/// All requirements of the block must hold.
///
///     let password = #all {
///         Requirement<String>.minLength(8).because("At least 8 characters")
///         containsDigit
///         containsUppercase
///     }
///
/// The type is inferred from the block, so no annotation is needed. This is `Requirement.all { … }`, except that an
/// empty block is a compile-time error. In a block, a key path to `Bool` is also a requirement: `\User.isActive`.
@freestanding(expression)
public macro all<Value>(@RequirementBuilder<Value> _ requirements: () -> [Requirement<Value>]) -> Requirement<Value> =
    #externalMacro(module: "AssayMacrosPlugin", type: "AllMacro")

/// At least one requirement of the block must hold.
///
///     let contact = #any {
///         email
///         phone
///     }
@freestanding(expression)
public macro any<Value>(@RequirementBuilder<Value> _ requirements: () -> [Requirement<Value>]) -> Requirement<Value> =
    #externalMacro(module: "AssayMacrosPlugin", type: "AnyMacro")

/// Negates the block: it holds unless all requirements of the block hold.
///
///     let fresh = #not { Requirement<String>.oneOf(["admin", "root"]) }
@freestanding(expression)
public macro not<Value>(@RequirementBuilder<Value> _ requirements: () -> [Requirement<Value>]) -> Requirement<Value> =
    #externalMacro(module: "AssayMacrosPlugin", type: "NotMacro")

/// The negation of a requirement.
@freestanding(expression)
public macro not<Value>(_ requirement: Requirement<Value>) -> Requirement<Value> =
    #externalMacro(module: "AssayMacrosPlugin", type: "NotMacro")

/// If the condition holds, all requirements of the block must hold.
///
///     let nickname = #when(.notEmpty()) { Requirement<String>.length(min: 3, max: 20) }
@freestanding(expression)
public macro when<Value>(
    _ condition: Requirement<Value>, @RequirementBuilder<Value> _ requirements: () -> [Requirement<Value>]
) -> Requirement<Value> = #externalMacro(module: "AssayMacrosPlugin", type: "WhenMacro")

/// A PCRE2 pattern that is checked at compile time.
///
///     static let zip = Requirement<String>.matches(#pattern(#"\d{5}"#))
///
///     #pattern(#"(\d{5}"#)        // error: this pattern does not compile: missing closing parenthesis
///                    ^
///
/// The compiler plug-in compiles patterns with the same function as the program does at run time, so both accept the
/// same patterns. Errors point to the characters that caused them. It warns about syntax that compiles but has another
/// meaning in NSRegularExpression: `&&` and `--` in sets, nested sets, `{,n}`, and `\0` before three digits.
///
/// The expression needs no `try`, is thread-safe, and compiles the pattern once, on first evaluation, even in a loop or
/// in generic code.
///
/// - Parameters:
///   - source: A string literal of any kind, without interpolation.
///   - options: A literal list of options, such as `[.search]`.
/// - Precondition: The PCRE2 library of the running program accepts the pattern. This is true for every version that is
///   at least as new as the version of the build.
@freestanding(expression)
public macro pattern(_ source: String, options: Pattern.Options = []) -> Pattern =
    #externalMacro(module: "AssayMacrosPlugin", type: "PatternMacro")
