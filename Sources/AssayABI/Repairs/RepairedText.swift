internal import Assay
internal import AssayFiles
internal import CAssay

/// The values of a column after its repairs, in memory of its own.
///
///     column    " Anna", null, "N/A"        [trim, {missing: [N/A]}]
///     text      Anna            offsets   0 4 4 4        validity   100
///
/// What becomes missing is null. Values that are not UTF-8 or too long to be judged are as they came.
final class RepairedText {
    let count: Int
    private var counted: Counts
    private var text = TextBuffer()
    private let offsets: UnsafeMutablePointer<Int64>
    private let validity: UnsafeMutablePointer<UInt64>

    /// Readers may look at up to 15 bytes before a value.
    static let before = 16
    /// What one thread repairs at a time.
    private static let rowsAtOnce = 32 * SchemaJudge.sliceRows

    /// What became of the cells. Counts add up.
    struct Counts: Sendable {
        var nulls = 0
        /// Cells that have another value.
        private(set) var changed: UInt64 = 0
        /// Cells that stay as they came, since their repairs would change them a second time.
        var unsettled: UInt64 = 0
        /// Cells that each repair of the list changed.
        private(set) var byRepair: [UInt64]

        init(repairs: Int) { byRepair = Array(repeating: 0, count: repairs) }

        /// Counts a cell that these repairs changed.
        mutating func count(_ causes: UInt32) {
            changed += 1
            for repair in byRepair.indices where causes >> UInt32(repair) & 1 != 0 { byRepair[repair] += 1 }
        }

        mutating func add(_ other: Counts) {
            nulls += other.nulls
            changed += other.changed
            unsettled += other.unsettled
            for repair in byRepair.indices { byRepair[repair] += other.byRepair[repair] }
        }
    }

    var nullCount: Int { counted.nulls }
    var changed: UInt64 { counted.changed }
    var unsettled: UInt64 { counted.unsettled }
    var counts: [UInt64] { counted.byRepair }

    /// - Parameter threads: how many may work. What comes of it is the same for any number.
    init(
        _ column: SourceColumn, _ repairs: CompiledRepairs, limits: MatchLimits, longest: Int, threads: Int
    ) throws(NoMemoryError) {
        count = column.count
        counted = Counts(repairs: repairs.description.count)
        validity = .allocate(capacity: max(1, maskWords(column.count)))
        validity.initialize(repeating: 0, count: max(1, maskWords(column.count)))
        offsets = .allocate(capacity: column.count + 1)
        offsets.initialize(repeating: 0, count: column.count + 1)
        let queue = ChunkQueue(count: column.count, chunkRows: Self.rowsAtOnce)
        let parts = Parts(column, repairs, limits: limits, longest: longest, offsets: offsets, validity: validity)
        onThreads(queue.threads(atMost: threads)) { parts.repair(queue) }
        for _ in 0..<Self.before { text.append(UInt8(0)) }
        offsets[0] = Int64(Self.before)
        try parts.takeAll { rows in
            for row in rows.rows { offsets[row + 1] += Int64(text.count) }
            text.append(UnsafePointer(rows.text.bytes), rows.text.count)
            counted.add(rows.counts)
        }
    }

    deinit {
        validity.deallocate()
        offsets.deallocate()
    }

    /// What the threads have repaired, in any order.
    private final class Parts: @unchecked Sendable {
        // SAFETY: the column stays as it is; each thread writes to the offsets and words of its own rows; the rest is locked.
        private let column: SourceColumn
        private let repairs: CompiledRepairs
        private let limits: MatchLimits
        private let longest: Int
        private let offsets: UnsafeMutablePointer<Int64>
        private let validity: UnsafeMutablePointer<UInt64>
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
            _ column: SourceColumn, _ repairs: CompiledRepairs, limits: MatchLimits, longest: Int,
            offsets: UnsafeMutablePointer<Int64>, validity: UnsafeMutablePointer<UInt64>
        ) {
            (self.column, self.repairs, self.limits, self.longest) = (column, repairs, limits, longest)
            (self.offsets, self.validity) = (offsets, validity)
        }

        /// Does one thread's share of the rows.
        func repair(_ queue: ChunkQueue) {
            do throws(NoMemoryError) {
                let repairer = try SliceRepairer(repairs, limits: limits, longest: longest)
                while let rows = queue.take() {
                    let part = Part(
                        try RepairedRows(
                            column, rows, repairs.description, repairer, longest: longest, offsets: offsets,
                            validity: validity))
                    done.withLock { $0.parts.append(part) }
                }
            } catch {
                queue.stop()
                done.withLock { $0.failure = error }
            }
        }

        /// Gives out the parts in the order of their rows.
        func takeAll(_ body: (borrowing RepairedRows) -> Void) throws(NoMemoryError) {
            let done = done.withLock { $0 }
            if let failure = done.failure { throw failure }
            for part in done.parts.sorted(by: { $0.rows.rows.lowerBound < $1.rows.rows.lowerBound }) { body(part.rows) }
        }
    }

    /// As a column to be judged.
    ///
    /// - Precondition: this outlives it.
    func column(like other: SourceColumn) -> SourceColumn {
        let isValid = Bitmap(bytes: UnsafeRawPointer(validity).assumingMemoryBound(to: UInt8.self), offset: 0)
        return SourceColumn(
            count: count, values: .offsets64(UnsafePointer(text.bytes), offsets), path: other.path,
            faultCode: other.faultCode, validity: [isValid])
    }

    /// As an Arrow array of large texts.
    func array(_ allocator: Allocator) throws(Fault) -> OutgoingArray {
        let bits = try Block(8 * maskWords(count), allocator)
        bits.words().update(from: validity, count: maskWords(count))
        let bytes = try Block(text.count - Self.before, allocator)
        bytes.bytes.copyMemory(from: text.bytes + Self.before, byteCount: text.count - Self.before)
        let offsets = try Block((0...count).map { self.offsets[$0] - Int64(Self.before) }, allocator)
        return OutgoingArray(
            length: count, nullCount: nullCount, buffers: [nullCount > 0 ? bits : nil, offsets, bytes])
    }
}
