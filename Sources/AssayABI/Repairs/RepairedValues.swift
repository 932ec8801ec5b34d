internal import Assay
internal import CAssayABI

/// A column after its repairs. Shared values are repaired once, and remain shared if the column is checked.
final class RepairedValues {
    private let given: SourceColumn
    private let text: RepairedText
    /// The shared values, or `nil` if each row has its own value.
    private let shared: SharedValues?

    /// - Parameters:
    ///   - column: a nonempty column with a valid layout, which must outlive this object.
    ///   - options: provide the threads, which do not affect the output, the progress and the budget.
    /// - Throws: a fault, or ``NoMemoryError``.
    init(_ column: SourceColumn, _ repairs: CompiledRepairs, limits: MatchLimits, longest: Int, options: CheckOptions)
        throws
    {
        given = column
        var shared: SharedValues?
        if case .dictionary(let indices, let values) = column.values {
            guard values.count < SharedValues.maxCount else {
                throw Fault(
                    column.faultCode,
                    "\(column.path) shares \(values.count) values, and can share \(SharedValues.maxCount)"
                )
            }
            shared = try SharedValues(column, indices, of: values)
        }
        self.shared = shared
        text = try RepairedText(
            shared?.column(like: column) ?? column, uses: shared?.uses, repairs, limits: limits, longest: longest,
            options: options)
    }

    /// The counts of changed cells, of unsettled cells, and of cells changed by each repair of the list.
    var changed: UInt64 { text.changed }
    var unsettled: UInt64 { text.unsettled }
    var counts: [UInt64] { text.counts }

    /// The values as a column to check.
    ///
    /// - Precondition: this object outlives the column.
    func column() -> SourceColumn {
        let values = text.column(like: given)
        return shared?.dictionary(like: given, values: values) ?? values
    }

    /// The values as an Arrow array of large texts, with one value per row.
    ///
    /// - Throws: a fault if memory runs out.
    func array(_ allocator: Allocator) throws(Fault) -> OutgoingArray {
        guard let shared else { return try text.array(allocator) }
        let values = text.column(like: given)
        var byteCount = UInt64(0)
        for value in 0..<shared.count {
            let length = UInt64(values.text(value)?.count ?? 0)
            let (bytes, isTooMuch) = length.multipliedReportingOverflow(by: shared.uses[value])
            let (sum, isTooLong) = byteCount.addingReportingOverflow(bytes)
            guard !isTooMuch, !isTooLong, sum <= UInt64(Int.max) else { throw RepairedText.tooLong }
            byteCount = sum
        }
        let bits = try Block(8 * maskWords(given.count), allocator)
        let bytes = try Block(Int(byteCount), allocator)
        let ends = try Block(MemoryLayout<Int64>.stride * (given.count + 1), allocator)
        let (words, end) = (bits.words(), ends.bytes.assumingMemoryBound(to: Int64.self))
        var place = 0
        for row in 0..<given.count {
            if let value = values.text(Int(shared.indices[row])) {
                words[row / 64] |= 1 << UInt64(row % 64)
                if let base = value.baseAddress, value.count > 0 {
                    (bytes.bytes + place).copyMemory(from: base, byteCount: value.count)
                }
                place += value.count
            }
            end[row + 1] = Int64(place)
        }
        return OutgoingArray(
            length: given.count, nullCount: text.nullCount, buffers: [text.nullCount > 0 ? bits : nil, ends, bytes])
    }
}
