package import Assay

/// What is in a table: the result of a ``Profiler``.
package struct TableProfile: Sendable {
    /// The files, in order.
    package var inputs: [String]
    /// How the records stand in them, and how the files were read.
    package var format: InputFormat
    /// Whether its records came as batches of Arrow, for which `format` is only how they were handed on.
    package var isArrow = false
    package var compression: Compression?
    package var encoding: TextEncoding
    package var delimiter: String
    package var choseDelimiter: Bool
    /// Whether the columns have names of their own.
    package var hasHeader: Bool
    package var bytes = 0
    /// Records that were looked at; those that are malformed or not UTF-8 have no values that count.
    package var records = 0
    package var malformed = 0
    package var garbled = 0
    /// The first of these; `nil`: there is none.
    package var firstBad: Int?
    /// Records of JSON with a value that is in no column, and the first of them: columns are the paths of the first objects that a path
    /// can name.
    package var unnamed = 0
    package var firstUnnamed: Int?
    /// What those seem to be in that are not UTF-8; `nil`: there are none, or nobody can tell.
    package var encodingGuess: TextEncoding?
    /// The cells that contain line breaks.
    package var lineBreaks = LineBreaks()
    /// Records that repeat the header, and the place of the first one.
    package var repeatedHeaders = RepeatedHeaders()
    /// Records that are not in the sample that was asked for.
    package var leftOut = 0
    package var sample: RecordSample?
    package var columns: [ColumnProfile] = []
    /// The column that most likely tells records apart; `nil`: none does.
    package var likelyKey: Int?
    package var threads = 0
    package var seconds = 0.0

    /// Records whose values count.
    package var wellFormed: Int { records - malformed - garbled }
}

/// What is in a column.
package struct ColumnProfile: Sendable {
    package var name: String
    /// From 1.
    package var position: Int
    /// Values that are there, and those that are not.
    package var values = 0
    package var missing = 0
    /// Values that often mean "no value", the most frequent first.
    package var words: [Item] = []
    /// What the values are, as ``ColumnProfile/fits`` of them show.
    package var type = TypeGuess(type: .string)
    /// Other types that a part of the values is of, that with the most first.
    package var others: [TypeGuess] = []
    /// Two formats of dates or numbers read all values, and the values do not tell which one is meant.
    package var isAmbiguous = false
    /// Of ambiguous numbers the other type.
    package var otherNumber: TypeGuess?
    package var distinct = 0.0
    package var distinctIsExact = true
    /// The standard error of an estimate, as a share.
    package var distinctError = 0.0
    /// Values with a space or tab at an end, and the record of the first one.
    package var padded = 0
    package var firstPadded: Int?
    package var notASCII = 0
    /// Values that seem to be UTF-8 that was read as windows-1252 and encoded once more, and the record of the first one.
    package var twiceEncoded = 0
    package var firstTwiceEncoded: Int?
    /// Numbers such as 007.
    package var leadingZeros = 0
    /// Numbers such as 1e400, beyond all doubles, which are not in ``numbers``.
    package var beyondDoubles = 0
    /// In Unicode scalars.
    package var lengths: Distribution?
    /// Of the values that are numbers.
    package var numbers: Distribution?
    /// What the values look like, the most frequent first.
    package var shapes: [Item] = []
    package var shapeForm = ShapeForm.whole
    /// The most frequent values. Data: shown only to whoever asks.
    package var top: [Item] = []
    /// Whether all different values are in ``top``.
    package var topIsAll = false
    /// Whether the counts of ``top`` are those in a random sample of so many records.
    package var topSample: Int?
    /// Of the likely key: values that stand there once more than once; `nil`: not counted.
    package var duplicates: Int?
    /// Whether ``duplicates`` is an estimate.
    package var duplicatesAreEstimated = false
    /// Of JSON: how many values there are of each kind.
    package var kinds: [(name: String, count: Int)] = []
    /// Of a column of list elements: how many values stand in place of a list.
    package var noLists = 0

    /// A text and how often it was seen.
    package struct Item: Hashable, Sendable {
        package var text: String
        package var count: Int
        package var firstRecord: Int?
    }

    /// How shapes are told.
    package enum ShapeForm: String, Sendable {
        /// Character by character.
        case whole
        /// With runs of letters and digits made one.
        case runs
        /// From a random sample, since there are too many even so.
        case sampled
    }
}

/// What the values of a column may be.
package struct TypeGuess: Hashable, Sendable {
    package var type: ValueType
    /// Values that are of it, and of how many; words for missing values that are not of it are left out.
    package var fits = 0
    package var of = 0
    /// The record of the first value that is not.
    package var firstMisfit: Int?
    /// Whether it was counted in all records, and not in a random sample.
    package var isExact = true
    /// Of dates and times: the first and the last, in their ISO form.
    package var from: String?
    package var to: String?

    /// The share of the values, 0 to 1.
    package var share: Double { of == 0 ? 0 : Double(fits) / Double(of) }

    /// Such as `integer`, `email` or `date %d.%m.%Y`.
    package var name: String {
        if type.kind == .string { return type.format ?? "string" }
        let separators = [("decimalChar", type.decimalChar), ("groupChar", type.groupChar)]
        let said = separators.compactMap { name, value in value.map { "\(name) '\($0)'" } }
        return ([type.kind.rawValue] + (type.format.map { [$0] } ?? []) + said).joined(separator: " ")
    }
}

/// How numbers are spread.
package struct Distribution: Hashable, Sendable {
    package var count: Int
    package var minimum: Double
    package var maximum: Double
    /// The minimum and the maximum digit by digit, if they are integers that a `Double` rounds.
    var exactMinimum: String?
    var exactMaximum: String?
    package var mean: Double
    /// By the shares of ``quantileShares``.
    package var quantiles: [Double]
    /// How many lie in each of as many parts of equal width between minimum and maximum.
    package var bars: [Int]

    /// A quantile or mean as short as it is known, and no further than the numbers go.
    package func shown(_ value: Double) -> Double { min(max(shortened(value), minimum), maximum) }

    package var minimumText: String { Self.text(minimum, exactMinimum) }

    package var maximumText: String { Self.text(maximum, exactMaximum) }

    /// More digits of an exact integer than these would widen a table.
    private static let maxDigits = 40

    private static func text(_ value: Double, _ exact: String?) -> String {
        exact.flatMap { $0.utf8.count > maxDigits ? nil : groupedDigits($0) } ?? numberText(value)
    }

    /// A quantile or mean as ``shown(_:)`` gives it.
    package func text(of value: Double) -> String {
        let shown = shown(value)
        return shown == minimum ? minimumText : shown == maximum ? maximumText : numberText(shown)
    }

    package static let quantileShares = [0.05, 0.25, 0.5, 0.75, 0.95]
}
