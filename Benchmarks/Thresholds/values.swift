// Checks values as forms and request handlers do, through the public API: values CASE COUNT
//
// Prints the number of valid values, which must be COUNT, so that a wrong answer does not pass as a fast one. Two runs
// with different counts show the cost of one value.
import Assay

let email = try Pattern(#"^[A-Z0-9._%+-]+@[A-Z0-9.-]+\.[A-Z]{2,}$"#, options: .caseInsensitive)

/// The rules of a form, which are evaluated without a trace.
let rules: [String: Requirement<String>] = [
    "one part": .matches(email).because("No e-mail address"),
    "two parts": .all {
        Requirement<String>.notEmpty().because("Required")
        Requirement<String>.matches(email).because("No e-mail address")
    },
    "password": .all {
        Requirement<String>.minLength(8).because("At least 8 characters")
        Requirement<String>.containsDigit
        Requirement<String>.containsUppercase
        Requirement<String>.contains(oneOf: "!@#$%^&*()_+-=[]{}|;:,.<>?")
    },
]

/// Values that Swift stores in the `String` itself, values on the heap, and values that are too long for the DFA.
let addresses = ["bo@example.org", "anna.lee@example.com", "somebody.else@department.example.co.uk"]
let passwords = ["Geheimnis!2024", "correct Horse 9 #", "aB3$aB3$aB3$", "Пароль №7 – Ünï!"]
let codes = ["DE", "FR", "JP", "BR"]

let name = CommandLine.arguments[1]
let count = Int(CommandLine.arguments[2])!
var passed = 0

/// Checks values without copying the strings, because copies would change reference counts.
func each(of values: [String], _ accepts: (String) -> Bool) {
    let values = values.span
    for index in 0..<count where accepts(values[index % values.count]) { passed += 1 }
}

switch name {
case "pattern":
    each(of: addresses) { email.verdict(of: $0) == .pass }
case "two letters in bulk", "addresses in bulk":
    let pattern = name == "addresses in bulk" ? email : try Pattern("[A-Z]{2}")
    let some = name == "addresses in bulk" ? addresses : codes
    let values = (0..<4096).map { some[$0 % some.count] }
    for _ in 0..<count / values.count { passed += pattern.verdicts(for: values, threads: 1).passedCount }
case let name:
    let rule = rules[name]!
    each(of: name == "password" ? passwords : addresses) { rule.evaluate($0).isConfirmed }
}
print(passed)
