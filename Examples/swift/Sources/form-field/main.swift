import Assay

// swift run form-field [language]
// Type one password per line. The program prints the missing requirements in English, or in ru, ja, zh or pt.

let password = Requirement<String>.all {
    Requirement<String>.minLength(8)
    Requirement<String>.containsDigit
    Requirement<String>.containsUppercase
}

let language = CommandLine.arguments.dropFirst().first ?? "en"
while let typed = readLine() {
    let reasons = password.failures(in: typed)
    print(reasons.isEmpty ? "ok" : reasons.map { $0.message(in: language) }.joined(separator: "; "))
}
