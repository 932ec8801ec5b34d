internal import Assay
internal import AssayRules
internal import CAssay

/// The choice of the delimiter from the first records of a table without a given delimiter.
///
///     name;amount          ','  1 column, then 2         ';'  2 columns in every record  ◄ chosen
///     Anna;1,50
///     Bo;2,00
///
struct DelimiterChoice {
    /// A tested delimiter.
    private struct Candidate {
        let delimiter: UInt8
        /// The number of columns that the rules name.
        var named = 0
        var columns = 0
        /// The share of all records, including malformed ones, with the number of fields of the first well-formed one.
        var share = 0.0
        /// The number of quotes next to this delimiter. It decides between equal delimiters: `"a;b",c` has a comma.
        var quotes = 0
    }

    /// The tested delimiters, in order of preference.
    static let usual = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")]

    /// Returns the delimiter with which the header has the most columns that the rules name. Without rules or matching
    /// columns, returns the one with which most records have as many fields as the first, and more than one.
    ///
    /// - Parameters:
    ///   - sample: The first records. The last one may be incomplete.
    ///   - isAll: Whether the table ends with the sample, so that the last record is complete.
    ///   - fields: The names in the rules.
    /// - Throws: ``InputError`` if two delimiters fit equally or nearly so.
    static func delimiter(
        of sample: ArraySlice<UInt8>, isAll: Bool, dialect: Dialect, endsAtCR: Bool, limits: Limits, fields: [String],
        name: String
    ) throws -> UInt8 {
        guard let batch = assay_batch_create() else { throw NoMemoryError(for: "the head of a table") }
        defer { assay_batch_free(batch) }
        let known = Set(fields.map(ByteEqualString.init))
        // Blank lines before the first record of a table without a header do not set the number of columns.
        let sample = dialect.header ? sample : sample.drop { $0 == 10 || $0 == 13 }
        let reserved = [dialect.quoteChar, dialect.escapeChar, dialect.commentChar].compactMap(\.self)
        var candidates: [Candidate] = []
        var unsplit = 0
        for delimiter in usual
        where (sample.contains(delimiter) || delimiter == usual[0]) && !reserved.contains(delimiter) {
            var read = dialect
            read.delimiter = delimiter
            let records = SampleRecords(
                sample, batch, read.cValue(endsAtCR: endsAtCR), limits: limits, isAll: isAll, limit: 1000)
            var candidate = Candidate(delimiter: delimiter)
            let widths = records.widths
            candidate.columns = widths.lazy.compactMap(\.self).first ?? 0
            candidate.share =
                widths.isEmpty ? 0 : Double(widths.count { $0 == candidate.columns }) / Double(widths.count)
            candidate.quotes = Self.quotes(in: sample, nextTo: delimiter, quote: dialect.quoteChar)
            if dialect.header && !known.isEmpty {
                candidate.named = Set(records.texts(of: 0).map(ByteEqualString.init)).intersection(known).count
            }
            if candidate.columns > 1 { candidates.append(candidate) } else { unsplit = max(unsplit, candidate.named) }
        }
        // The whole header may be a single name, which may contain delimiters.
        if unsplit > candidates.map(\.named).max() ?? 0 { return usual[0] }
        return try best(candidates, isNamed: true, name: name) ?? best(candidates, isNamed: false, name: name)
            ?? usual[0]
    }

    /// The minimum difference between the shares of two delimiters. A smaller one may be caused by malformed records
    /// and does not decide. A tenth, with room for rounding.
    private static let nearTie = 0.1 + 1e-9

    private static func best(_ candidates: [Candidate], isNamed: Bool, name: String) throws(InputError) -> UInt8? {
        let fitting = candidates.filter { isNamed ? $0.named > 0 : $0.share > 0.5 }
        let score = { (candidate: Candidate) in isNamed ? Double(candidate.named) : candidate.share }
        guard let maximum = fitting.map(score).max() else { return nil }
        let distance = isNamed ? 0 : Self.nearTie
        let equal = fitting.filter { maximum - score($0) <= distance }
        let quotes = equal.map(\.quotes).max() ?? 0
        let best = equal.filter { $0.quotes == quotes }
        if best.count == 1 { return best[0].delimiter }
        let spelled = best.map { delimiter in
            var dialect = Dialect()
            dialect.delimiter = delimiter.delimiter
            return delimiter.delimiter == UInt8(ascii: "\t") ? "tab" : "'\(dialect.spelledSeparator)'"
        }
        throw InputError(
            "\(printable(name)): the delimiter may be \(spelled.joined(separator: " or ")): each gives several columns",
            remedy: .read(with: best.map { [.delimiter($0.delimiter)] }))
    }

    /// Returns the number of quotes next to a delimiter, a line break or an end of the sample.
    static func quotes(in sample: ArraySlice<UInt8>, nextTo delimiter: UInt8, quote: UInt8?) -> Int {
        guard let quote else { return 0 }
        func isEdge(_ index: Int) -> Bool {
            !sample.indices.contains(index) || [delimiter, 10, 13].contains(sample[index])
        }
        return sample.indices.count { sample[$0] == quote && (isEdge($0 - 1) || isEdge($0 + 1)) }
    }
}
