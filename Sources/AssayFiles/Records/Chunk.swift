internal import Assay
internal import CAssay

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Some whole records of a file, as they lie in one worker's buffer, and where in the file they stand.
///
///     bytes   7,"a ""b""",x⏎8,c,y⏎9,d…         | free bytes for undoing doubled quotes
///             ├─────records──────────┤unfinished|
///             0                  consumed     count                          2 × capacity
///
/// Made once for each worker and filled again and again. Belongs to one thread at a time.
package final class Chunk {
    private let allocation: UnsafeMutablePointer<UInt8>
    private var memory: UnsafeMutablePointer<UInt8> { allocation + Self.front }
    private(set) var bytes: UnsafeMutablePointer<UInt8>
    let capacity: Int
    /// Bytes of the file in the buffer.
    var count = 0
    let batch: UnsafeMutablePointer<assay_batch>

    /// Which chunk of the table this is, from 0.
    package var sequence = 0
    /// Which of the table's files it is from.
    var input = 0
    /// Where in the file the buffer starts, in bytes, in records before it, and in lines before it.
    var firstOffset = 0
    var recordsBefore = 0
    var linesBefore = 0
    /// The line on which the record started that this chunk begins in the middle of.
    var overlongLine = 0
    /// What the worker is to take next, before others; `nil`: nothing.
    var rest: BlockRest?

    /// - Parameter capacity: the most bytes of the file it can hold. Memory is taken up only as it is used.
    init(capacity: Int) throws(NoMemoryError) {
        let size = Self.memory(capacity: capacity)
        let spare = malloc(Self.spare)
        defer { free(spare) }
        guard spare != nil, let memory = malloc(size) else { throw Self.noMemory(size) }
        guard let batch = assay_batch_create() else {
            free(memory)
            throw Self.noMemory(size)
        }
        self.capacity = capacity
        self.batch = batch
        allocation = memory.bindMemory(to: UInt8.self, capacity: size)
        bytes = allocation + Self.front
    }

    private static func noMemory(_ bytes: Int) -> NoMemoryError {
        NoMemoryError(bytes: bytes, for: "the records that a thread works on")
    }

    /// The size of its buffer, in bytes.
    static func memory(capacity: Int) -> Int { front + 2 * capacity }

    deinit {
        free(allocation)
        assay_batch_free(batch)
    }

    /// So many bytes must be left for everything else that is needed: without memory for that the process would end.
    private static let spare = 1 << 25

    /// So many bytes are free before any in the chunk: a line of the processor's caches.
    static let front = 64

    /// Holds these bytes and no others.
    func hold(_ bytes: [UInt8]) {
        self.bytes = memory
        self.bytes.update(from: bytes, count: bytes.count)
        count = bytes.count
    }

    func append(_ byte: UInt8) {
        bytes[count] = byte
        count += 1
    }

    /// Holds the bytes of a file from `offset` up to `end`.
    ///
    /// - Throws: ``FileError``, also when the file has become shorter.
    func hold(_ file: FileSource, from offset: Int, to end: Int) throws(FileError) {
        bytes = memory
        count = end - offset
        precondition(count <= capacity, "a chunk was given more bytes than it has room for")
        try file.readAll(at: offset, into: UnsafeMutableRawBufferPointer(start: bytes, count: count))
    }

    /// Holds the bytes of a file up to `end` of which it has the first already.
    func goOn(_ file: FileSource, from offset: Int, to end: Int) throws(FileError) {
        let more = end - offset
        precondition(count + more <= capacity, "a chunk was given more bytes than it has room for")
        try file.readAll(at: offset, into: UnsafeMutableRawBufferPointer(start: bytes + count, count: more))
        count += more
    }

    /// Forgets its first bytes.
    func drop(_ first: Int) {
        bytes += first
        count -= first
    }

    /// Forgets an entry and those after it, as if the table ended before it. (The lines of the batch are still all that were read.)
    func cut(before entry: Int) {
        let next = batch.pointee.records[entry]
        batch.pointee.comment_count = assay_batch_comments_before(batch, UInt32(entry))
        batch.pointee.record_count = UInt32(entry)
        batch.pointee.field_count = next.first_field
        batch.pointee.consumed = next.start
        batch.pointee.records[entry] = assay_record(
            start: next.start, end: next.start, first_field: next.first_field, flags: 0)
    }

    /// The entry that starts so many bytes from the start; `nil`: none does.
    func entry(at start: Int) -> Int? {
        var (low, high) = (0, entries)
        while low < high {
            let middle = (low + high) / 2
            if Int(record(middle).start) < start { low = middle + 1 } else { high = middle }
        }
        return low < entries && Int(record(low).start) == start ? low : nil
    }

    /// The bytes of all entries.
    var entryBytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: bytes, count: Int(batch.pointee.consumed))
    }

    /// Where the free bytes begin: the next chunk has what follows the entries already.
    var freeStart: UInt32 { batch.pointee.consumed }

    /// Bytes that neither the entries nor what is undone of their quotes and escapes ever takes: for repaired values.
    var repairRoom: UnsafeMutableBufferPointer<UInt8> {
        let start = 2 * Int(batch.pointee.consumed)
        let end = 2 * capacity - (bytes - memory)
        return UnsafeMutableBufferPointer(start: bytes + start, count: max(0, end - start))
    }

    /// The entries of the batch: records and comments, and at the front possibly more of an overlong record.
    var entries: Int { Int(batch.pointee.record_count) }

    var startsWithContinuation: Bool {
        entries > 0 && batch.pointee.records[0].flags & UInt32(ASSAY_RECORD_CONTINUATION) != 0
    }

    var endsUnfinished: Bool {
        entries > 0 && batch.pointee.records[entries - 1].flags & UInt32(ASSAY_RECORD_CONTINUED) != 0
    }

    /// Records that start here.
    var recordCount: Int { entries - Int(batch.pointee.comment_count) - (startsWithContinuation ? 1 : 0) }

    /// The number of an entry's record in the file, from 1.
    func recordNumber(_ entry: Int) -> Int {
        let comments = Int(assay_batch_comments_before(batch, UInt32(entry)))
        return recordsBefore + entry + 1 - comments - (startsWithContinuation ? 1 : 0)
    }

    /// Tells the lines of its records.
    func lines(endsAtCR: Bool) -> assay_lines {
        assay_lines_begin(batch, bytes, endsAtCR, UInt64(linesBefore + 1))
    }

    func record(_ entry: Int) -> assay_record { batch.pointee.records[entry] }

    /// An entry without its terminator.
    func text(_ entry: Int, endsAtCR: Bool) -> [UInt8] {
        let record = record(entry)
        let text = UnsafeBufferPointer(start: bytes + Int(record.start), count: Int(record.end - record.start))
        return splitTerminator(Array(text), endsAtCR: endsAtCR).record
    }

    /// Where a field of an entry lies in the buffer, its quotes included.
    ///
    /// - Parameter delimiterBytes: how many bytes there are between two fields.
    func fieldRange(_ entry: Int, _ position: Int, delimiterBytes: Int) -> Range<Int> {
        let record = record(entry)
        let field = Int(record.first_field) + position
        let end = Int(batch.pointee.field_ends[field])
        let start = position == 0 ? Int(record.start) : Int(batch.pointee.field_ends[field - 1]) + delimiterBytes
        return start..<end
    }

    /// The number of lines of an entry after its first one.
    func linesAfterFirst(_ entry: Int, endsAtCR: Bool) -> Int {
        let record = record(entry)
        let bytes = UnsafeBufferPointer(start: bytes + Int(record.start), count: Int(record.end - record.start))
        let isTerminated = bytes.last == 10 || (endsAtCR && bytes.last == 13)
        return Int(assay_count_lines(bytes.baseAddress!, bytes.count, endsAtCR)) - (isTerminated ? 1 : 0)
    }

    /// The number of lines after the first one that were read to find that the quote of an entry is never closed.
    func linesRead(_ entry: Int) -> Int { Int(record(entry).flags >> UInt32(ASSAY_RECORD_LINES_SHIFT)) }

    /// Whether an entry is a line without any bytes.
    func isBlank(_ entry: Int) -> Bool {
        let record = record(entry)
        return batch.pointee.field_ends[Int(record.first_field)] == record.start && fieldCount(entry) == 1
    }

    func fieldCount(_ entry: Int) -> Int {
        Int(batch.pointee.records[entry + 1].first_field - batch.pointee.records[entry].first_field)
    }
}
