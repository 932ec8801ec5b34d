internal import Assay
internal import CAssay

/// One worker of a profile, with its part of the results.
///
/// Half of its properties are memory that is reused for every slice.
final class ProfileWorker {
    let chunk: Chunk
    private let input: ProfileInput
    private let json: JSONReader?
    private(set) var columns: [ProfileColumn]
    private(set) var sample: ProfileSample
    /// The counts of two columns that may be a key; `nil` if no pair may be one.
    let pair: KeyPairCounter?
    private(set) var counts = ProfileCounts()
    private(set) var misencoded = MisencodedRecords()
    /// The first record of the chunk from which `misencoded` has well-formed text.
    private var misencodedChunk = -1
    private let masks = ProfileMasks()
    private let elementMasks: ElementMasks
    private let scratch: OpaquePointer
    private let cells: UnsafeMutablePointer<assay_cell>
    private let nulls: UnsafeMutablePointer<UInt64>
    /// The names of the columns in the form of a record; `nil` if the table has no header.
    private let header: [[UInt8]]?
    /// The rows of a slice with a value in some column.
    private var filled = [UInt64](repeating: 0, count: maskWords(Slice.maxRows))

    init(_ input: ProfileInput, _ plan: ProfilePlan, chunk: Chunk? = nil) throws {
        elementMasks = try ElementMasks()
        guard let scratch = assay_scratch_create(nil) else { throw NoMemoryError(for: "matching patterns") }
        self.scratch = scratch
        if !assay_scratch_reserve(scratch) {
            assay_scratch_free(scratch)
            throw NoMemoryError(for: "matching patterns")
        }
        self.input = input
        header = input.paths == nil ? input.table.head.header.map { $0.map { Array($0.utf8) } } : nil
        cells = .allocate(capacity: Slice.maxRows)
        nulls = .allocate(capacity: maskWords(Slice.maxRows))
        nulls.initialize(repeating: 0, count: maskWords(Slice.maxRows))
        columns = []
        sample = ProfileSample(columns: input.names.count, seed: input.table.cleaner.options.sample?.seed ?? 0)
        json = try input.makeJSONReader()
        self.chunk = try chunk ?? input.reader.makeChunk()
        pair = try plan.pair.map { try KeyPairCounter($0, keys: ProfilePlan.keyHashes) }
        columns = try plan.columns.map { try ProfileColumn($0, scratch: scratch) }
    }

    deinit {
        assay_scratch_free(scratch)
        cells.deallocate()
        nulls.deallocate()
    }

    /// Profiles the records of the chunk.
    func add() throws {
        counts.bytes += Int(chunk.batch.pointee.consumed)
        var lines = chunk.lines(endsAtCR: input.dialect.cr_ends)
        let file = fileName
        try input.forEachSlice(of: chunk, json) { slice, broken, misencoded, used in
            count(slice, broken, misencoded)
            counts.lineBreaks.add(slice, broken: broken, lines: &lines, input: file)
            pick(slice, broken)
            for word in 0..<maskWords(slice.rows) { filled[word] = json?.unnamed.map { $0[word] } ?? 0 }
            for column in columns.indices {
                try add(column, slice, broken, &used)
                if column == 0 { addRepeatedHeaders(slice, broken, &lines, &used) }
            }
            addEmptyRecords(slice, broken)
            for (_, row) in picked { sample.add(row) }
        }
        if chunk.startsWithContinuation {
            // The rest of an overlong record is an entry, but not a record.
            counts.malformed -= 1
            counts.records -= 1
        }
    }

    private func count(_ slice: Slice, _ broken: UnsafePointer<UInt64>, _ misencoded: UnsafePointer<UInt64>) {
        for word in 0..<maskWords(slice.rows) {
            let all = lowBits(slice.rows - 64 * word) & ~slice.comments(word)
            let leftOut = slice.leftOut(word) & all
            let bad = broken[word] & all & ~leftOut
            counts.records += (all & ~leftOut).nonzeroBitCount
            counts.leftOut += leftOut.nonzeroBitCount
            counts.misencoded += (bad & misencoded[word]).nonzeroBitCount
            counts.malformed += (bad & ~misencoded[word]).nonzeroBitCount
            forEachBit(in: bad & misencoded[word]) { keepMisencoded(slice.first + 64 * word + $0) }
            if bad != 0 {
                let first = chunk.recordNumber(slice.first + 64 * word + bad.trailingZeroBitCount)
                counts.firstBad = min(counts.firstBad, first)
            }
            let unnamed = json?.unnamed.map { $0[word] } ?? 0
            if unnamed != 0 {
                counts.unnamed += unnamed.nonzeroBitCount
                let first = chunk.recordNumber(slice.first + 64 * word + unnamed.trailingZeroBitCount)
                counts.firstUnnamed = min(counts.firstUnnamed, first)
            }
        }
    }

