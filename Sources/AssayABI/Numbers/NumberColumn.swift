internal import Assay
internal import CAssay

/// The numbers of an Arrow array in their own form: integers, floating-point numbers, decimal numbers, or counts of
/// days and units.
struct NumberColumn: @unchecked Sendable {
    let format: ArrowFormat
    /// The number of row 0.
    // SAFETY: the memory is only read, and only during the call that lent it.
    let values: UnsafeRawPointer
    let domain: NumberDomain

    /// - Parameter start: the row of the buffer that is row 0.
    init?(_ format: ArrowFormat, _ base: UnsafeRawPointer, start: Int) {
        guard let domain = NumberDomain(format) else { return nil }
        self.format = format
        self.domain = domain
        values = base + start * assay_number_size(domain.form)
    }

    func values(from row: Int) -> UnsafeRawPointer { values + row * assay_number_size(domain.form) }
}

/// The numbers of a form as consecutive integers in the same order, so that a binary search finds bounds.
///
///     float64    −5e-324   −0.0   0.0   5e-324   1e-323 …
///     ordinal         −1      0     0        1        2 …
struct NumberDomain: Sendable {
    let form: assay_number_form
    /// All integers; all finite floating-point numbers; all decimal numbers of 38 digits.
    let ordinals: ClosedRange<Int128>

    /// Whether the form has no other numbers, such as NaN.
    var isComplete: Bool {
        switch form {
        case .ASSAY_NUMBER_FLOAT32, .ASSAY_NUMBER_FLOAT64, .ASSAY_NUMBER_INT128: false
        default: true
        }
    }

    init?(_ format: ArrowFormat) {
        switch format {
        case .integer(.int8): self.init(.ASSAY_NUMBER_INT8, Int8.self)
        case .integer(.int16): self.init(.ASSAY_NUMBER_INT16, Int16.self)
        case .integer(.int32), .date32, .decimal(_, bits: 32), .time(_, bits: 32):
            self.init(.ASSAY_NUMBER_INT32, Int32.self)
        case .integer(.int64), .date64, .decimal(_, bits: 64), .time, .timestamp:
            self.init(.ASSAY_NUMBER_INT64, Int64.self)
        case .integer(.uint8): self.init(.ASSAY_NUMBER_UINT8, UInt8.self)
        case .integer(.uint16): self.init(.ASSAY_NUMBER_UINT16, UInt16.self)
        case .integer(.uint32): self.init(.ASSAY_NUMBER_UINT32, UInt32.self)
        case .integer(.uint64): self.init(.ASSAY_NUMBER_UINT64, UInt64.self)
        case .float(bits: 32):
            let greatest = Int128(Float.greatestFiniteMagnitude.bitPattern)
            self.init(form: .ASSAY_NUMBER_FLOAT32, ordinals: -greatest...greatest)
        case .float(bits: 64):
            let greatest = Int128(Double.greatestFiniteMagnitude.bitPattern)
            self.init(form: .ASSAY_NUMBER_FLOAT64, ordinals: -greatest...greatest)
        case .decimal(_, bits: 128):
            let greatest = (0..<38).reduce(Int128(1)) { power, _ in power * 10 } - 1
            self.init(form: .ASSAY_NUMBER_INT128, ordinals: -greatest...greatest)
        case .null, .boolean, .float, .decimal, .text32, .text64, .textView, .structure, .runs, .other: return nil
        }
    }

    private init(form: assay_number_form, ordinals: ClosedRange<Int128>) {
        (self.form, self.ordinals) = (form, ordinals)
    }

    private init<Number: FixedWidthInteger>(_ form: assay_number_form, _ type: Number.Type) {
        self.init(form: form, ordinals: Int128(Number.min)...Int128(Number.max))
    }

    func number(_ ordinal: Int128) -> assay_number {
        var number = assay_number()
        switch form {
        case .ASSAY_NUMBER_INT8, .ASSAY_NUMBER_INT16, .ASSAY_NUMBER_INT32, .ASSAY_NUMBER_INT64:
            number.integer = Int64(ordinal)
        case .ASSAY_NUMBER_UINT8, .ASSAY_NUMBER_UINT16, .ASSAY_NUMBER_UINT32, .ASSAY_NUMBER_UINT64:
            number.natural = UInt64(ordinal)
        case .ASSAY_NUMBER_INT128:
            number.wide = assay_wide_number(
                low: UInt64(truncatingIfNeeded: ordinal), high: Int64(truncatingIfNeeded: ordinal >> 64))
        case .ASSAY_NUMBER_FLOAT32:
            let magnitude = Float(bitPattern: UInt32(ordinal.magnitude))
            number.real = Double(ordinal < 0 ? -magnitude : magnitude)
        case .ASSAY_NUMBER_FLOAT64:
            let magnitude = Double(bitPattern: UInt64(ordinal.magnitude))
            number.real = ordinal < 0 ? -magnitude : magnitude
        }
        return number
    }

    func range(_ ordinals: ClosedRange<Int128>) -> assay_number_range {
        assay_number_range(low: number(ordinals.lowerBound), high: number(ordinals.upperBound))
    }

    /// Stores a number as in an array.
    func store(_ ordinal: Int128, to memory: UnsafeMutableRawPointer) {
        let number = number(ordinal)
        switch form {
        case .ASSAY_NUMBER_FLOAT32: memory.storeBytes(of: Float(number.real), as: Float.self)
        case .ASSAY_NUMBER_FLOAT64: memory.storeBytes(of: number.real, as: Double.self)
        case .ASSAY_NUMBER_INT128: memory.storeBytes(of: number.wide, as: assay_wide_number.self)
        // The low bytes of a signed and of an unsigned integer are the same.
        case .ASSAY_NUMBER_INT8, .ASSAY_NUMBER_UINT8:
            memory.storeBytes(of: UInt8(truncatingIfNeeded: ordinal), as: UInt8.self)
        case .ASSAY_NUMBER_INT16, .ASSAY_NUMBER_UINT16:
            memory.storeBytes(of: UInt16(truncatingIfNeeded: ordinal), as: UInt16.self)
        case .ASSAY_NUMBER_INT32, .ASSAY_NUMBER_UINT32:
            memory.storeBytes(of: UInt32(truncatingIfNeeded: ordinal), as: UInt32.self)
        case .ASSAY_NUMBER_INT64, .ASSAY_NUMBER_UINT64:
            memory.storeBytes(of: UInt64(truncatingIfNeeded: ordinal), as: UInt64.self)
        }
    }
}
