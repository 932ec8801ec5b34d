internal import Assay

extension SourceColumn {
    /// A column of Booleans as a dictionary of two values, so that each value is checked once. `nil` for other columns,
    /// and if checking the rows costs less than the dictionary.
    var booleansAsDictionary: SourceColumn? {
        guard count >= 64, case .written(let writer) = values, let booleans = writer as? BooleanWriter else {
            return nil
        }
        let both = BooleanWriter(bits: Bitmap(bytes: noAndYes, offset: 0), spellings: booleans.spellings)
        return SourceColumn(
            count: count,
            values: .dictionary(
                Indices(width: .bits(booleans.bits)),
                values: SourceColumn(count: 2, values: .written(both), path: path, faultCode: faultCode)),
            path: path, faultCode: faultCode, validity: validity)
    }
}

/// The bits of no and yes.
// SAFETY: written once, here, and only read afterwards.
nonisolated(unsafe) private let noAndYes: UnsafePointer<UInt8> = {
    let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
    byte.initialize(to: 0b10)
    return UnsafePointer(byte)
}()
