/// A generator that returns the same numbers for a seed on every machine (SplitMix64), so that all measure the same
/// data.
struct Random: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number in 0 ..< bound.
    mutating func below(_ bound: Int) -> Int { Int(truncatingIfNeeded: next() % UInt64(bound)) }

    mutating func between(_ low: Int, _ high: Int) -> Int { low + below(high - low + 1) }

    /// Returns true with a probability of `percent`.
    mutating func chance(_ percent: Double) -> Bool { Double(next() >> 11) < percent / 100 * Double(UInt64(1) << 53) }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}

extension [UInt8] {
    mutating func append(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a decimal number, padded with zeros to `width` digits.
    mutating func append(_ number: Int, width: Int = 1) {
        var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
        Swift.withUnsafeMutableBytes(of: &digits) { digits in
            var rest = number
            var first = digits.count
            while rest > 0 || digits.count - first < width {
                first -= 1
                digits[first] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            }
            append(contentsOf: digits[first...])
        }
    }

    /// Appends `count` characters of an alphabet.
    mutating func append(_ count: Int, of alphabet: [UInt8], _ random: inout Random) {
        for _ in 0..<count { append(random.pick(alphabet)) }
    }
}
