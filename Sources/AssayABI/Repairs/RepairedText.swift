internal import Assay
internal import AssayFiles
internal import CAssay
internal import CAssayABI

/// The values of a column after its repairs, in new memory.
///
///     column    " Anna", null, "N/A"        [trim, {missing: [N/A]}]
///     text      Anna            offsets   0 4 4 4        validity   100
///
/// Values that become missing are null. Values that are not UTF-8 or too long to be checked are unchanged; the latter
/// are not copied.
final class RepairedText {
    let count: Int
    private var counted: Counts
    private var text = TextBuffer()
    private let offsets: UnsafeMutablePointer<Int64>
    private let validity: UnsafeMutablePointer<UInt64>
    /// Values that are too long to be checked, in the order of their rows; they are empty in the text.
    private var far: [FarValue] = []
    /// The address and length of each value, if some are far.
    private var pointers: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
    private var lengths: UnsafeMutablePointer<Int>?

    /// The padding before the text, because readers may read up to 15 bytes before a value.
    static let before = 16
    /// The rows that one thread repairs at a time. With slow repairs, this limits the time until a cancelled call
    /// returns.
    private static let rowsAtOnce = SchemaEvaluator.sliceRows

    /// The counts of changed cells. Counts can be added.
    struct Counts: Sendable {
        var nulls: UInt64 = 0
        /// Cells with a changed value.
        private(set) var changed: UInt64 = 0
        /// Cells left unchanged, because applying their repairs again would change them again.
        var unsettled: UInt64 = 0
        /// The number of cells that each repair of the list changed.
        private(set) var byRepair: [UInt64]

        init(repairs: Int) { byRepair = Array(repeating: 0, count: repairs) }

        /// Counts cells that these repairs changed.
        mutating func count(_ causes: UInt32, cells: UInt64) {
            changed += cells
            for repair in byRepair.indices where causes >> UInt32(repair) & 1 != 0 { byRepair[repair] += cells }
        }

        mutating func add(_ other: Counts) {
            nulls += other.nulls
            changed += other.changed
            unsettled += other.unsettled
            for repair in byRepair.indices { byRepair[repair] += other.byRepair[repair] }
        }
    }

    /// The number of cells without a value.
    var nullCount: Int { Int(counted.nulls) }
    var changed: UInt64 { counted.changed }
    var unsettled: UInt64 { counted.unsettled }
    var counts: [UInt64] { counted.byRepair }

    /// - Parameters:
    ///   - uses: the number of cells with each value; `nil` means one.
    ///   - options: provide the threads, which do not affect the output, the progress and the budget.
    /// - Throws: a fault if the progress callback ends the repair, or ``NoMemoryError``.
    init(
        _ column: SourceColumn, uses: UnsafePointer<UInt64>?, _ repairs: CompiledRepairs, limits: MatchLimits,
        longest: Int, options: CheckOptions
    ) throws {
        count = column.count
        counted = Counts(repairs: repairs.description.count)
        // One block for both. An array of nulls, or with one run, can have more rows than fit in memory.
        let (offsetCount, words) = (column.count + 1, maskWords(column.count))
        offsets = try reserve(offsetCount + words, for: Self.purpose)
        validity = UnsafeMutableRawPointer(offsets + offsetCount).bindMemory(to: UInt64.self, capacity: words)
        offsets.initialize(repeating: 0, count: offsetCount)
        validity.initialize(repeating: 0, count: words)
        let queue = ChunkQueue(count: column.count, chunkRows: Self.rowsAtOnce, progress: options.preparing.control)
        let parts = Parts(
            column, uses: uses, repairs, limits: limits, longest: longest, offsets: offsets, validity: validity,
            account: options.account)
        onThreads(queue.threads(atMost: options.threads)) { parts.repair(queue) }
        try parts.expectNoFailure()
        if queue.isStopped { throw Fault.cancelled }
        for _ in 0..<Self.before { text.append(UInt8(0)) }
        offsets[0] = Int64(Self.before)
        parts.takeAll { rows in
            for row in rows.rows { offsets[row + 1] += Int64(text.count) }
            text.append(UnsafePointer(rows.text.bytes), rows.text.count)
            far += rows.far
            counted.add(rows.counts)
        }
        if !far.isEmpty { try findPlaces() }
    }

    private static let purpose = "repaired values"
    static var tooLong: Fault { Fault(ASSAY_FAULT_MEMORY, "the repaired values are longer than any memory") }

    deinit {
        release(offsets)
        release(pointers)
        release(lengths)
    }

    /// Records the address and length of each value, because some are not in the text.
    private func findPlaces() throws(NoMemoryError) {
        let pointers = try reserve(count, of: UnsafePointer<UInt8>?.self, for: Self.purpose)
        self.pointers = pointers
        let lengths = try reserve(count, of: Int.self, for: Self.purpose)
        self.lengths = lengths
        for row in 0..<count {
            (pointers + row).initialize(to: UnsafePointer(text.bytes) + Int(offsets[row]))
            (lengths + row).initialize(to: Int(offsets[row + 1] - offsets[row]))
        }
        for value in far { (pointers[value.row], lengths[value.row]) = (value.bytes.baseAddress, value.bytes.count) }
    }

