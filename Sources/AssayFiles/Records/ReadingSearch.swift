internal import Assay
internal import AssayRules
internal import CAssay

/// Searches for the settings under which the first lines of a file are a table, if the present settings do not make one
/// of them.
///
///     Report;2024-01⏎      --delimiter ';' --skip 1      3 columns in 50 of 50 records  ◄ recommended
///     id;name;city⏎        --delimiter ';'               2 columns in  0 of 51 records
///     1;Anna;Rome⏎         (as it is: ',')               1 column
///     …
///
/// A setting is recommended only if the sample, read with it, is a table: nine in ten of its records have the number of
/// fields of its header. So a recommendation is right when it is followed, at least for the records of the sample.
struct ReadingSearch {
    /// The bytes after a byte order mark and a note for Excel.
    let bytes: ArraySlice<UInt8>
    /// Whether the file ends with these bytes.
    let isAll: Bool
    /// The settings that the file is read with.
    let dialect: Dialect
    let endsAtCR: Bool
    let limits: Limits
    /// The names that the rules have for columns; empty: the columns can have any names.
    let fields: [String]
    /// Whether the bytes are those of the file, not decoded from another encoding.
    let isUTF8: Bool
    let batch: UnsafeMutablePointer<assay_batch>

    /// A way to read the sample.
    struct Reading: Hashable {
        /// The settings that differ from the present ones.
        var settings: [DialectSetting] = []
        /// The number of fields in the header.
        var columns = 0
        /// The number of records below the header that have the same number of fields.
        var fitting = 0
        /// The number of records below the header.
        var records = 0
        /// The number of fields of the rules that are columns.
        var named = 0
        /// The number of quotes beside delimiters. It tells readings apart that are equal otherwise.
        var quotes = 0

        /// Whether nine in ten records fit.
        var isTable: Bool { columns > 1 && records > 0 && fitting * 10 >= records * 9 }
    }

    private static let maxHeaderLines = 100
    private static let maxRecords = 1000
    private static let escape = UInt8(ascii: "\\")
    private static let space = UInt8(ascii: " ")

    /// The present reading: the first record is the header.
    var present: Reading? {
        let sample = sample(dialect)
        guard let columns = sample.widths.first ?? nil else { return nil }
        return reading(sample, header: 0, columns: columns)
    }

    /// The texts of the records below the first one, with the present settings.
    var firstRecords: [[String]] {
        let sample = sample(dialect)
        return sample.widths.indices.dropFirst().prefix(Self.maxHeaderLines)
            .filter { sample.widths[$0] != nil }.map { sample.texts(of: $0) }
    }

    /// The delimiter that nine in ten records contain, or `nil`.
    var frequentDelimiter: UInt8? {
        DelimiterChoice.usual.first { delimiter in
            var changed = dialect
            changed.delimiter = delimiter
            if delimiter == dialect.separator || changed.conflict != nil { return false }
            let widths = sample(changed).widths
            return widths.count { $0 ?? 0 > 1 } * 10 >= widths.count * 9
        }
    }

    /// The best other readings. There are several only if they fit equally.
    var otherReadings: [Reading] {
        let readings = dialects.compactMap { settings, dialect in
            reading(sample(dialect), dialect).map { found in
                var found = found
                found.settings = settings + found.settings
                found.quotes = DelimiterChoice.quotes(in: bytes, nextTo: dialect.separator, quote: dialect.quoteChar)
                return found
            }
        }
        func rank(_ reading: Reading) -> [Int] {
            let share = reading.fitting * 100 / max(1, reading.records)
            return [reading.named, share >= 99 ? 1 : 0, -reading.settings.count, share, reading.quotes]
        }
        guard let best = readings.map(rank).max(by: { $0.lexicographicallyPrecedes($1) }) else { return [] }
        let found = readings.filter { rank($0) == best }
        // If the present reading is among the best, other readings are not suggested.
        return found.contains { $0.settings.isEmpty } ? [] : found
    }

    /// The best other readings as a remedy, with the encoding if the sample is not UTF-8. `nil` if there is no other
    /// reading.
    var remedy: InputError.Remedy? {
        let otherReadings = self.otherReadings
        if otherReadings.isEmpty { return nil }
        let guess = isUTF8 && String(validating: bytes, as: UTF8.self) == nil ? EncodingGuess(Array(bytes))?.name : nil
        return .read(with: otherReadings.map { $0.settings + (guess.map { [.encoding($0)] } ?? []) })
    }

    /// The dialects to try, with the settings that distinguish them from the present one.
    private var dialects: [(settings: [DialectSetting], dialect: Dialect)] {
        let present = dialect.secondDelimiter == nil ? [dialect.separator] : []
        let delimiters = DelimiterChoice.usual + [Self.space]
        var found: [(settings: [DialectSetting], dialect: Dialect)] = []
        for delimiter in present + delimiters.filter({ !present.contains($0) && bytes.contains($0) }) {
            var changed = dialect
            changed.delimiter = delimiter
            changed.secondDelimiter = nil
            let isChanged = delimiter != dialect.separator || dialect.secondDelimiter != nil
            for (setting, variant) in variants(of: changed) where variant.conflict == nil {
                found.append(((isChanged ? [.delimiter(delimiter)] : []) + setting, variant))
            }
        }
        if dialect.secondDelimiter != nil { found.append(([], dialect)) }
        return found
    }

