internal import Assay
internal import CAssayABI

/// A column after its repairs. Values that rows share are repaired once, and stay shared where the column is judged.
final class RepairedValues {
    private let given: SourceColumn
    private let text: RepairedText
    /// `nil`: each row has a value of its own.
    private let shared: SharedValues?

    /// - Parameters:
    ///   - column: with rows, and sound. It outlives this.
    ///   - options: of which the threads count, that change nothing of what comes of it, and the progress.
    /// - Throws: a fault, or ``NoMemoryError``.
    init(_ column: SourceColumn, _ repairs: CompiledRepairs, limits: MatchLimits, longest: Int, options: CheckOptions)
        throws
    {
        given = column
        var shared: SharedValues?
        if case .dictionary(let indices, let values) = column.values {
            guard values.count < SharedValues.most else {
                throw Fault(
                    column.faultCode, "\(column.path) shares \(values.count) values, and can share \(SharedValues.most)"
                )
            }
            shared = try SharedValues(column, indices, of: values)
        }
        self.shared = shared
        text = try RepairedText(
            shared?.column(like: column) ?? column, uses: shared?.uses, repairs, limits: limits, longest: longest,
            options: options)
    }

    /// Cells that have another value; those that stay as they came; those that each repair of the list changed.
    var changed: UInt64 { text.changed }
    var unsettled: UInt64 { text.unsettled }
    var counts: [UInt64] { text.counts }

    /// As a column to be judged.
    ///
    /// - Precondition: this outlives it.
    func column() -> SourceColumn {
        let values = text.column(like: given)
        guard let shared else { return values }
        return SourceColumn(
            count: given.count, values: .dictionary(Indices(width: .uint32(shared.indices)), values: values),
            path: given.path, faultCode: given.faultCode)
    }

    /// As an Arrow array of large texts: of shared values one for each row.
    ///
    /// - Throws: a fault if there is no memory.
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
