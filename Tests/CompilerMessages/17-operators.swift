// A requirement of numbers in a chain of requirements of texts.
import AssayMacros

let name =
    Requirement<String>.notEmpty() && .maxLength(30) && .matches(pattern: "[a-z]+") && .containsDigit
    && .inRange(1...9) && .minLength(2) || .equals("root") || .email && .hasSuffix(".org")
// 6:9 error: no exact matches in call to static method 'inRange'
