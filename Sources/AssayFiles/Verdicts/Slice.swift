internal import Assay
internal import CAssay

/// Some entries of a chunk that are judged together.
///
/// Every column is a pass over them. A chunk's bytes stay in the processor's second cache from one column to the next, so that
/// only chunks of very short entries have more than one or two: of these the cells of a column are to stay in the first cache.
struct Slice {
    /// The most entries of one: a multiple of 64.
    static let mostRows = min(2048, SchemaJudge.sliceRows)

    /// How many entries each slice of so many has: about as many as the others, a multiple of 64. A slice of a few would cost
    /// more for each of them.
    static func rowsEach(of entries: Int) -> Int {
        let slices = max(1, (entries + mostRows - 1) / mostRows)
        return 64 * max(1, maskWords((entries + slices - 1) / slices))
    }

    let chunk: Chunk
    let first: Int
    let rows: Int
    let width: RecordWidth
    /// The values of JSON Lines; `nil`: the records are CSV.
    let json: JSONReader?
    /// Who repairs the columns, and has their cells as they were judged; `nil`: nobody.
    let repairer: ColumnRepairer?
    /// Which records are judged; `nil`: all.
    let sample: RecordSample?

    init(
        _ chunk: Chunk, first: Int, rows: Int, width: RecordWidth, json: JSONReader? = nil,
        repairer: ColumnRepairer? = nil, sample: RecordSample? = nil
    ) {
        self.json = json
        self.repairer = repairer
        self.sample = sample
        self.chunk = chunk
        self.first = first
        self.rows = rows
        self.width = width
    }

    /// Which of 64 rows are comments, and no records.
    func comments(_ word: Int) -> UInt64 {
        chunk.batch.pointee.comment_count == 0 ? 0 : chunk.batch.pointee.comments[first / 64 + word]
    }

    /// Which of 64 rows are records that are not in the sample.
    func leftOut(_ word: Int) -> UInt64 {
        guard let sample else { return 0 }
        var mask: UInt64 = 0
        let start = word * 64
        for row in start..<min(start + 64, rows) where !sample.contains(chunk.recordNumber(first + row)) {
            mask |= 1 << UInt64(row - start)
        }
        return mask & ~comments(word)
    }

