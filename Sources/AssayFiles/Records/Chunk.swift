internal import CAssay

/// Some whole records of a file, as they lie in one worker's buffer, and where in the file they stand.
///
///     bytes   7,"a ""b""",x⏎8,c,y⏎9,d…         | free bytes for undoing doubled quotes
///             ├─────records──────────┤unfinished|
///             0                  consumed     count                          2 × capacity
///
/// Made once for each worker and filled again and again. Belongs to one thread at a time.
package final class Chunk {
    let bytes: UnsafeMutablePointer<UInt8>
    let capacity: Int
    /// Bytes of the file in the buffer.
    var count = 0
    let batch: UnsafeMutablePointer<assay_batch>

    /// Which chunk of the file this is, from 0.
    package var sequence = 0
    /// Where in the file the buffer starts, in bytes, in records before it, and in lines before it.
    var firstOffset = 0
    var recordsBefore = 0
    var linesBefore = 0
    /// The line on which the record started that this chunk begins in the middle of.
    var overlongLine = 0

    /// - Parameter capacity: the most bytes of the file it can hold. Memory is taken up only as it is used.
    init(capacity: Int) {
        self.capacity = capacity
        bytes = .allocate(capacity: 2 * capacity)
        guard let batch = assay_batch_create() else { fatalError("out of memory") }
        self.batch = batch
    }

    deinit {
        bytes.deallocate()
        assay_batch_free(batch)
    }

    /// The entries of the batch: records, and at the front possibly more of an overlong one.
    var entries: Int { Int(batch.pointee.record_count) }

    var startsWithContinuation: Bool {
        entries > 0 && batch.pointee.records[0].flags & UInt32(ASSAY_RECORD_CONTINUATION) != 0
    }

    var endsUnfinished: Bool {
        entries > 0 && batch.pointee.records[entries - 1].flags & UInt32(ASSAY_RECORD_CONTINUED) != 0
    }

    /// Records that start here.
    var recordCount: Int { entries - (startsWithContinuation ? 1 : 0) }

    /// The number of an entry's record in the file, from 1.
    func recordNumber(_ entry: Int) -> Int { recordsBefore + entry + 1 - (startsWithContinuation ? 1 : 0) }

    func record(_ entry: Int) -> assay_record { batch.pointee.records[entry] }

    /// Where a field of an entry lies in the buffer, its quotes included.
    func fieldRange(_ entry: Int, _ position: Int) -> Range<Int> {
        let record = record(entry)
        let field = Int(record.first_field) + position
        let end = Int(batch.pointee.field_ends[field])
        let start = position == 0 ? Int(record.start) : Int(batch.pointee.field_ends[field - 1]) + 1
        return start..<end
    }

    func fieldCount(_ entry: Int) -> Int {
        Int(batch.pointee.records[entry + 1].first_field - batch.pointee.records[entry].first_field)
    }
}