    /// The rows repaired by all threads, in any order.
    private final class Parts: @unchecked Sendable {
        // SAFETY: the column is constant; each thread writes only to the offsets and words of its own rows; the rest is
        // locked.
        private let column: SourceColumn
        private let uses: UnsafePointer<UInt64>?
        private let repairs: CompiledRepairs
        private let limits: MatchLimits
        private let longest: Int
        private let offsets: UnsafeMutablePointer<Int64>
        private let validity: UnsafeMutablePointer<UInt64>
        private let account: BudgetAccount?
        private let done = Lock(Done())

        private struct Done {
            var parts: [Part] = []
            var failure: NoMemoryError?
        }

        /// A part as an element of an array.
        private final class Part: @unchecked Sendable {
            // SAFETY: one thread creates it, and another thread uses it after all threads have finished.
            let rows: RepairedRows

            init(_ rows: consuming RepairedRows) { self.rows = rows }
        }

        init(
            _ column: SourceColumn, uses: UnsafePointer<UInt64>?, _ repairs: CompiledRepairs, limits: MatchLimits,
            longest: Int, offsets: UnsafeMutablePointer<Int64>, validity: UnsafeMutablePointer<UInt64>,
            account: BudgetAccount?
        ) {
            self.account = account
            self.uses = uses
            (self.column, self.repairs, self.limits, self.longest) = (column, repairs, limits, longest)
            (self.offsets, self.validity) = (offsets, validity)
        }

        /// Repairs one thread's share of the rows.
        func repair(_ queue: ChunkQueue) {
            do throws(NoMemoryError) {
                let repairer = try SliceRepairer(repairs, limits: limits, longest: longest)
                while let rows = queue.take() {
                    // The text then omits these rows, but rules do not read it, because all rows are over the budget.
                    if let account, !account.spend(ticks(rows)) { continue }
                    let part = Part(
                        try RepairedRows(
                            column, uses: uses, rows, repairs.description, repairer, longest: longest,
                            offsets: offsets, validity: validity))
                    _ = account?.hold(part.rows.text.count)
                    done.withLock { $0.parts.append(part) }
                    queue.finish(rows)
                }
            } catch {
                queue.stop()
                done.withLock { $0.failure = error }
            }
        }

        private func ticks(_ rows: Range<Int>) -> Int {
            let bytes = rows.reduce(0) { $0 + (column.text($1)?.count ?? 0) }
            return (BudgetAccount.ticksPerByte * bytes + rows.count) * repairs.description.count
        }

        func expectNoFailure() throws(NoMemoryError) {
            if let failure = done.withLock({ $0.failure }) { throw failure }
        }

        /// Passes the parts to `body`, in the order of their rows.
        func takeAll(_ body: (borrowing RepairedRows) -> Void) {
            let parts = done.withLock { $0.parts }
            for part in parts.sorted(by: { $0.rows.rows.lowerBound < $1.rows.rows.lowerBound }) { body(part.rows) }
        }
    }

    /// The values as a column to check.
    ///
    /// - Precondition: this object and the original column outlive the column.
    func column(like other: SourceColumn) -> SourceColumn {
        let isValid = Bitmap(bytes: UnsafeRawPointer(validity).assumingMemoryBound(to: UInt8.self), offset: 0)
        var values = SourceColumn.Values.offsets64(UnsafePointer(text.bytes), offsets)
        if let pointers, let lengths { values = .pointers(pointers, lengths: lengths) }
        return SourceColumn(
            count: count, values: values, path: other.path, faultCode: other.faultCode, validity: [isValid])
    }

    /// The values as an Arrow array of large texts.
    func array(_ allocator: Allocator) throws(Fault) -> OutgoingArray {
        let bits = try Block(8 * maskWords(count), allocator)
        bits.words().update(from: validity, count: maskWords(count))
        var byteCount = text.count - Self.before
        for value in far {
            let (sum, overflows) = byteCount.addingReportingOverflow(value.bytes.count)
            if overflows { throw Self.tooLong }
            byteCount = sum
        }
        let bytes = try Block(byteCount, allocator)
        let ends = try Block(MemoryLayout<Int64>.stride * (count + 1), allocator)
        let end = ends.bytes.assumingMemoryBound(to: Int64.self)
        // The number of copied bytes of the text, and the distance to their copies.
        var (copied, shift) = (Self.before, -Self.before)
        func copyText(to place: Int) {
            (bytes.bytes + copied + shift).copyMemory(from: text.bytes + copied, byteCount: place - copied)
            copied = place
        }
        var rest = far[...]
        for row in 0..<count {
            if let value = rest.first, value.row == row, let base = value.bytes.baseAddress {
                rest.removeFirst()
                copyText(to: Int(offsets[row]))
                (bytes.bytes + copied + shift).copyMemory(from: base, byteCount: value.bytes.count)
                shift += value.bytes.count
            }
            end[row + 1] = offsets[row + 1] + Int64(shift)
        }
        copyText(to: text.count)
        return OutgoingArray(
            length: count, nullCount: nullCount, buffers: [nullCount > 0 ? bits : nil, ends, bytes])
    }
}