    /// Keeps some of the records that are not UTF-8, to guess their encoding later.
    private func keepMisencoded(_ entry: Int) {
        guard input.table.parts[chunk.input].encoding.isUTF8, misencoded.count < FindingWriter.misencodedBytes else {
            return
        }
        let record = chunk.record(entry)
        let bytes = UnsafeBufferPointer(
            start: chunk.bytes + Int(record.start),
            count: min(Int(record.end - record.start), FindingWriter.misencodedBytes))
        if chunk.recordNumber(0) != misencodedChunk {
            misencodedChunk = chunk.recordNumber(0)
            chunk.wellFormedWords.withUnsafeBufferPointer { misencoded.add($0, record: chunk.recordNumber(entry)) }
        }
        misencoded.add(bytes, record: chunk.recordNumber(entry))
    }

    /// Collects the rows of the slice that are in the sample.
    private func pick(_ slice: Slice, _ broken: UnsafePointer<UInt64>) {
        possible.removeAll(keepingCapacity: true)
        let hasComments = chunk.batch.pointee.comment_count > 0
        let first = chunk.recordNumber(slice.first)
        for word in 0..<maskWords(slice.rows) {
            var rows = ~broken[word] & lowBits(slice.rows - 64 * word)
            while rows != 0 {
                let row = 64 * word + rows.trailingZeroBitCount
                rows &= rows - 1
                let record = hasComments ? chunk.recordNumber(slice.first + row) : first + row
                if let number = sample.number(ofRecord: record) { possible.append((row, record, number)) }
            }
        }
        // The first slices have more rows than the sample. Their values are not copied.
        if possible.count > sample.limit {
            possible.sort { $0.number < $1.number }
            possible.removeSubrange(sample.limit...)
            possible.sort { $0.row < $1.row }
        }
        picked = possible.map { row, record, number in
            (row, ProfileSample.Row(number: number, record: record, columns: columns.count))
        }
    }

    private var possible: [(row: Int, record: Int, number: UInt64)] = []
    private var picked: [(row: Int, sampled: ProfileSample.Row)] = []

    private func add(_ column: Int, _ slice: Slice, _ broken: UnsafePointer<UInt64>, _ used: inout UInt32) throws {
        let nonRecords =
            chunk.batch.pointee.comment_count > 0
            ? UnsafePointer(chunk.batch.pointee.comments + slice.first / 64) : nil
        let record = chunk.recordNumber(slice.first)
        if let json, let paths = input.paths, paths.lists.contains(column) {
            try addElements(column, json, record: record, nonRecords: nonRecords)
            return
        }
        let values: ProfileCells
        if let json {
            _ = json.gather(column, rows: slice.rows, bytes: chunk.bytes, into: cells)
            json.mark(column, kinds: JSONPaths.absent | JSONPaths.null, in: nulls)
            json.countKinds(column, slice.rows, skip: broken, into: &columns[column].kinds)
            values = ProfileCells(
                bytes: chunk.bytes, cells: cells, count: slice.rows, skip: broken, nulls: nulls, rowOf: nil)
        } else {
            withUnsafePointer(to: input.dialect) { dialect in
                assay_batch_gather(
                    chunk.batch, dialect, chunk.bytes, &used, UInt32(column), UInt32(slice.first), UInt32(slice.rows),
                    broken, cells)
            }
            values = ProfileCells(
                bytes: chunk.bytes, cells: cells, count: slice.rows, skip: broken, nulls: nil, rowOf: nil)
        }
        try columns[column].add(values, record: record, nonRecords: nonRecords, masks)
        try pair?.add(column, values)
        for word in 0..<maskWords(slice.rows) { filled[word] |= ~masks.absent[word] }
        for index in picked.indices { sample(cells[picked[index].row], at: index) }
    }

    /// Counts the records without values. All columns of the slice must be added.
    private func addEmptyRecords(_ slice: Slice, _ broken: UnsafePointer<UInt64>) {
        for word in 0..<maskWords(slice.rows) {
            let empty = ~filled[word] & ~broken[word] & ~slice.comments(word) & lowBits(slice.rows - 64 * word)
            if empty == 0 { continue }
            counts.empty += empty.nonzeroBitCount
            let first = chunk.recordNumber(slice.first + 64 * word + empty.trailingZeroBitCount)
            counts.firstEmpty = min(counts.firstEmpty, first)
        }
    }

