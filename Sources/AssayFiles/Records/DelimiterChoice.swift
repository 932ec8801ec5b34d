internal import Assay
internal import AssayRules
internal import CAssay

/// Which delimiter a table has, by its first records, where nobody has said.
///
///     name;amount          ','  1 column, then 2         ';'  2 columns in every record  ◄ chosen
///     Anna;1,50
///     Bo;2,00
///
struct DelimiterChoice {
    /// One that was looked at.
    private struct Candidate {
        let delimiter: UInt8
        /// How many of the fields that the rules name are columns.
        var named = 0
        var columns = 0
        /// The share of the records that have as many fields as the first.
        var share = 0.0
    }

    /// In the order in which they are preferred where nothing tells them apart.
    static let usual = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")]

    /// The delimiter under which the header has the columns that the rules name; where there are no rules, or none of their
    /// columns is found, the one under which most records have as many fields as the first, and more than one.
    ///
    /// - Parameters:
    ///   - sample: records from the first one on; the last one may be cut off.
    ///   - isAll: whether there are no others, so that the last one is whole.
    ///   - fields: the names in the rules.
    /// - Throws: ``InputError`` when two fit equally.
    static func delimiter(
        of sample: ArraySlice<UInt8>, isAll: Bool, dialect: Dialect, endsAtCR: Bool, limits: Limits, fields: [String],
        name: String
    ) throws -> UInt8 {
        guard let batch = assay_batch_create() else { throw NoMemoryError(for: "the head of a table") }
        defer { assay_batch_free(batch) }
        let known = Set(fields.map(ByteEqualString.init))
        let reserved = [dialect.quoteChar, dialect.escapeChar, dialect.commentChar].compactMap(\.self)
        var candidates: [Candidate] = []
        var whole = 0
        for delimiter in usual
        where (sample.contains(delimiter) || delimiter == usual[0]) && !reserved.contains(delimiter) {
            var read = dialect
            read.delimiter = delimiter
            let records = SampleRecords(
                sample, batch, read.cValue(endsAtCR: endsAtCR), limits: limits, isAll: isAll, most: 1000)
            var candidate = Candidate(delimiter: delimiter)
            let counts = records.fieldCounts
            candidate.columns = counts.first ?? 0
            candidate.share = counts.isEmpty ? 0 : Double(counts.count { $0 == counts[0] }) / Double(counts.count)
            if dialect.header && !known.isEmpty {
                candidate.named = Set(records.texts(of: 0).map(ByteEqualString.init)).intersection(known).count
            }
            if candidate.columns > 1 { candidates.append(candidate) } else { whole = max(whole, candidate.named) }
        }
        // A name may be the whole header, whatever is in it.
        if whole > candidates.map(\.named).max() ?? 0 { return usual[0] }
        return try best(candidates, isNamed: true, name: name) ?? best(candidates, isNamed: false, name: name)
            ?? usual[0]
    }

    private static func best(_ candidates: [Candidate], isNamed: Bool, name: String) throws(InputError) -> UInt8? {
        let fitting = candidates.filter { isNamed ? $0.named > 0 : $0.share > 0.5 }
        let score = { (candidate: Candidate) in isNamed ? Double(candidate.named) : candidate.share }
        guard let most = fitting.map(score).max() else { return nil }
        let best = fitting.filter { score($0) == most }
        if best.count == 1 { return best[0].delimiter }
        let spelled = best.map { delimiter in
            var dialect = Dialect()
            dialect.delimiter = delimiter.delimiter
            return delimiter.delimiter == UInt8(ascii: "\t") ? "tab" : "'\(dialect.spelledSeparator)'"
        }
        throw InputError(
            "\(printable(name)): the delimiter may be \(spelled.joined(separator: " or ")): each makes columns of it",
            remedy: .eitherDelimiter(best.map(\.delimiter)))
    }
}

/// The first records of a table, to be looked at. Borrows a batch.
struct SampleRecords {
    let bytes: [UInt8]
    let batch: UnsafeMutablePointer<assay_batch>
    private let dialect: assay_dialect
    /// The entries that are well-formed records.
    let entries: [Int]

    init(
        _ sample: ArraySlice<UInt8>, _ batch: UnsafeMutablePointer<assay_batch>, _ dialect: assay_dialect,
        limits: Limits,
        isAll: Bool, most: Int
    ) {
        // Room for undoing doubled quotes.
        bytes = sample + [UInt8](repeating: 0, count: sample.count)
        self.batch = batch
        self.dialect = dialect
        var limits = assay_record_limits(
            field_bytes: UInt32(limits.fieldBytes), record_bytes: UInt32(limits.recordBytes))
        var dialect = dialect
        let status = bytes.withUnsafeBufferPointer {
            assay_scan(batch, &dialect, &limits, $0.baseAddress!, sample.count, UInt32(most), isAll, false)
        }
        entries =
            status == .ASSAY_OK
            ? (0..<Int(batch.pointee.record_count)).filter { batch.pointee.records[$0].flags == 0 } : []
    }

    var fieldCounts: [Int] { entries.map(fieldCount) }

    private func fieldCount(_ entry: Int) -> Int {
        Int(batch.pointee.records[entry + 1].first_field - batch.pointee.records[entry].first_field)
    }

    /// The texts of the fields of a well-formed record. Only until the batch is used for others.
    func texts(of index: Int) -> [String] {
        guard entries.indices.contains(index) else { return [] }
        return Self.texts(ofEntry: entries[index], batch, dialect, bytes, count: bytes.count / 2)
    }

    static func texts(
        ofEntry entry: Int, _ batch: UnsafeMutablePointer<assay_batch>, _ dialect: assay_dialect, _ bytes: [UInt8],
        count: Int
    ) -> [String] {
        var (bytes, dialect, used) = (bytes, dialect, UInt32(count))
        let fields = Int(batch.pointee.records[entry + 1].first_field - batch.pointee.records[entry].first_field)
        return (0..<fields).map { field in
            var cell = assay_cell()
            assay_batch_gather(batch, &dialect, &bytes, &used, UInt32(field), UInt32(entry), 1, nil, &cell)
            return String(decoding: bytes[Int(cell.start)..<Int(cell.start + cell.length)], as: UTF8.self)
        }
    }

    /// Where a well-formed record begins, in lines of the sample from 0, that has all these texts; `nil`: there is none.
    func line(ofRecordWith texts: [String]) -> Int? {
        let wanted = Set(texts.map(ByteEqualString.init))
        for index in entries.indices.prefix(100) {
            guard wanted.isSubset(of: self.texts(of: index).map(ByteEqualString.init)) else { continue }
            let start = Int(batch.pointee.records[entries[index]].start)
            return countLines(bytes[..<start], endsAtCR: dialect.cr_ends)
        }
        return nil
    }
}