    /// Lends two masks of the rows: those that are judged no further, and which of them only since they are not well-formed
    /// UTF-8.
    ///
    /// - Parameter used: how much of the chunk's buffer is taken; strings of JSON are unescaped behind it.
    /// - Throws: ``NoMemoryError``.
    func withBroken(
        used: inout UInt32,
        _ body: (_ broken: UnsafePointer<UInt64>, _ garbled: UnsafePointer<UInt64>, _ used: inout UInt32) -> Void
    ) throws(NoMemoryError) {
        let words = maskWords(rows)
        var failure: NoMemoryError?
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * words) { buffer in
            buffer.update(repeating: 0)
            let broken = buffer.baseAddress!
            let garbled = broken + words
            withUnsafePointer(to: width.dialect) { dialect in
                _ = assay_batch_mask_structure(
                    chunk.batch, dialect, UInt32(first), UInt32(rows), UInt32(width.fields), width.allowsMore, broken)
            }
            assay_batch_mask_encoding(chunk.batch, chunk.bytes, UInt32(first), UInt32(rows), garbled)
            for word in 0..<words {
                garbled[word] &= ~broken[word]
                broken[word] |= garbled[word]
                if sample == nil { continue }
                let leftOut = leftOut(word)
                garbled[word] &= ~leftOut
                broken[word] |= leftOut
            }
            do throws(NoMemoryError) {
                try json?.read(self, broken: broken, used: &used)
            } catch {
                failure = error
                return
            }
            body(broken, garbled, &used)
        }
        if let failure { throw failure }
    }

    /// Where the value of a column stands in the chunk, of an entry that is no broken record; of no column (−1), the record.
    func place(_ entry: Int, position: Int, delimiterBytes: Int) -> Int {
        if position < 0 { return Int(chunk.record(entry).start) }
        return json.map { Int($0.places(position)[entry - first]) }
            ?? chunk.fieldRange(entry, position, delimiterBytes: delimiterBytes).lowerBound
    }

    /// Where the values of a column stand, row by row; `nil`: where its fields do, or of no column (−1) the records.
    func places(position: Int) -> UnsafePointer<UInt32>? { position < 0 ? nil : json?.places(position) }

    /// Runs the rules over the rows.
    ///
    /// - Parameter used: how much of the chunk's buffer is taken; doubled quotes are undone behind it.
    func judge(
        _ judge: inout SchemaJudge, broken: UnsafePointer<UInt64>, dialect: assay_dialect, used: inout UInt32
    ) {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: max(1, maskWords(rows))) { buffer in
            let mask = buffer.baseAddress!
            judge.judge(rows: rows, broken: broken) { position, cells in
                if let json {
                    return json.gather(
                        position, rows: rows, bytes: chunk.bytes, room: repairer == nil ? nil : chunk.repairRoom,
                        into: cells)
                }
                var nullTextCount = 0
                withUnsafePointer(to: dialect) { dialect in
                    assay_batch_gather(
                        chunk.batch, dialect, chunk.bytes, &used, UInt32(position), UInt32(first), UInt32(rows), broken,
                        cells)
                    nullTextCount = assay_batch_mask_null_texts(
                        chunk.batch, dialect, chunk.bytes, UInt32(position), UInt32(first), UInt32(rows), broken, cells,
                        mask)
                }
                // Repairs know missing values by their text, so they leave these values as they are.
                let nullTexts = nullTextCount == 0 ? nil : UnsafePointer(mask)
                return GatheredCells(
                    bytes: UnsafePointer(chunk.bytes), unrepaired: nullTexts, room: chunk.repairRoom,
                    nullTexts: nullTexts)
            }
        }
    }

    /// Writes the cells of a column, of the rows of a mask; the others are empty or whatever they are. After `judge`: it takes
    /// the bytes behind the chunk's own anew.
    func gather(
        _ position: Int, only rows: UnsafePointer<UInt64>, dialect: assay_dialect,
        into cells: UnsafeMutablePointer<assay_cell>
    ) -> GatheredCells {
        if let repaired = repairer?.cells(at: position) {
            cells.update(from: repaired.cells, count: self.rows)
            return GatheredCells(bytes: repaired.bytes, nulls: repaired.nulls, nullValues: json?.nullValues(position))
        }
        if let json { return json.gather(position, rows: self.rows, bytes: chunk.bytes, into: cells) }
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: maskWords(self.rows)) { skip in
            for word in skip.indices { skip[word] = ~rows[word] }
            var used = chunk.freeStart
            withUnsafePointer(to: dialect) { dialect in
                assay_batch_gather(
                    chunk.batch, dialect, chunk.bytes, &used, UInt32(position), UInt32(first), UInt32(self.rows),
                    skip.baseAddress, cells)
            }
        }
        return GatheredCells(bytes: UnsafePointer(chunk.bytes))
    }

    /// Lends the cells of a column, of the rows of a mask only; the others are empty. After `judge`: it takes the bytes behind
    /// the chunk's own anew.
    func withCells(
        of position: Int, in rows: UnsafePointer<UInt64>, dialect: assay_dialect,
        _ body: (_ bytes: UnsafePointer<UInt8>, UnsafeMutableBufferPointer<assay_cell>) -> Void
    ) {
        withUnsafeTemporaryAllocation(of: assay_cell.self, capacity: self.rows) { cells in
            if let repaired = repairer?.cells(at: position) {
                _ = cells.update(from: UnsafeBufferPointer(start: repaired.cells, count: self.rows))
                return body(repaired.bytes, cells)
            }
            if let json {
                _ = cells.update(from: UnsafeBufferPointer(start: json.cells(position), count: self.rows))
            } else {
                _ = gather(position, only: rows, dialect: dialect, into: cells.baseAddress!)
            }
            body(UnsafePointer(chunk.bytes), cells)
        }
    }
}
