internal import Assay
internal import CAssay

/// Writes integers in decimal.
struct IntegerWriter<Number: FixedWidthInteger & BitwiseCopyable & Sendable>: ValueWriter, @unchecked Sendable {
    // SAFETY: the memory is only read, and only during the call that lent it.
    let base: UnsafeRawPointer

    func append(_ row: Int, to text: inout TextBuffer) {
        text.append(decimal: base.loadUnaligned(fromByteOffset: row * MemoryLayout<Number>.stride, as: Number.self))
    }

    func append(
        _ rows: Range<Int>, skipping skipped: UnsafePointer<UInt64>, to text: inout TextBuffer,
        cells: UnsafeMutablePointer<assay_cell>
    ) {
        let start = text.count
        text.append(atMost: Int(ASSAY_NUMBER_MAX_TEXT) * rows.count) { target in
            assay_numbers_write(
                form, base + rows.lowerBound * MemoryLayout<Number>.stride, rows.count, skipped, target, start, cells)
        }
    }

    private var form: assay_number_form {
        switch (Number.bitWidth, Number.isSigned) {
        case (8, true): .ASSAY_NUMBER_INT8
        case (16, true): .ASSAY_NUMBER_INT16
        case (32, true): .ASSAY_NUMBER_INT32
        case (_, true): .ASSAY_NUMBER_INT64
        case (8, false): .ASSAY_NUMBER_UINT8
        case (16, false): .ASSAY_NUMBER_UINT16
        case (32, false): .ASSAY_NUMBER_UINT32
        case (_, false): .ASSAY_NUMBER_UINT64
        }
    }
}

/// Writes booleans in the spelling of the field.
struct BooleanWriter: ValueWriter, @unchecked Sendable {
    // SAFETY: as above.
    let bits: Bitmap
    let spellings: (no: String, yes: String)

    func append(_ row: Int, to text: inout TextBuffer) { text.append(bits.isSet(row) ? spellings.yes : spellings.no) }
}

/// Writes floating-point numbers: the shortest text that parses to the same number.
struct FloatWriter: ValueWriter, @unchecked Sendable {
    enum Width { case half, single, double }

    // SAFETY: as above.
    let base: UnsafeRawPointer
    let width: Width
    /// Whether to omit a zero fraction: `3.0` is `3` if the field is an integer. Data frames store integers as
    /// floating-point numbers if some are missing.
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
        } else if dropsZeroFraction, let integral = Int64(exactly: value) {
            text.append(decimal: integral)
        } else if dropsZeroFraction, value.magnitude >= 0x1p63 {
            appendIntegral(Double(value), to: &text)
        } else if decimalPoint == "." {
            text.append(value.description)
        } else {
            for byte in value.description.utf8 {
                if byte == UInt8(ascii: ".") { text.append(decimalPoint) } else { text.append(byte) }
            }
        }
    }
}

extension FloatWriter {
    /// Appends all digits of a number beyond 64 bits, which is therefore an integer.
    private func appendIntegral(_ value: Double, to text: inout TextBuffer) {
        let significand = value.significandBitPattern | 1 << UInt64(Double.significandBitCount)
        let shift = Int(value.exponent) - Double.significandBitCount
        if value < 0 { text.append(UInt8(ascii: "-")) }
        // The largest number has 1024 bits, 16 limbs. One more limb keeps `shift / 64 + 1` in bounds.
        withDigits(limbs: 17) { limbs in
            limbs[shift / 64] = significand << UInt64(shift % 64)
            limbs[shift / 64 + 1] = significand >> UInt64(64 - shift % 64)
        } body: { digits in
            text.append(digits.baseAddress!, digits.count)
        }
    }
}

extension Float {
    /// Converts a 16-bit number (IEEE 754 binary16), because not every platform has this type.
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

/// Writes decimal numbers: integers of a fixed width with a scale.
struct DecimalWriter: ValueWriter, @unchecked Sendable {
    // SAFETY: as above.
    let base: UnsafeRawPointer
    let bits: Int
    /// The number of digits after the point; if negative, the number of zeros to append.
    let scale: Int
    /// Whether to omit a zero fraction, as for floating-point numbers: `5.00` is `5` if the field is an integer.
    let dropsZeroFraction: Bool
    let decimalPoint: String

    func append(_ row: Int, to text: inout TextBuffer) {
        var isNegative = false
        withDigits(limbs: max(1, bits / 64)) { limbs in
            isNegative = load(row, limbs)
        } body: { digits in
            if isNegative { text.append(UInt8(ascii: "-")) }
            if dropsZeroFraction, scale > 0, digits.suffix(scale).allSatisfy({ $0 == UInt8(ascii: "0") }) {
                text.append(digits.baseAddress!, max(1, digits.count - scale))
                return
            }
            let integerDigits = digits.count - max(0, scale)
            if integerDigits <= 0 {
                text.append("0")
                text.append(decimalPoint)
                for _ in integerDigits..<0 { text.append(UInt8(ascii: "0")) }
            }
            for (place, digit) in digits.enumerated() {
                if place == integerDigits && place > 0 { text.append(decimalPoint) }
                text.append(digit)
            }
            if scale < 0 && digits[0] != UInt8(ascii: "0") {
                for _ in scale..<0 { text.append(UInt8(ascii: "0")) }
            }
        }
    }

    /// Writes the magnitude of a number, the lowest limb first. Returns whether the number is negative.
    private func load(_ row: Int, _ limbs: UnsafeMutableBufferPointer<UInt64>) -> Bool {
        if bits == 32 {
            let value = base.loadUnaligned(fromByteOffset: 4 * row, as: Int32.self)
            limbs[0] = UInt64(value.magnitude)
            return value < 0
        }
        for place in limbs.indices {
            limbs[place] = base.loadUnaligned(fromByteOffset: bits / 8 * row + 8 * place, as: UInt64.self)
        }
        guard limbs[limbs.count - 1] >> 63 == 1 else { return false }
        var carry = true
        for place in limbs.indices {
            (limbs[place], carry) = (~limbs[place]).addingReportingOverflow(carry ? 1 : 0)
        }
        return true
    }
}

/// Calls `body` with the decimal digits of an integer, which `fill` writes to 64-bit limbs, the lowest first.
private func withDigits(
    limbs count: Int, fill: (UnsafeMutableBufferPointer<UInt64>) -> Void, body: (UnsafeBufferPointer<UInt8>) -> Void
) {
    // 10^19 is the largest power of ten in 64 bits.
    let (chunk, chunkDigits): (UInt64, Int) = (10_000_000_000_000_000_000, 19)
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: count) { limbs in
        limbs.initialize(repeating: 0)
        fill(limbs)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20 * count) { digits in
            var start = digits.count
            var used = limbs.count
            func dropZeros() { while used > 0 && limbs[used - 1] == 0 { used -= 1 } }
            dropZeros()
            repeat {
                var rest: UInt64 = 0
                for place in (0..<used).reversed() {
                    (limbs[place], rest) = chunk.dividingFullWidth((rest, limbs[place]))
                }
                dropZeros()
                let end = start
                repeat {
                    start -= 1
                    digits[start] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                } while rest > 0 || used > 0 && end - start < chunkDigits
            } while used > 0
            body(UnsafeBufferPointer(rebasing: digits[start...]))
        }
    }
}
