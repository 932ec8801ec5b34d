internal import Assay

extension TableProfile {
    /// The version of the JSON form. It increases when a reader of the old form would misread the new one.
    package static let formatVersion = 1

    /// The profile as JSON, in the form of `Docs/assay-profile.schema.json`.
    ///
    /// - Parameter showValues: Whether it includes values of the data: the most frequent ones, and words for missing
    ///   values.
    package func json(showValues: Bool) -> String { value(showValues: showValues).pretty + "\n" }

    private func value(showValues: Bool) -> JSONValue {
        .object([
            ("version", .integer(Self.formatVersion)),
            ("assay", .string(assayVersion)),
            ("inputs", .array(inputs.map { .string($0) })),
            ("format", .string(isArrow ? "arrow" : format.rawValue)),
            ("compression", .optional(compression?.rawValue)),
            ("encoding", .string(encoding.name)),
            ("delimiter", format == .csv && !isArrow ? .string(delimiter) : .null),
            ("header", .bool(hasHeader)),
            ("bytes", .integer(bytes)),
            ("records", .integer(records)),
            ("malformed", .integer(malformed)),
            ("notUTF8", .integer(misencoded)),
            ("firstMalformed", .optional(firstBad)),
            ("unnamed", .integer(unnamed)),
            ("firstUnnamed", .optional(firstUnnamed)),
            ("emptyRecords", .integer(empty)),
            ("firstEmpty", .optional(firstEmpty)),
            ("lineBreaks", lineBreaks.value(names: hasHeader ? columns.map(\.name) : nil)),
            ("repeatedHeaders", repeatedHeaders.value),
            ("columnNames", nameMistakes.value),
            ("encodingGuess", .optional(encodingGuess?.name)),
            ("sample", sample?.value(read: records + leftOut) ?? .null),
            ("likelyKey", .optional(likelyKey.map { columns[$0].name })),
            (
                "likelyKeyOfTwo",
                likelyPair.map { pair in
                    .object([
                        ("columns", .array([pair.first, pair.second].map { .string(columns[$0].name) })),
                        (
                            "duplicates",
                            .object([
                                ("count", .integer(pair.duplicates)), ("exact", .bool(!pair.duplicatesAreEstimated)),
                            ])
                        ),
                    ])
                } ?? .null
            ),
            ("columns", .array(columns.map { $0.value(showValues: showValues) })),
            ("threads", .integer(threads)),
            ("seconds", .number((seconds * 1000).rounded() / 1000)),
        ])
    }
}

extension RecordSample {
    /// The sample in JSON reports.
    ///
    /// - Parameter read: The number of records that were read for it.
    func value(read: Int) -> JSONValue {
        let (percent, count): (JSONValue, JSONValue) =
            switch amount {
            case .percent(let percent): (.number(percent), .null)
            case .count(let count): (.null, .integer(count))
            }
        return .object([
            ("percent", percent), ("count", count), ("seed", .text(String(seed))), ("read", .integer(read)),
        ])
    }
}

extension ColumnProfile {
    /// The maximum number of reported shapes and values.
    private static let maxItems = 20

    fileprivate func value(showValues: Bool) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("name", .string(name)), ("position", .integer(position)), ("values", .integer(values)),
            ("missing", .integer(missing)),
            (
                "missingWords",
                .array(words.map { .object([("text", .string($0.text)), ("count", .integer($0.count))]) })
            ),
            ("type", type.value), ("ambiguous", .bool(isAmbiguous)), ("otherTypes", .array(otherTypes.map(\.value))),
            (
                "distinct",
                .object([
                    ("count", .integer(Int(distinct))), ("exact", .bool(distinctIsExact)),
                    ("standardError", .number(distinctError)),
                ])
            ),
            (
                "duplicates",
                duplicates.map {
                    .object([("count", .integer($0)), ("exact", .bool(!duplicatesAreEstimated))])
                } ?? .null
            ),
            ("padded", .integer(padded)), ("firstPadded", .optional(firstPadded)), ("notASCII", .integer(notASCII)),
            ("twiceEncoded", .integer(twiceEncoded)), ("firstTwiceEncoded", .optional(firstTwiceEncoded)),
            ("anomalies", .array(anomalies.map(\.value))), ("placeholders", .array(placeholders.map(\.value))),
            ("leadingZeros", .integer(leadingZeros)), ("beyondDoubles", .integer(beyondDoubles)),
            ("lengths", lengths?.value ?? .null),
            ("numbers", numbers?.value ?? .null),
            (
                "shapes",
                .object([
                    ("form", .string(shapeForm.rawValue)), ("different", .integer(shapes.count)),
                    ("first", .array(shapes.prefix(Self.maxItems).map { $0.value(named: "shape") })),
                ])
            ),
        ]
        if !kinds.isEmpty {
            members.append(("kinds", .object(kinds.map { ($0.name, .integer($0.count)) })))
        }
        if showValues {
            members.append(
                (
                    "top",
                    .object([
                        ("all", .bool(topIsAll)), ("sampleOf", .optional(topSample)),
                        ("first", .array(top.prefix(Self.maxItems).map { $0.value(named: "value") })),
                    ])
                ))
        }
        return .object(members)
    }
}

extension ColumnProfile.Item {
    fileprivate func value(named name: String) -> JSONValue {
        .object([(name, .string(text)), ("count", .integer(count)), ("firstRecord", .optional(firstRecord))])
    }
}

extension TypeGuess {
    fileprivate var value: JSONValue {
        .object(
            [
                ("type", .string(type.kind.rawValue)), ("format", .optional(type.format)),
                ("decimalChar", .optional(type.decimalChar)), ("groupChar", .optional(type.groupChar)),
                ("fits", .integer(fits)), ("of", .integer(of)), ("exact", .bool(isExact)),
                ("firstMisfit", .optional(firstMisfit)),
            ] + (from == nil ? [] : [("first", .optional(from)), ("last", .optional(to))]))
    }
}

extension Distribution {
    fileprivate var value: JSONValue {
        let shares = Self.quantileShares.map { "p\(Int(($0 * 100).rounded()))" }
        return .object([
            ("count", .integer(count)), ("minimum", number(minimum)), ("mean", number(mean)),
            ("maximum", exactMaximum.map { .text($0) } ?? .number(maximum)),
            ("quantiles", .object(zip(shares, quantiles).map { ($0, number($1)) })),
            ("bars", .array(bars.map { .integer($0) })),
        ])
    }

    /// A number of the range. The extremes have all digits, because a quantile or mean that is rounded to an extreme as
    /// a `Double` may be outside the exact range. All other doubles of the range are inside.
    private func number(_ value: Double) -> JSONValue {
        let exact = value == minimum ? exactMinimum : value == maximum ? exactMaximum : nil
        return exact.map { .text($0) } ?? .number(value)
    }
}
