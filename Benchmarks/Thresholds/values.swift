// Judges values as forms and request handlers do, through the public API: values CASE COUNT
//
// Prints how many of the values passed, which is all of them, so that a wrong answer is not taken for a fast one. Two runs
// with different counts tell what one value takes.
import Assay

let email = try Pattern(#"^[A-Z0-9._%+-]+@[A-Z0-9.-]+\.[A-Z]{2,}$"#, options: .caseInsensitive)

/// A form's rule: confirmed without a trace.
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

/// Values that Swift keeps inside a `String`, those that it keeps on the heap, and those too long for the DFA.
let addresses = ["bo@example.org", "anna.lee@example.com", "somebody.else@department.example.co.uk"]
let passwords = ["Geheimnis!2024", "correct Horse 9 #", "aB3$aB3$aB3$", "Пароль №7 – Ünï!"]
let codes = ["DE", "FR", "JP", "BR"]

let name = CommandLine.arguments[1]
let count = Int(CommandLine.arguments[2])!
var passed = 0

/// Without copies of the strings, which would count references up and down.
func each(of values: [String], _ judge: (String) -> Bool) {
    let values = values.span
    for index in 0..<count where judge(values[index % values.count]) { passed += 1 }
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
