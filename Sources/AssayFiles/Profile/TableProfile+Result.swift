internal import Assay
internal import AssayRules
internal import CAssay

extension TableProfile {
    init(
        _ input: ProfileInput, _ worker: ProfileWorker, plan: ProfilePlan, sample: RecordSample?, threads: Int
    ) {
        let table = input.table
        inputs = table.parts.map { $0.source.name }
        (format, compression, encoding) = (table.format, table.compression, table.parts[0].encoding)
        delimiter = String(decoding: table.head.dialect.separatorBytes, as: UTF8.self)
        choseDelimiter = table.head.choseDelimiter
        hasHeader = table.head.header != nil
        let counts = worker.counts
        bytes = input.headBytes + counts.bytes
        (records, malformed, misencoded, leftOut) = (
            counts.records, counts.malformed, counts.misencoded, counts.leftOut
        )
        firstBad = counts.firstBad == .max ? nil : counts.firstBad
        unnamed = counts.unnamed
        lineBreaks = counts.lineBreaks
        repeatedHeaders = counts.repeatedHeaders
        firstUnnamed = counts.firstUnnamed == .max ? nil : counts.firstUnnamed
        (empty, firstEmpty) = (counts.empty, counts.firstEmpty == .max ? nil : counts.firstEmpty)
        encodingGuess = EncodingGuess(worker.misencoded.bytes)?.encoding
        self.sample = sample
        let finished = FinishedProfile(
            input: input, worker: worker, sample: SampleReader(worker.sample, plan.types))
        columns = finished.columns(threads: threads)
        if hasHeader && input.paths == nil { nameMistakes = NameMistakes(input.names) }
        likelyKey = plan.likelyKey(among: columns)
        if let counter = worker.pair {
            let (count, isEstimated) = counter.duplicates
            if count * 1000 <= wellFormed {
                likelyPair = LikelyPair(
                    first: counter.pair.first, second: counter.pair.second, duplicates: count,
                    duplicatesAreEstimated: isEstimated)
            }
        }
    }
}

/// The counts of a table, after all values were added.
//
// SAFETY: threads only read the worker. The functions of the C core that they call do not change a settled profile.
private struct FinishedProfile: @unchecked Sendable {
    let input: ProfileInput
    let worker: ProfileWorker
    let sample: SampleReader

    /// The profiles of the columns, computed on `threads` threads, because trying all types on the sample takes half a
    /// millisecond for a column.
    func columns(threads: Int) -> [ColumnProfile] {
        mapOnThreads(input.names.count, threads: threads) { [self] in
            ColumnProfile($0, input, worker.columns[$0], sample)
        }
    }
}

extension ColumnProfile {
    fileprivate init(_ index: Int, _ input: ProfileInput, _ column: ProfileColumn, _ sample: SampleReader) {
        name = input.names[index]
        position = index + 1
        var counts = assay_profile_counts()
        assay_profile_get_counts(column.handle, &counts)
        values = Int(counts.values)
        missing = Int(counts.missing)
        padded = Int(counts.padded)
        firstPadded = Self.record(counts.first_padded)
        notASCII = Int(counts.not_ascii)
        twiceEncoded = Int(counts.twice_encoded)
        firstTwiceEncoded = Self.record(counts.first_twice_encoded)
        anomalies = Self.anomalies(of: column.handle)
        leadingZeros = Int(counts.leading_zeros)
        beyondDoubles = Int(counts.beyond)
        distinct = counts.distinct_is_exact ? counts.distinct : min(counts.distinct.rounded(), Double(values))
        distinctIsExact = counts.distinct_is_exact
        if !distinctIsExact {
            distinctError = 1.04 / Double(1 << column.plan.options.precision).squareRoot()
        }
        if column.plan.options.keys > 0 {
            duplicates = Int(counts.duplicates << UInt64(counts.key_share))
            duplicatesAreEstimated = counts.key_share > 0
        } else if column.plan.mayBeKey {
            let repeated = max(0, Double(values) - distinct)
            // An estimate of the different values within three standard errors does not prove duplicates.
            duplicates = repeated <= 3 * distinctError * Double(values) ? 0 : Int(repeated)
            duplicatesAreEstimated = !distinctIsExact
        }
        if input.paths != nil {
            let names = ["absent", "null", "string", "number", "boolean", "object", "array"]
            kinds = zip(names, column.kinds).filter { $1 > 0 }.map { ($0, $1) }
            noLists = column.noLists
        }
        readWords(column)
        lengths = Distribution(assay_profile_lengths(column.handle), areIntegers: true)
        readShapes(column, index, sample)
        readTop(column, index, sample)
        guessType(column, counts, index, sample)
    }