    /// The file of the chunk; `nil` if the table has only one.
    private var fileName: String? {
        let parts = input.table.parts
        return parts.count > 1 ? parts[chunk.input].source.name : nil
    }

    /// Counts the rows that repeat the header. The cells of the first column must be gathered.
    private func addRepeatedHeaders(
        _ slice: Slice, _ broken: UnsafePointer<UInt64>, _ lines: inout assay_lines, _ used: inout UInt32
    ) {
        guard let header else { return }
        let mark = RepeatedHeaders.mark
        var rows: [(row: Int, hasMark: Bool)] = []
        let (plain, marked) = (header[0].count, header[0].count + mark.count)
        for row in 0..<slice.rows {
            let count = Int(cells[row].length)
            if count != plain && count != marked || broken[row / 64] >> UInt64(row % 64) & 1 == 1 { continue }
            let hasMark = count == marked
            let cell = UnsafeBufferPointer(start: chunk.bytes + Int(cells[row].start), count: count)
            guard cell.elementsEqual(hasMark ? mark + header[0] : header[0]) else { continue }
            rows.append((row, hasMark))
        }
        // The other columns of the slice need the free bytes, so each row here starts at the same place.
        let (kept, room) = (cells[0], used)
        for (row, hasMark) in rows {
            used = room
            let isHeader = header.indices.dropFirst().allSatisfy { column in
                withUnsafePointer(to: input.dialect) { dialect in
                    assay_batch_gather(
                        chunk.batch, dialect, chunk.bytes, &used, UInt32(column), UInt32(slice.first + row), 1, nil,
                        cells)
                }
                return UnsafeBufferPointer(start: chunk.bytes + Int(cells[0].start), count: Int(cells[0].length))
                    .elementsEqual(header[column])
            }
            guard isHeader else { continue }
            let entry = slice.first + row
            let line = assay_lines_at(&lines, Int(chunk.record(entry).start), UInt32(entry))
            counts.repeatedHeaders.add(
                RepeatedHeaders.Place(
                    record: chunk.recordNumber(entry), line: Int(line), hasMark: hasMark, input: fileName))
        }
        (cells[0], used) = (kept, room)
    }

    /// Adds a value, or a missing one, to a row in the sample.
    private func sample(_ cell: assay_cell, at index: Int) {
        let isKept = cell.length > 0 && cell.length <= ProfileSample.longestValue
        picked[index].sampled.add(
            isKept ? UnsafeBufferPointer(start: chunk.bytes + Int(cell.start), count: Int(cell.length)) : nil)
    }

    /// Adds one element for each row in the sample, selected by the row's number.
    ///
    /// - Parameter elements: The elements that were marked last; `nil` if there are no elements.
    private func sampleElements(_ elements: JSONReader.Elements?) {
        let (count, skip) = (elements?.count ?? 0, elementMasks.noLists)
        var next = 0
        for index in picked.indices {
            var ones: [assay_cell] = []
            while let elements, next < count, elements.rows[next] <= picked[index].row {
                let isOne = skip[next / 64] >> UInt64(next % 64) & 1 == 0
                if isOne && elements.rows[next] == picked[index].row { ones.append(elements.cells[next]) }
                next += 1
            }
            let chosen = ones.isEmpty ? 0 : Int(picked[index].sampled.number % UInt64(ones.count))
            sample(ones.isEmpty ? assay_cell() : ones[chosen], at: index)
        }
    }

    private func addElements(_ column: Int, _ json: JSONReader, record: Int, nonRecords: UnsafePointer<UInt64>?) throws
    {
        guard let elements = json.elements(column) else { return sampleElements(nil) }
        let profile = columns[column]
        try json.mark(column, elements, in: elementMasks)
        // A value in the place of a list is not an element.
        let skip = UnsafePointer(elementMasks.noLists)
        for word in 0..<maskWords(elements.count) { profile.noLists += skip[word].nonzeroBitCount }
        json.countKinds(column, elements.count, skip: skip, into: &profile.kinds)
        let values = ProfileCells(
            bytes: chunk.bytes, cells: elements.cells, count: elements.count, skip: skip,
            nulls: UnsafePointer(elementMasks.nulls), rowOf: elements.rows)
        try profile.add(values, record: record, nonRecords: nonRecords, masks)
        // A value in the place of a list is not an element, but the record has a value.
        for element in 0..<elements.count
        where (masks.absent[element / 64] & ~skip[element / 64]) >> UInt64(element % 64) & 1 == 0 {
            let row = Int(elements.rows[element])
            filled[row / 64] |= 1 << UInt64(row % 64)
        }
        sampleElements(elements)
    }

