internal import Assay

/// Whole numbers, in decimal.
struct IntegerWriter<Number: FixedWidthInteger & BitwiseCopyable & Sendable>: ValueWriter, @unchecked Sendable {
    // SAFETY: the memory is only read, for as long as the call lasts that it was lent to.
    let base: UnsafeRawPointer

    func append(_ row: Int, to text: inout TextBuffer) {
        text.append(decimal: base.loadUnaligned(fromByteOffset: row * MemoryLayout<Number>.stride, as: Number.self))
    }
}

/// True and false, as the field spells them.
struct BooleanWriter: ValueWriter, @unchecked Sendable {
    // SAFETY: as above.
    let bits: Bitmap
    let spellings: (no: String, yes: String)

    func append(_ row: Int, to text: inout TextBuffer) { text.append(bits.isSet(row) ? spellings.yes : spellings.no) }
}

/// Floating-point numbers: the shortest text that is read back as the same number.
struct FloatWriter: ValueWriter, @unchecked Sendable {
    enum Width { case half, single, double }

    // SAFETY: as above.
    let base: UnsafeRawPointer
    let width: Width
    /// Whether a number without a fraction is written without one: where an integer is asked for, `3.0` is `3`. Tables
    /// keep integers as floating-point numbers when some are missing.
    let dropsZeroFraction: Bool
    let decimalPoint: String

    func append(_ row: Int, to text: inout TextBuffer) {
        switch width {
        case .half:
            let bits = base.loadUnaligned(fromByteOffset: 2 * row, as: UInt16.self)
            append(Float(halfBits: bits), to: &text)
        case .single: append(base.loadUnaligned(fromByteOffset: 4 * row, as: Float.self), to: &text)
        case .double: append(base.loadUnaligned(fromByteOffset: 8 * row, as: Double.self), to: &text)
        }
    }

    private func append<Number: BinaryFloatingPoint & LosslessStringConvertible>(
        _ value: Number, to text: inout TextBuffer
    ) {
        if value.isNaN {
            text.append("NaN")
        } else if value.isInfinite {
            text.append(value < 0 ? "-INF" : "INF")
        } else if dropsZeroFraction, let whole = Int64(exactly: value) {
            text.append(decimal: whole)
        } else if decimalPoint == "." {
            text.append(value.description)
        } else {
            for byte in value.description.utf8 {
                if byte == UInt8(ascii: ".") { text.append(decimalPoint) } else { text.append(byte) }
            }
        }
    }
}

extension Float {
    /// A number of 16 bits (IEEE 754 binary16), which not every platform knows.
    fileprivate init(halfBits bits: UInt16) {
        let sign: Float = bits >> 15 == 0 ? 1 : -1
        let (exponent, fraction) = (Int(bits >> 10 & 31), Float(bits & 1023) / 1024)
        switch exponent {
        case 0: self = sign * Float(sign: .plus, exponent: -14, significand: fraction)
        case 31: self = fraction == 0 ? sign * .infinity : .nan
        default: self = sign * Float(sign: .plus, exponent: exponent - 15, significand: 1 + fraction)
        }
    }
}

/// Decimal numbers: whole numbers of some width with the point moved.
struct DecimalWriter: ValueWriter, @unchecked Sendable {
    // SAFETY: as above.
    let base: UnsafeRawPointer
    let bits: Int
    let scale: Int
    let decimalPoint: String

    func append(_ row: Int, to text: inout TextBuffer) {
        let (isNegative, magnitude) =
            switch bits {
            case 32: signed(base.loadUnaligned(fromByteOffset: 4 * row, as: Int32.self))
            case 64: signed(base.loadUnaligned(fromByteOffset: 8 * row, as: Int64.self))
            default: signed128(row)
            }
        let digits = String(magnitude.high, magnitude.low).utf8
        if isNegative { text.append(UInt8(ascii: "-")) }
        let whole = digits.count - scale
        if whole <= 0 {
            text.append("0")
            text.append(decimalPoint)
            for _ in whole..<0 { text.append(UInt8(ascii: "0")) }
        }
        for (place, digit) in digits.enumerated() {
            if place == whole && place > 0 { text.append(decimalPoint) }
            text.append(digit)
        }
    }

    private typealias Magnitude = (high: UInt64, low: UInt64)

    private func signed(_ value: some FixedWidthInteger) -> (Bool, Magnitude) {
        (value < 0, (0, UInt64(value.magnitude)))
    }

    private func signed128(_ row: Int) -> (Bool, Magnitude) {
        let low = base.loadUnaligned(fromByteOffset: 16 * row, as: UInt64.self)
        let high = base.loadUnaligned(fromByteOffset: 16 * row + 8, as: UInt64.self)
        guard high >> 63 == 1 else { return (false, (high, low)) }
        return (true, (~high &+ (low == 0 ? 1 : 0), ~low &+ 1))
    }
}

extension String {
    /// A number of 128 bits in decimal.
    fileprivate init(_ high: UInt64, _ low: UInt64) {
        // 10^19 is the highest power of ten in 64 bits; dividing by it takes two steps of 128 by 64 bits.
        let chunk: UInt64 = 10_000_000_000_000_000_000
        if high == 0 {
            self = String(low)
            return
        }
        let (highQuotient, highRest) = high.quotientAndRemainder(dividingBy: chunk)
        let (lowQuotient, lowRest) = chunk.dividingFullWidth((highRest, low))
        let tail = String(lowRest)
        self = String(highQuotient, lowQuotient) + String(repeating: "0", count: 19 - tail.utf8.count) + tail
    }
}