    /// The dialect itself, and those that read its quotes or the ends of its records in another way.
    private func variants(of dialect: Dialect) -> [(settings: [DialectSetting], dialect: Dialect)] {
        var found: [(settings: [DialectSetting], dialect: Dialect)] = [([], dialect)]
        if !dialect.trailingDelimiter && [10, 13].contains(where: { contains([dialect.separator, $0]) }) {
            var variant = dialect
            variant.trailingDelimiter = true
            found.append(([.trailingDelimiter], variant))
        }
        if endsAtCR && dialect.lineTerminator == nil && bytes.contains(10) {
            var variant = dialect
            variant.lineTerminator = .lf
            found.append(([.lineFeeds], variant))
        }
        guard let quote = dialect.quoteChar, bytes.contains(quote) else { return found }
        if dialect.escapeChar == nil && contains([Self.escape, quote]) {
            var variant = dialect
            variant.escapeChar = Self.escape
            found.append(([.escape(Self.escape)], variant))
        }
        let delimiter = dialect.separator
        if !dialect.skipInitialSpace && delimiter != Self.space
            && (contains([delimiter, Self.space, quote]) || contains([quote, Self.space, delimiter]))
        {
            var variant = dialect
            variant.skipInitialSpace = true
            found.append(([.skipInitialSpace], variant))
        }
        if !hasQuotedFields(delimiter, quote) {
            var variant = dialect
            variant.quoteChar = nil
            found.append(([.noQuotes], variant))
        }
        return found
    }

    private func contains(_ sequence: [UInt8]) -> Bool {
        bytes.indices.dropLast(sequence.count - 1).contains { start in
            bytes[start] == sequence[0] && bytes[start..<start + sequence.count].elementsEqual(sequence)
        }
    }

    /// Whether a field between delimiters begins and ends with a quote, with or without spaces around it. Then quotes
    /// are not ordinary text.
    private func hasQuotedFields(_ delimiter: UInt8, _ quote: UInt8) -> Bool {
        bytes.split(whereSeparator: { $0 == delimiter || $0 == 10 || $0 == 13 }).contains { field in
            let text = field.drop { $0 == Self.space }
            return text.count > 1 && text.first == quote && text.last(where: { $0 != Self.space }) == quote
        }
    }

    private func sample(_ dialect: Dialect) -> SampleRecords {
        SampleRecords(
            bytes, batch, dialect.cValue(endsAtCR: endsAtCR(dialect)), limits: limits, isAll: isAll,
            limit: Self.maxRecords)
    }

    private func endsAtCR(_ dialect: Dialect) -> Bool { dialect.endsAtCR ?? endsAtCR }

    private func reading(_ sample: SampleRecords, header: Int, columns: Int) -> Reading {
        // A blank line is not a record of a table with several columns.
        let below = sample.widths.indices.dropFirst(header + 1).filter { !sample.isBlank($0) }
        return Reading(
            columns: columns, fitting: below.count { sample.widths[$0] == columns }, records: below.count)
    }

    /// Returns the reading that uses the first suitable record as header. Returns `nil` if no record is suitable.
    private func reading(_ sample: SampleRecords, _ dialect: Dialect) -> Reading? {
        if !dialect.header {
            let counts = sample.widths.compactMap(\.self).filter { $0 > 1 }
            guard let columns = counts.first else { return nil }
            let found = Reading(
                columns: columns, fitting: counts.count { $0 == columns }, records: sample.widths.count)
            return found.isTable ? found : nil
        }
        let headers = sample.widths.indices.prefix(Self.maxHeaderLines)
        for isStrict in [true, false] {
            for header in headers {
                guard let columns = sample.widths[header], columns > 1 || !fields.isEmpty else { continue }
                var found = reading(sample, header: header, columns: columns)
                let names = Array(sample.texts(of: header).prefix(columns))
                if fields.isEmpty {
                    guard found.isTable, isHeader(names, at: header, in: sample, dialect, isStrict: isStrict) else {
                        continue
                    }
                } else {
                    found.named =
                        Set(names.map(ByteEqualString.init)).intersection(fields.map(ByteEqualString.init))
                        .count
                    // A line below the first one must have all fields.
                    let isAll = found.named == Set(fields).count
                    guard isAll || found.named > 0 && header == 0 && !isStrict else { continue }
                }
                let lines = sample.line(of: header, endsAtCR: endsAtCR(dialect))
                if lines != self.dialect.skip { found.settings.append(.skip(lines)) }
                return found
            }
        }
        return nil
    }

    /// Whether a record can be the header of the records below it, and does not hide another header above it.
    ///
    /// - Parameter isStrict: whether all its names must be different and not empty.
    private func isHeader(
        _ names: [String], at header: Int, in sample: SampleRecords, _ dialect: Dialect, isStrict: Bool
    ) -> Bool {
        let filled = names.filter { !$0.allSatisfy { $0 == " " } }
        if filled.contains(where: { CellKind($0) != nil }) || filled.count < 2 { return false }
        if isStrict && Set(filled).count != names.count { return false }
        // If a column has numbers or dates, and no name is one, the record differs from those below it.
        let below = sample.widths.indices.dropFirst(header + 1).filter { sample.widths[$0] == names.count }
            .prefix(Self.maxHeaderLines).map { sample.texts(of: $0) }
        let isDistinct = names.indices.contains { column in
            let values = below.map { $0[column] }.filter { !$0.isEmpty }
            return values.count > 1 && values.count { CellKind($0) != nil } * 10 >= values.count * 9
        }
        if !isStrict && !isDistinct { return false }
        if dialect.separator == Self.space && names.count < 3 && !isDistinct { return false }
        return (0..<header).allSatisfy { above in
            if isDistinct { return sample.widths[above] != names.count || sample.texts(of: above).contains("") }
            // A title above a table of texts, not a header with too few names.
            guard sample.widths[above] == 1 else { return false }
            return names.count > 2 || sample.isBlank(above) || sample.texts(of: above)[0].contains(" ")
        }
    }
}
