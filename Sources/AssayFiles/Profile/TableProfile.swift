package import Assay

/// The profile of a table: the result of a ``Profiler``.
///
/// Its properties are independent facts, in a flat form as in the JSON report.
package struct TableProfile: Sendable {
    /// The files, in order.
    package var inputs: [String]
    /// The format of the records.
    package var format: InputFormat
    /// Whether the records came as Arrow batches. `format` is then only the format in which they were passed on.
    package var isArrow = false
    package var compression: Compression?
    package var encoding: TextEncoding
    package var delimiter: String
    package var choseDelimiter: Bool
    /// Whether the columns have their own names.
    package var hasHeader: Bool
    package var bytes = 0
    /// The number of examined records. The values of malformed or non-UTF-8 records are not counted.
    package var records = 0
    package var malformed = 0
    package var misencoded = 0
    /// The first malformed or non-UTF-8 record, or `nil`.
    package var firstBad: Int?
    /// The number of JSON records with a value in no column. Columns are the nameable paths of the first objects. The
    /// next property is the first such record.
    package var unnamed = 0
    package var firstUnnamed: Int?
    /// The number of records whose values are all missing, and the first one.
    package var empty = 0
    package var firstEmpty: Int?
    /// The probable encoding of records that are not UTF-8. `nil` if there are no such records or no guess is possible.
    package var encodingGuess: TextEncoding?
    /// The cells that contain line breaks.
    package var lineBreaks = LineBreaks()
    /// Records that repeat the header, and the place of the first one.
    package var repeatedHeaders = RepeatedHeaders()
    /// Records outside the requested sample.
    package var leftOut = 0
    package var sample: RecordSample?
    package var columns: [ColumnProfile] = []
    /// Missing and equal names in the header.
    package var nameMistakes = NameMistakes()
    /// The column that is most likely a key, or `nil`.
    package var likelyKey: Int?
    /// The columns that are probably a key together, if no column is one; otherwise `nil`.
    package var likelyPair: LikelyPair?
    package var threads = 0
    package var seconds = 0.0

    /// Two columns that are probably a key together.
    package struct LikelyPair: Hashable, Sendable {
        package var first: Int
        package var second: Int
        /// The number of records that repeat the values of an earlier record.
        package var duplicates: Int
        package var duplicatesAreEstimated: Bool
    }

    /// The likely pair in words, such as `'order' and 'line' together: all pairs are unique`.
    package var pairText: String? {
        guard let likelyPair else { return nil }
        let names = [likelyPair.first, likelyPair.second].map { "'\(printable(columns[$0].name))'" }
        let (count, isEstimated) = (likelyPair.duplicates, likelyPair.duplicatesAreEstimated)
        let text = "\(names[0]) and \(names[1]) together: "
        if count == 0 { return text + "all pairs \(isEstimated ? "seem to be" : "are") unique" }
        return text + (isEstimated ? "about " : "") + plural(count, "duplicate")
    }

    /// The records without values in words, such as `2 records have no values, first record 1`.
    package var emptyText: String? {
        guard let firstEmpty else { return nil }
        let (verb, place) = empty == 1 ? ("has", "record") : ("have", "first record")
        return "\(plural(empty, "record")) \(verb) no values, \(place) \(grouped(firstEmpty))"
    }

    /// Records with counted values.
    package var wellFormed: Int { records - malformed - misencoded }
}