    /// Returns some present values of each column, from which the plan is made, and whether every record up to the
    /// last one has a value.
    static func firstValues(_ input: ProfileInput, _ chunk: Chunk) throws -> (values: [[[UInt8]]], isComplete: [Bool]) {
        var values = [[[UInt8]]](repeating: [], count: input.names.count)
        var isComplete = [Bool](repeating: true, count: input.names.count)
        let json = try input.makeJSONReader()
        let masks = try ElementMasks()
        let cells = UnsafeMutablePointer<assay_cell>.allocate(capacity: Slice.maxRows)
        defer { cells.deallocate() }
        try input.forEachSlice(of: chunk, json) { slice, broken, _, used in
            for column in values.indices where values[column].count < ProfilePlan.headValues {
                let bytes = UnsafePointer(chunk.bytes)
                func take(_ cell: assay_cell) {
                    guard values[column].count < ProfilePlan.headValues else { return }
                    guard cell.length > 0, cell.length <= 1024 else {
                        isComplete[column] = false
                        return
                    }
                    values[column].append(
                        Array(UnsafeBufferPointer(start: bytes + Int(cell.start), count: Int(cell.length))))
                }
                if let json, let paths = input.paths, paths.lists.contains(column) {
                    guard let elements = json.elements(column) else { continue }
                    try json.mark(column, elements, in: masks)
                    for element in 0..<elements.count where masks.noLists[element / 64] >> UInt64(element % 64) & 1 == 0
                    {
                        take(elements.cells[element])
                    }
                    continue
                }
                if let json {
                    _ = json.gather(column, rows: slice.rows, bytes: chunk.bytes, into: cells)
                } else {
                    withUnsafePointer(to: input.dialect) { dialect in
                        assay_batch_gather(
                            chunk.batch, dialect, chunk.bytes, &used, UInt32(column), UInt32(slice.first),
                            UInt32(slice.rows), broken, cells)
                    }
                }
                for row in 0..<slice.rows where broken[row / 64] >> UInt64(row % 64) & 1 == 0 { take(cells[row]) }
            }
        }
        return (values, isComplete)
    }

    func merge(_ other: ProfileWorker) throws(NoMemoryError) {
        for (column, more) in zip(columns, other.columns) { try column.merge(more) }
        sample.merge(other.sample)
        if let other = other.pair { try pair?.merge(other) }
        counts.add(other.counts)
        misencoded.merge(other.misencoded)
    }

    /// Completes the counts and sorts the sample after all values were added.
    func finish() throws(NoMemoryError) {
        for column in columns { try column.finish() }
        try pair?.finish()
        sample.cut()
    }
}

/// The counts of whole records.
struct ProfileCounts {
    var bytes = 0
    var records = 0
    /// Records outside the requested sample.
    var leftOut = 0
    /// Records with invalid structure, or below with invalid encoding. Their cells are not examined.
    var malformed = 0
    var misencoded = 0
    var firstBad = Int.max
    /// Records of JSON with a value that is in no column.
    var unnamed = 0
    var firstUnnamed = Int.max
    /// Records whose values are all missing.
    var empty = 0
    var firstEmpty = Int.max
    var lineBreaks = LineBreaks()
    var repeatedHeaders = RepeatedHeaders()

    mutating func add(_ other: ProfileCounts) {
        bytes += other.bytes
        records += other.records
        leftOut += other.leftOut
        malformed += other.malformed
        misencoded += other.misencoded
        firstBad = min(firstBad, other.firstBad)
        unnamed += other.unnamed
        empty += other.empty
        firstEmpty = min(firstEmpty, other.firstEmpty)
        lineBreaks.add(other.lineBreaks)
        repeatedHeaders.add(other.repeatedHeaders)
        firstUnnamed = min(firstUnnamed, other.firstUnnamed)
    }
}

/// The first records that are not UTF-8, in order.
struct MisencodedRecords {
    private var records: [(record: Int, bytes: [UInt8])] = []
    /// The total size of the records in bytes.
    private(set) var count = 0

    mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, record: Int) {
        records.append((record, Array(bytes)))
        count += bytes.count
    }

    mutating func merge(_ other: MisencodedRecords) {
        records = (records + other.records).sorted { $0.record < $1.record }
        count += other.count
    }

    /// The required bytes, which do not depend on the number of workers that found the records.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for record in records where bytes.count < FindingWriter.misencodedBytes { bytes += record.bytes }
        return bytes
    }
}
