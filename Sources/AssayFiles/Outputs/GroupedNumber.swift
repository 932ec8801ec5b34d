/// A number with its thousands set apart: `1,234,567`.
package func grouped(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(abs(number)).reversed().enumerated() {
        if index > 0 && index % 3 == 0 { text.append(",") }
        text.append(digit)
    }
    return (number < 0 ? "-" : "") + String(text.reversed())
}

/// The same for the digits of an integer of any length, with or without a minus sign.
package func groupedDigits(_ digits: String) -> String {
    let isNegative = digits.hasPrefix("-")
    var text = ""
    let count = digits.utf8.count - (isNegative ? 1 : 0)
    for (place, digit) in digits.dropFirst(isNegative ? 1 : 0).enumerated() {
        if place > 0, (count - place) % 3 == 0 { text += "," }
        text.append(digit)
    }
    return (isNegative ? "-" : "") + text
}
