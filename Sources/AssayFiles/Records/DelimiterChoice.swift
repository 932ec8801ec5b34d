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
        /// The share of all records, malformed ones included, that have the number of fields of the first well-formed one.
        var share = 0.0
        /// The number of quotes beside this delimiter. It decides if two delimiters fit equally: `"a;b",c` has a comma.
        var quotes = 0
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
    /// - Throws: ``InputError`` when two fit equally, or nearly so.
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
            let widths = records.widths
            candidate.columns = widths.lazy.compactMap(\.self).first ?? 0
            candidate.share =
                widths.isEmpty ? 0 : Double(widths.count { $0 == candidate.columns }) / Double(widths.count)
            candidate.quotes = Self.quotes(in: sample, beside: delimiter, quote: dialect.quoteChar)
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

    /// If a smaller share of the records than this decides, malformed records may be the reason, and the share does not decide. A tenth,
    /// with room for rounding.
    private static let nearTie = 0.1 + 1e-9

    private static func best(_ candidates: [Candidate], isNamed: Bool, name: String) throws(InputError) -> UInt8? {
        let fitting = candidates.filter { isNamed ? $0.named > 0 : $0.share > 0.5 }
        let score = { (candidate: Candidate) in isNamed ? Double(candidate.named) : candidate.share }
        guard let most = fitting.map(score).max() else { return nil }
        let distance = isNamed ? 0 : Self.nearTie
        let equal = fitting.filter { most - score($0) <= distance }
        let quotes = equal.map(\.quotes).max() ?? 0
        let best = equal.filter { $0.quotes == quotes }
        if best.count == 1 { return best[0].delimiter }
        let spelled = best.map { delimiter in
            var dialect = Dialect()
            dialect.delimiter = delimiter.delimiter
            return delimiter.delimiter == UInt8(ascii: "\t") ? "tab" : "'\(dialect.spelledSeparator)'"
        }
        throw InputError(
            "\(printable(name)): the delimiter may be \(spelled.joined(separator: " or ")): each makes columns of it",
            remedy: .read(with: best.map { [.delimiter($0.delimiter)] }))
    }

    /// Returns the number of quotes that have a delimiter, a line break or an end of the sample beside them.
    static func quotes(in sample: ArraySlice<UInt8>, beside delimiter: UInt8, quote: UInt8?) -> Int {
        guard let quote else { return 0 }
        func isEdge(_ index: Int) -> Bool {
            !sample.indices.contains(index) || [delimiter, 10, 13].contains(sample[index])
        }
        return sample.indices.count { sample[$0] == quote && (isEdge($0 - 1) || isEdge($0 + 1)) }
    }
}
