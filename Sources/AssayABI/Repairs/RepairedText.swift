internal import Assay
internal import AssayFiles
internal import CAssay
internal import CAssayABI

/// The values of a column after its repairs, in memory of its own.
///
///     column    " Anna", null, "N/A"        [trim, {missing: [N/A]}]
///     text      Anna            offsets   0 4 4 4        validity   100
///
/// What becomes missing is null. Values that are not UTF-8 or too long to be judged are as they came; the latter stay where they are.
final class RepairedText {
    let count: Int
    private var counted: Counts
    private var text = TextBuffer()
    private let offsets: UnsafeMutablePointer<Int64>
    private let validity: UnsafeMutablePointer<UInt64>
    /// Values that are too long to be judged, in the order of their rows; in the text they are empty.
    private var far: [FarValue] = []
    /// Where each value is and how long, if some are far.
    private var pointers: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
    private var lengths: UnsafeMutablePointer<Int>?

    /// Readers may look at up to 15 bytes before a value.
    static let before = 16
    /// What one thread repairs at a time: where repairs are slow, as long as a caller waits who ends them.
    private static let rowsAtOnce = SchemaJudge.sliceRows

    /// What became of the cells. Counts add up.
    struct Counts: Sendable {
        var nulls: UInt64 = 0
        /// Cells that have another value.
        private(set) var changed: UInt64 = 0
        /// Cells that stay as they came, since their repairs would change them a second time.
        var unsettled: UInt64 = 0
        /// Cells that each repair of the list changed.
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

    /// Cells without a value.
    var nullCount: Int { Int(counted.nulls) }
    var changed: UInt64 { counted.changed }
    var unsettled: UInt64 { counted.unsettled }
    var counts: [UInt64] { counted.byRepair }

    /// - Parameters:
    ///   - uses: how many cells have each of the values; `nil`: one.
    ///   - options: of which the threads count, that change nothing of what comes of it, and the progress.
    /// - Throws: a fault when the progress callback ends it, or ``NoMemoryError``.
    init(
        _ column: SourceColumn, uses: UnsafePointer<UInt64>?, _ repairs: CompiledRepairs, limits: MatchLimits,
        longest: Int, options: CheckOptions
    ) throws {
        count = column.count
        counted = Counts(repairs: repairs.description.count)
        // Both in one block. An array of nulls, or of one run, can have more rows than there is memory for.
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

    /// Notes where each value is, since not all are in the text.
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

    /// What the threads have repaired, in any order.
    private final class Parts: @unchecked Sendable {
        // SAFETY: the column stays as it is; each thread writes to the offsets and words of its own rows; the rest is locked.
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
            // SAFETY: made by one thread, and used by another when all are done.
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

        /// Does one thread's share of the rows.
        func repair(_ queue: ChunkQueue) {
            do throws(NoMemoryError) {
                let repairer = try SliceRepairer(repairs, limits: limits, longest: longest)
                while let rows = queue.take() {
                    // The text then lacks these rows, but no rule reads it: all rows are over the budget.
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

        /// Gives out the parts in the order of their rows.
        func takeAll(_ body: (borrowing RepairedRows) -> Void) {
            let parts = done.withLock { $0.parts }
            for part in parts.sorted(by: { $0.rows.rows.lowerBound < $1.rows.rows.lowerBound }) { body(part.rows) }
        }
    }

    /// As a column to be judged.
    ///
    /// - Precondition: this and the column that it was made of outlive it.
    func column(like other: SourceColumn) -> SourceColumn {
        let isValid = Bitmap(bytes: UnsafeRawPointer(validity).assumingMemoryBound(to: UInt8.self), offset: 0)
        var values = SourceColumn.Values.offsets64(UnsafePointer(text.bytes), offsets)
        if let pointers, let lengths { values = .pointers(pointers, lengths: lengths) }
        return SourceColumn(
            count: count, values: values, path: other.path, faultCode: other.faultCode, validity: [isValid])
    }

    /// As an Arrow array of large texts.
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
        // How much of the text has been copied, and how far from there its copies are.
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
