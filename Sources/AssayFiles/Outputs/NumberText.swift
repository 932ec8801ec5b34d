/// Returns a number with `decimals` decimals: `0.25`.
package func fixed(_ number: Double, _ decimals: Int) -> String {
    guard number.isFinite else { return "–" }
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = Int((number * scale).rounded())
    guard decimals > 0 else { return grouped(scaled) }
    let fraction = String(scaled % Int(scale))
    return grouped(scaled / Int(scale)) + "." + String(repeating: "0", count: decimals - fraction.count) + fraction
}

/// `1 rule`, `2 rules`.
package func plural(_ count: Int, _ noun: String) -> String { "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")" }

/// A number of bytes: `12.3 MB`.
package func byteAmount(_ bytes: Int) -> String {
    var amount = Double(bytes)
    for unit in ["B", "kB", "MB", "GB"] {
        if amount < 1000 { return (unit == "B" ? String(bytes) : fixed(amount, 1)) + " " + unit }
        amount /= 1000
    }
    return fixed(amount, 1) + " TB"
}

/// A share in a hundred: `0.25 %`, and never `0.00 %` for something.
package func percentage(_ part: Int, of total: Int) -> String {
    if total == 0 || part == 0 { return "0 %" }
    let share = 100 * Double(part) / Double(total)
    if part == total { return "100 %" }
    if share < 0.01 { return "< 0.01 %" }
    return share > 99.99 ? "> 99.99 %" : fixed(share, 2) + " %"
}

/// The shortest number that is as near as a quantile is known.
package func shortened(_ value: Double) -> Double {
    for digits in 1...6 {
        var scale = 1.0
        var size = abs(value)
        guard size > 0, size.isFinite else { return value }
        while size >= 10 { (size, scale) = (size / 10, scale * 10) }
        while size < 1 { (size, scale) = (size * 10, scale / 10) }
        for _ in 1..<digits { scale /= 10 }
        let rounded =
            scale < 1 ? (value / scale).rounded() / (1 / scale).rounded() : (value / scale).rounded() * scale
        if abs(rounded - value) <= abs(value) / 1024 { return rounded }
    }
    return value
}

/// A number as short as it may be: 1,234 or 0.25 or 1.5e+20.
package func numberText(_ value: Double) -> String {
    if value == value.rounded(), abs(value) < 0x1p53 { return grouped(Int(value)) }
    if abs(value) >= 1e15 || abs(value) < 1e-3 { return "\(value)" }
    let decimals = abs(value) >= 1000 ? 2 : 4
    var text = fixed(abs(value), decimals)
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return (value < 0 ? "-" : "") + text
}
