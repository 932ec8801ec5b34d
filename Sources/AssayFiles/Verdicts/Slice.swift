internal import Assay
internal import CAssay

/// A range of a chunk's entries that are checked together.
///
/// Every column is a pass over the slice. A chunk fits in the processor's second-level cache, so that only chunks of
/// very short entries have more than one or two slices: the limit on rows keeps the cells of a column in the
/// first-level cache.
struct Slice {
    /// The maximum number of entries, a multiple of 64.
    static let maxRows = JSONReader.maxRows

    /// Returns the number of entries per slice, a multiple of 64. Slices have about equal sizes, because each entry of
    /// a small slice costs more.
    static func rowsEach(of entries: Int) -> Int {
        let slices = max(1, (entries + maxRows - 1) / maxRows)
        return 64 * max(1, maskWords((entries + slices - 1) / slices))
    }

    let chunk: Chunk
    let first: Int
    let rows: Int
    let width: RecordWidth
    /// The values of JSON Lines. `nil` if the records are CSV.
    let json: JSONReader?
    /// Repairs the columns and keeps the repaired cells. `nil` if no column has repairs.
    let repairer: ColumnRepairer?
    /// The sample of records to check; `nil` selects all.
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

    /// Returns the mask of rows in a word that are comments instead of records.
    func comments(_ word: Int) -> UInt64 {
        chunk.batch.pointee.comment_count == 0 ? 0 : chunk.batch.pointee.comments[first / 64 + word]
    }

    /// Returns the mask of rows in a word that are records outside the sample.
    func leftOut(_ word: Int) -> UInt64 {
        guard let sample else { return 0 }
        var mask: UInt64 = 0
        let start = word * 64
        for row in start..<min(start + 64, rows) where !sample.contains(chunk.recordNumber(first + row)) {
            mask |= 1 << UInt64(row - start)
        }
        return mask & ~comments(word)
    }

    /// Passes two masks of rows to `body`: rows that are not checked further, and among them the rows that are only
    /// invalid UTF-8.
    ///
    /// - Parameter used: The used size of the chunk's buffer. Strings of JSON are unescaped after it.
    /// - Throws: ``NoMemoryError``.
    func withBroken(
        used: inout UInt32,
        _ body: (_ broken: UnsafePointer<UInt64>, _ misencoded: UnsafePointer<UInt64>, _ used: inout UInt32) -> Void
    ) throws(NoMemoryError) {
        let words = maskWords(rows)
        var failure: NoMemoryError?
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * words) { buffer in
            buffer.update(repeating: 0)
            let broken = buffer.baseAddress!
            let misencoded = broken + words
            withUnsafePointer(to: width.dialect) { dialect in
                _ = assay_batch_mask_structure(
                    chunk.batch, dialect, UInt32(first), UInt32(rows), UInt32(width.fields), width.allowsMore, broken)
            }
            assay_batch_mask_encoding(chunk.batch, chunk.bytes, UInt32(first), UInt32(rows), misencoded)
            for word in 0..<words {
                misencoded[word] &= ~broken[word]
                broken[word] |= misencoded[word]
                if sample == nil { continue }
                let leftOut = leftOut(word)
                misencoded[word] &= ~leftOut
                broken[word] |= leftOut
            }
            do throws(NoMemoryError) {
                try json?.read(
                    chunk.batch, chunk.bytes, first: first, rows: rows, broken: broken, used: &used)
            } catch {
                failure = error
                return
            }
            body(broken, misencoded, &used)
        }
        if let failure { throw failure }
    }

    /// Returns the place of a column's value in the chunk, for an entry that is not broken. Column −1 is the record.
    func place(_ entry: Int, position: Int, delimiterBytes: Int) -> Int {
        if position < 0 { return Int(chunk.record(entry).start) }
        return json.map { Int($0.places(position)[entry - first]) }
            ?? chunk.fieldRange(entry, position, delimiterBytes: delimiterBytes).lowerBound
    }

    /// The places of a column's values by row. `nil` if they are the places of the fields, or of the records for column
    /// −1.
    func places(position: Int) -> UnsafePointer<UInt32>? { position < 0 ? nil : json?.places(position) }

    /// Runs the rules over the rows.
    ///
    /// - Parameter used: The used size of the chunk's buffer. Doubled quotes are undone after it.
    func evaluate(
        _ evaluator: inout SchemaEvaluator, broken: UnsafePointer<UInt64>, dialect: assay_dialect, used: inout UInt32
    ) {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: max(1, maskWords(rows))) { buffer in
            let mask = buffer.baseAddress!
            evaluator.evaluate(rows: rows, broken: broken) { position, cells in
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
                // Repairs identify missing values by their text, so they must not change these values.
                let nullTexts = nullTextCount == 0 ? nil : UnsafePointer(mask)
                return GatheredCells(
                    bytes: UnsafePointer(chunk.bytes), unrepaired: nullTexts, room: chunk.repairRoom,
                    nullTexts: nullTexts)
            }
        }
    }

    /// Writes the cells of a column for the rows of a mask; other cells are empty or unspecified. Call it only after
    /// `evaluate`, because it overwrites the bytes after the chunk's content.
    ///
    /// - Parameter nullTexts: Memory for the rows with the text `\N` that is not NULL; `nil`: the result does not have
    ///   them.
    func gather(
        _ position: Int, only rows: UnsafePointer<UInt64>, dialect: assay_dialect,
        into cells: UnsafeMutablePointer<assay_cell>, nullTexts mask: UnsafeMutablePointer<UInt64>?
    ) -> GatheredCells {
        if let json {
            if let repaired = repairer?.cells(at: position) {
                cells.update(from: repaired.cells, count: self.rows)
                return GatheredCells(
                    bytes: repaired.bytes, nulls: repaired.nulls, nullValues: json.nullValues(position))
            }
            return json.gather(position, rows: self.rows, bytes: chunk.bytes, into: cells)
        }
        let repaired = repairer?.cells(at: position)
        let hasNullTexts = mask != nil && dialect.escape == UInt8(ascii: "\\")
        var nullTexts: UnsafePointer<UInt64>?
        if repaired == nil || hasNullTexts {
            withUnsafeTemporaryAllocation(of: UInt64.self, capacity: maskWords(self.rows)) { skip in
                for word in skip.indices { skip[word] = ~rows[word] }
                var used = chunk.freeStart
                withUnsafePointer(to: dialect) { dialect in
                    assay_batch_gather(
                        chunk.batch, dialect, chunk.bytes, &used, UInt32(position), UInt32(first), UInt32(self.rows),
                        skip.baseAddress, cells)
                    guard let mask, hasNullTexts else { return }
                    let count = assay_batch_mask_null_texts(
                        chunk.batch, dialect, chunk.bytes, UInt32(position), UInt32(first), UInt32(self.rows),
                        skip.baseAddress, cells, mask)
                    if count > 0 { nullTexts = UnsafePointer(mask) }
                }
            }
        }
        guard let repaired else { return GatheredCells(bytes: UnsafePointer(chunk.bytes), nullTexts: nullTexts) }
        cells.update(from: repaired.cells, count: self.rows)
        return GatheredCells(bytes: repaired.bytes, nulls: repaired.nulls, nullTexts: nullTexts)
    }

    /// Passes the cells of a column to `body` for the rows of a mask; other cells are empty. Call it only after
    /// `evaluate`, because it overwrites the bytes after the chunk's content.
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
                _ = gather(position, only: rows, dialect: dialect, into: cells.baseAddress!, nullTexts: nil)
            }
            body(UnsafePointer(chunk.bytes), cells)
        }
    }
}
