/// A number with so many decimals: `0.25`.
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
package func percentage(_ part: Int, of whole: Int) -> String {
    if whole == 0 || part == 0 { return "0 %" }
    let share = 100 * Double(part) / Double(whole)
    if part == whole { return "100 %" }
    if share < 0.01 { return "< 0.01 %" }
    return share > 99.99 ? "> 99.99 %" : fixed(share, 2) + " %"
}
