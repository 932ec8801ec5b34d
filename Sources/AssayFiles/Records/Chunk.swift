internal import Assay
internal import CAssay
internal import CAssaySystem

/// Some whole records of a file in the buffer of a worker, with their position in the file.
///
///     bytes   7,"a ""b""",x⏎8,c,y⏎9,d…         | free bytes for undoing doubled quotes
///             ├─────records──────────┤unfinished|
///             0                  consumed     count                          2 × capacity
///
/// Created once for each worker and reused. Used by one thread at a time.
package final class Chunk {
    private let allocation: UnsafeMutablePointer<UInt8>
    private var memory: UnsafeMutablePointer<UInt8> { allocation + Self.front }
    private(set) var bytes: UnsafeMutablePointer<UInt8>
    let capacity: Int
    /// The number of the file's bytes in the buffer.
    var count = 0
    let batch: UnsafeMutablePointer<assay_batch>

    /// The number of the chunk in the table, from 0.
    package var sequence = 0
    /// The index of its file among those of the table.
    var input = 0
    /// The position of the buffer in the file: its offset in bytes, and the numbers of preceding records and lines.
    var firstOffset = 0
    var recordsBefore = 0
    var linesBefore = 0
    /// The starting line of the overlong record that this chunk continues.
    var overlongLine = 0
    /// The rest of a block, which the worker takes next, or `nil`.
    var rest: BlockRest?

    /// - Parameter capacity: The maximum number of the file's bytes in the buffer. Memory is used only as far as it is
    ///   filled.
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

    /// The number of bytes that must stay available for other allocations, because the process ends if one of those
    /// fails.
    private static let spare = 1 << 25

    /// The number of free bytes before the first byte of the chunk: a cache line.
    static let front = 64

    /// Replaces the contents by the given bytes.
    func hold(_ bytes: [UInt8]) {
        self.bytes = memory
        self.bytes.update(from: bytes, count: bytes.count)
        count = bytes.count
    }

    func append(_ byte: UInt8) {
        bytes[count] = byte
        count += 1
    }

    /// Replaces the contents by the bytes of a file from `offset` to `end`.
    ///
    /// - Throws: ``FileError``, also if the file has become shorter.
    func hold(_ file: FileSource, from offset: Int, to end: Int) throws(FileError) {
        bytes = memory
        count = end - offset
        precondition(count <= capacity, "a chunk was given more bytes than it has room for")
        try file.readAll(at: offset, into: UnsafeMutableRawBufferPointer(start: bytes, count: count))
    }

    /// Appends the bytes of a file from `offset` to `end`. The buffer must contain those before `offset`.
    func append(_ file: FileSource, from offset: Int, to end: Int) throws(FileError) {
        let more = end - offset
        precondition(count + more <= capacity, "a chunk was given more bytes than it has room for")
        try file.readAll(at: offset, into: UnsafeMutableRawBufferPointer(start: bytes + count, count: more))
        count += more
    }

    /// Removes the first bytes.
    func drop(_ first: Int) {
        bytes += first
        count -= first
    }

    /// Removes an entry and those after it, as if the table ended before it. The lines of the batch still include all
    /// that were read.
    func cut(before entry: Int) {
        let next = batch.pointee.records[entry]
        batch.pointee.comment_count = assay_batch_comments_before(batch, UInt32(entry))
        batch.pointee.record_count = UInt32(entry)
        batch.pointee.field_count = next.first_field
        batch.pointee.consumed = next.start
        batch.pointee.records[entry] = assay_record(
            start: next.start, end: next.start, first_field: next.first_field, flags: 0)
    }

    /// Returns the entry that starts at an offset of the buffer, or `nil`.
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

    /// The offset of the free bytes. The next chunk already contains the bytes after the entries.
    var freeStart: UInt32 { batch.pointee.consumed }

    /// The bytes for repaired values, which neither the entries nor their unquoted and unescaped forms use.
    var repairRoom: UnsafeMutableBufferPointer<UInt8> {
        let start = 2 * Int(batch.pointee.consumed)
        let end = 2 * capacity - (bytes - memory)
        return UnsafeMutableBufferPointer(start: bytes + start, count: max(0, end - start))
    }

    /// The number of entries of the batch: records and comments, and possibly the continuation of an overlong record
    /// first.
    var entries: Int { Int(batch.pointee.record_count) }

    var startsWithContinuation: Bool {
        entries > 0 && batch.pointee.records[0].flags & UInt32(ASSAY_RECORD_CONTINUATION) != 0
    }

    var endsUnfinished: Bool {
        entries > 0 && batch.pointee.records[entries - 1].flags & UInt32(ASSAY_RECORD_CONTINUED) != 0
    }

    /// The number of records that start here.
    var recordCount: Int { entries - Int(batch.pointee.comment_count) - (startsWithContinuation ? 1 : 0) }

    /// The number of an entry's record in the file, from 1.
    func recordNumber(_ entry: Int) -> Int {
        let comments = Int(assay_batch_comments_before(batch, UInt32(entry)))
        return recordsBefore + entry + 1 - comments - (startsWithContinuation ? 1 : 0)
    }

    /// The counter of the lines of its records.
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

    /// The range of a field in the buffer, including its quotes.
    ///
    /// - Parameter delimiterBytes: The number of bytes between two fields.
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

    /// Whether an entry is an empty line.
    func isBlank(_ entry: Int) -> Bool {
        let record = record(entry)
        return batch.pointee.field_ends[Int(record.first_field)] == record.start && fieldCount(entry) == 1
    }

    func fieldCount(_ entry: Int) -> Int {
        Int(batch.pointee.records[entry + 1].first_field - batch.pointee.records[entry].first_field)
    }
}
