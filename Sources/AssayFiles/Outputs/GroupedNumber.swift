/// A number with its thousands set apart: `1,234,567`.
package func grouped(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(abs(number)).reversed().enumerated() {
        if index > 0 && index % 3 == 0 { text.append(",") }
        text.append(digit)
    }
    return (number < 0 ? "-" : "") + String(text.reversed())
}