/// The profile of a column.
///
/// Its properties are independent facts, in a flat form as in the JSON report.
package struct ColumnProfile: Sendable {
    package var name: String
    /// From 1.
    package var position: Int
    /// The number of present values. The next property counts missing ones.
    package var values = 0
    package var missing = 0
    /// Words that often mean a missing value, the most frequent first.
    package var words: [Item] = []
    /// The most likely type of the values.
    package var type = TypeGuess(type: .string)
    /// The most specific type that enough values fit, even if a wider type fits more values.
    var tightest = TypeGuess(type: .string)
    /// The most specific type that all values fit.
    var fitting = TypeGuess(type: .string)
    /// For text: the type that all values have after repairs; otherwise `nil`.
    var repaired: RepairedType?
    /// Other types that fit a part of the values, in descending order of fit.
    package var otherTypes: [TypeGuess] = []
    /// Whether two formats of dates or numbers read all values, and the values do not determine the intended one.
    package var isAmbiguous = false
    /// The alternative type of ambiguous numbers.
    package var otherNumber: TypeGuess?
    package var distinct = 0.0
    package var distinctIsExact = true
    /// The standard error of an estimate, as a share.
    package var distinctError = 0.0
    /// Values with a space or tab at an end, and the record of the first one.
    package var padded = 0
    package var firstPadded: Int?
    package var notASCII = 0
    /// Values that seem to be UTF-8 that was read as windows-1252 and encoded again, and the record of the first one.
    package var twiceEncoded = 0
    package var firstTwiceEncoded: Int?
    /// Parts of values that often result from a mistake.
    package var anomalies: [Anomaly] = []
    /// Numbers or days that probably stand for missing ones.
    package var placeholders: [Placeholder] = []
    /// Numbers such as 007.
    package var leadingZeros = 0
    /// Numbers such as 1e400 that exceed all doubles. They are not in ``numbers``.
    package var beyondDoubles = 0
    /// The lengths in Unicode scalars.
    package var lengths: Distribution?
    /// The distribution of numeric values.
    package var numbers: Distribution?
    /// The shapes of the values, the most frequent first.
    package var shapes: [Item] = []
    package var shapeForm = ShapeForm.whole
    /// The most frequent values. They are data, so they are shown only on request.
    package var top: [Item] = []
    /// Whether ``top`` contains all distinct values.
    package var topIsAll = false
    /// The sample size if the counts of ``top`` are from a random sample of records.
    package var topSample: Int?
    /// For columns that may be the key: the number of repeated values; `nil` if not counted.
    package var duplicates: Int?
    /// Whether ``duplicates`` is an estimate.
    package var duplicatesAreEstimated = false
    /// For JSON: the number of values by kind.
    package var kinds: [(name: String, count: Int)] = []
    /// For a column of list elements: the number of values in the place of a list.
    package var noLists = 0

    /// A text and its frequency.
    package struct Item: Hashable, Sendable {
        package var text: String
        package var count: Int
        package var firstRecord: Int?
    }

    /// The form of the shapes.
    package enum ShapeForm: String, Sendable {
        /// Character by character.
        case whole
        /// Runs of letters and digits are merged.
        case runs
        /// From a random sample, because even merged shapes are too numerous.
        case sampled
    }
}

/// A possible type of a column's values.
package struct TypeGuess: Hashable, Sendable {
    package var type: ValueType
    /// The number of values that fit, out of `of`. Words for missing values that do not fit are excluded.
    package var fits = 0
    package var of = 0
    /// The record of the first value that does not fit.
    package var firstMisfit: Int?
    /// Whether the counts are from all records instead of a random sample.
    package var isExact = true
    /// For dates and times: the first and the last, in ISO form.
    package var from: String?
    package var to: String?

    /// The share of fitting values, 0 to 1.
    package var share: Double { of == 0 ? 0 : Double(fits) / Double(of) }

    /// The name, such as `integer`, `email` or `date %d.%m.%Y`.
    package var name: String {
        if type.kind == .string { return type.format ?? "string" }
        let separators = [("decimalChar", type.decimalChar), ("groupChar", type.groupChar)]
        let separatorTexts = separators.compactMap { name, value in value.map { "\(name) '\($0)'" } }
        return ([type.kind.rawValue] + (type.format.map { [$0] } ?? []) + separatorTexts).joined(separator: " ")
    }
}

/// The distribution of numbers.
package struct Distribution: Hashable, Sendable {
    package var count: Int
    package var minimum: Double
    package var maximum: Double
    /// The digits of the minimum and the maximum if they are integers that a `Double` would round.
    var exactMinimum: String?
    var exactMaximum: String?
    package var mean: Double
    /// The quantiles for the shares in ``quantileShares``.
    package var quantiles: [Double]
    /// The number of values in each of several intervals of equal width between minimum and maximum.
    package var bars: [Int]

    /// Returns a quantile or mean with only significant digits, clamped to the range of the numbers. Large integers
    /// keep all digits, because ids are often closer to each other than the omitted digits.
    package func shown(_ value: Double) -> Double {
        min(max(abs(value) < 0x1p53 ? shortened(value) : value, minimum), maximum)
    }

    package var minimumText: String { Self.text(minimum, exactMinimum) }

    package var maximumText: String { Self.text(maximum, exactMaximum) }

    /// The maximum number of digits of an exact integer. Longer ones would widen a table.
    private static let maxDigits = 40

    private static func text(_ value: Double, _ exact: String?) -> String {
        exact.flatMap { $0.utf8.count > maxDigits ? nil : groupedDigits($0) } ?? numberText(value)
    }

    /// Returns the text of a quantile or mean in the form of ``shown(_:)``.
    package func text(of value: Double) -> String {
        let shown = shown(value)
        return shown == minimum ? minimumText : shown == maximum ? maximumText : numberText(shown)
    }

    package static let quantileShares = [0.05, 0.25, 0.5, 0.75, 0.95]
}