    private static func record(_ number: UInt64) -> Int? { number == .max ? nil : Int(number) }

    private mutating func readWords(_ column: ProfileColumn) {
        var index = 0
        while let word = assay_profile_word(index) {
            let count = Int(assay_profile_word_count(column.handle, index))
            if count > 0 { words.append(Item(text: String(cString: word), count: count)) }
            index += 1
        }
        words.sort { ($1.count, $0.text) < ($0.count, $1.text) }
    }

    private mutating func readShapes(_ column: ProfileColumn, _ index: Int, _ sample: SampleReader) {
        switch assay_profile_shape_level(column.handle) {
        case 0: shapeForm = .whole
        case 1: shapeForm = .runs
        default:
            shapeForm = .sampled
            shapes = Self.sorted(sample.shapes(index))
            return
        }
        shapes = Self.sorted(
            (0..<assay_profile_shape_count(column.handle)).map { place in
                let item = assay_profile_shape(column.handle, place)
                let text = UnsafeBufferPointer(start: item.text.bytes, count: item.text.count)
                return Item(
                    text: ShapeText.text(text), count: Int(item.count), firstRecord: Self.record(item.first_record))
            })
    }

    private mutating func readTop(_ column: ProfileColumn, _ index: Int, _ sample: SampleReader) {
        let count = assay_profile_value_count(column.handle)
        if count == 0 && values > 0 {
            top = Self.sorted(sample.repeatedValues(index))
            topSample = sample.count
        } else {
            top = Self.sorted(
                (0..<count).map { place in
                    let item = assay_profile_value(column.handle, place)
                    let text = UnsafeBufferPointer(start: item.text.bytes, count: item.text.count)
                    return Item(
                        text: String(decoding: text, as: UTF8.self) + (item.is_cut ? "…" : ""), count: Int(item.count),
                        firstRecord: Self.record(item.first_record))
                })
            topIsAll = top.count <= Self.maxTop
        }
        top = Array(top.prefix(Self.maxTop))
    }

    /// The maximum number of the most frequent values.
    static let maxTop = 64

    static func sorted(_ items: [Item]) -> [Item] {
        items.sorted { one, other in
            if one.count != other.count { return one.count > other.count }
            if one.text != other.text { return one.text < other.text }
            // Truncated texts may be equal.
            return one.firstRecord ?? 0 < other.firstRecord ?? 0
        }
    }
}

extension Distribution {
    /// The distribution of the numbers of a column.
    init?(numbersOf profile: OpaquePointer?, areIntegers: Bool) {
        self.init(assay_profile_numbers(profile), areIntegers: areIntegers)
        exactMinimum = Self.text(assay_profile_min_integer(profile))
        exactMaximum = Self.text(assay_profile_max_integer(profile))
    }

    private static func text(_ digits: assay_text) -> String? {
        digits.count == 0
            ? nil : String(decoding: UnsafeBufferPointer(start: digits.bytes, count: digits.count), as: UTF8.self)
    }

    init?(_ histogram: OpaquePointer?, areIntegers: Bool) {
        guard let histogram, assay_histogram_count(histogram) > 0 else { return nil }
        count = Int(assay_histogram_count(histogram))
        minimum = assay_histogram_minimum(histogram)
        maximum = assay_histogram_maximum(histogram)
        mean = assay_histogram_mean(histogram)
        quantiles = [Double](repeating: 0, count: Self.quantileShares.count)
        assay_histogram_quantiles(histogram, Self.quantileShares, quantiles.count, areIntegers, &quantiles)
        var counts = [UInt64](repeating: 0, count: Self.barCount)
        assay_histogram_bars(histogram, &counts, counts.count)
        bars = counts.map { Int($0) }
    }

    private static let barCount = 16
}

/// The displayed form of shapes.
enum ShapeText {
    /// The text of a shape, with `⁺` after one or more repetitions, `…` for a truncated shape, and `¶` for control
    /// characters.
    static func text(_ shape: UnsafeBufferPointer<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        for byte in shape {
            switch byte {
            case 2: text.append("…")
            case 3: text.append("¶")
            default:
                text.append(Unicode.Scalar(byte & 0x7F))
                if byte >= 0x80 { text.append("⁺") }
            }
        }
        return String(text)
    }

    /// The shape of an ASCII text.
    static func text(of text: String, asRuns: Bool) -> String {
        var shape = ""
        for character in text {
            let kind: Character =
                character.isNumber ? "9" : !character.isLetter ? character : character.isUppercase ? "A" : "a"
            if asRuns && shape.last == "⁺" && shape.dropLast().last == kind { continue }
            shape.append(kind)
            if asRuns && "Aa9".contains(kind) { shape.append("⁺") }
        }
        return shape
    }
}
