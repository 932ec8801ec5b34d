internal import Assay

extension InferredField {
    /// Infers the rules that a person would write after looking at a column.
    ///
    /// - Parameters:
    ///   - fit: The values that the rules must accept.
    ///   - isKey: Whether the column identifies records.
    ///   - isSample: Whether only a sample of the records was examined.
    init(_ column: ColumnProfile, fit: Fit, isKey: Bool, isSample: Bool, isJSON: Bool) {
        (name, position) = (column.name, column.position)
        let column = column.choosing(fit)
        if isJSON {
            let absent = column.kinds.first { $0.name == "absent" }?.count ?? 0
            if absent > 0 {
                optionalEvidence = "\(plural(absent, "record")) \(absent == 1 ? "is" : "are") without it"
            } else if name.contains("[]") {
                optionalEvidence = "a list may have no elements"
            }
        }
        if column.values == 0 {
            notes.append("no value in \(plural(column.missing, "record"))")
            return
        }
        setType(column, fit, isJSON: isJSON)
        setMissing(column)
        let absent =
            column.missing
            + missingValues.reduce(0) { sum, word in
                sum + (column.words.first { $0.text == word }?.count ?? 0)
            }
        if absent == 0 && column.values >= Self.someValues {
            constrain("required", "true", "no value is missing")
        } else if absent == 0 && column.values >= Self.minValuesForConstraints {
            notes.append("no value is missing, but \(grouped(column.values)) are too few for required: true")
        } else if absent > 0 {
            notes.append(
                "\(grouped(absent)) of \(grouped(column.values + column.missing)) \(absent == 1 ? "is" : "are") missing"
            )
        }
        if isKey && !isSample && column.values >= Self.minValuesForConstraints { setUnique(column) }
        if type == nil || type?.kind == .string && type?.format == nil {
            setText(column.without(missingValues), fit)
        } else if repairs.isEmpty {
            setRange(column)
        }
        padded = column.padded
    }

    /// The minimum number of values of a column for rules about missing, unique and equal values, because fewer values
    /// are no evidence of them.
    private static let minValuesForConstraints = 10
    /// If this number of values has a property, it is likely (95 %) that fewer than a twentieth of all values lack it.
    /// Rules that more values fail are dropped.
    private static let someValues = 60
    /// Fewer different values are hardly evidence of a lower bound.
    private static let manyDifferent = 100.0
    /// Fewer different values have an equal length by chance, such as `one` and `two`.
    private static let severalDifferent = 10.0
    /// This number of values is evidence of a bound, even if few of the values are different.
    private static let manyValues = 1000

    private mutating func setUnique(_ column: ColumnProfile) {
        guard var duplicates = column.duplicates else { return }
        // Words that mean no value are not compared.
        let words = column.words.filter { missingValues.contains($0.text) }.map(\.count)
        if !column.duplicatesAreEstimated { duplicates -= words.reduce(0) { $0 + $1 - 1 } }
        if duplicates == 0 {
            let count = grouped(column.values - words.reduce(0, +))
            // If the number of duplicates is an estimate, the trial of the rules decides: one duplicate drops the rule.
            if ProfilePlan.isKeyName(name) {
                constrain("unique", "true", "all \(count) are different")
            } else if !column.duplicatesAreEstimated {
                notes.append("all \(count) are different; the name is not that of a key, so unique: true is left out")
            }
        } else if duplicates > 0 {
            notes.append(
                "likely key: unique: true would refuse "
                    + "\(column.duplicatesAreEstimated ? "about " : "")\(grouped(duplicates))"
            )
        }
    }

    private mutating func setType(_ column: ColumnProfile, _ fit: Fit, isJSON: Bool) {
        var guess = column.type
        if isJSON { guess = Self.fitting(column, fit) }
        if guess.type == .string {
            guard let repaired = column.repaired, !isJSON || Self.areStrings(column) else { return }
            (type, repairs) = (repaired.type, repaired.repairs)
            typeEvidence = "all \(grouped(repaired.count)) values of a random sample fit after the repair"
            return
        }
        if let other = column.otherNumber, [.integer, .number].contains(guess.type.kind), !isJSON {
            func described(_ type: ValueType) -> String {
                let options = [("decimalChar", type.decimalChar), ("groupChar", type.groupChar)].compactMap {
                    key, text in
                    text.map { "\(key): \(Self.quoted($0))" }
                }
                return (["type: \(type.kind.rawValue)"] + options).joined(separator: ", ")
            }
            notes.append(
                "group and decimal separators are ambiguous: \(described(guess.type)) or \(described(other.type))")
            return
        }
        if guess.isExact && column.isAmbiguous {
            let other = column.otherTypes.first(where: column.isOtherReading)
            notes.append(
                "day and month are ambiguous: type: \(guess.type.kind.rawValue) with format "
                    + [guess, other].compactMap { $0?.type.format }.map { Self.quoted($0) }.joined(separator: " or "))
            return
        }
        type = guess.type
        typeEvidence =
            !guess.isExact
            ? "of a random sample of \(grouped(guess.of)) values \(grouped(guess.fits)) fit"
            : guess.fits == guess.of
                ? guess.of == 1 ? "the one value fits" : "all \(grouped(guess.of)) values fit"
                : "\(grouped(guess.fits)) of \(grouped(guess.of)) values fit"
                    + (guess.firstMisfit.map { ", the first that does not in record \(grouped($0))" } ?? "")
        if let from = guess.from, let to = guess.to { typeEvidence += "; \(from) to \(to)" }
        if let format = guess.type.format, format.contains("%y") || format.contains("%D"), type?.kind != .string,
            let from = guess.from, let to = guess.to, from.hasPrefix("19"), to.hasPrefix("20")
        {
            notes.append(
                "warning: %y reads two digits as 1969 to 2068, and these are of both centuries: \(from) to \(to)")
        }
    }

    /// Of JSON the kind of the values decides between numbers, Booleans and texts.
    private static func fitting(_ column: ColumnProfile, _ fit: Fit) -> TypeGuess {
        let minShare = fit == .all ? 1 : ColumnProfile.minShare
        let there = column.kinds.filter { !["absent", "null"].contains($0.name) }
        let total = there.reduce(0) { $0 + $1.count }
        func share(_ kind: String) -> Double {
            total == 0 ? 0 : Double(there.first { $0.name == kind }?.count ?? 0) / Double(total)
        }
        let needed: (TypeGuess) -> String = { guess in
            [.integer, .number].contains(guess.type.kind)
                ? "number" : guess.type.kind == .boolean ? "boolean" : "string"
        }
        let all = [column.type] + (fit == .all ? [] : column.otherTypes)
        if let fit = all.first(where: {
            $0.share >= minShare && share(needed($0)) >= minShare && $0.type != .string
        }) {
            return fit
        }
        if share("string") >= minShare { return TypeGuess(type: .string, fits: total, of: total) }
        if share("boolean") >= minShare { return TypeGuess(type: .boolean, fits: total, of: total) }
        if share("number") >= minShare { return TypeGuess(type: .number, fits: total, of: total) }
        return TypeGuess(type: .any, fits: total, of: total)
    }

    /// Whether all values of a column of JSON are strings.
    private static func areStrings(_ column: ColumnProfile) -> Bool {
        column.kinds.allSatisfy { ["absent", "null", "string"].contains($0.name) }
    }

    /// Weakens the type after rules with it have refused too many values. In JSON, a field without a type is a string,
    /// and `any` excludes lists and objects.
    mutating func weakenType(_ column: ColumnProfile, isJSON: Bool) {
        (missingValues, repairs) = ([], [])
        constraints.removeAll { $0.key == "minimum" || $0.key == "maximum" }
        guard isJSON, type?.kind == .any || type == nil else {
            let wasText = type.map { ![.integer, .number, .boolean].contains($0.kind) } ?? true
            (type, typeEvidence) = (isJSON && !wasText ? ValueType(.any) : nil, "")
            return
        }
        let kinds = column.kinds.filter { !["absent", "null"].contains($0.name) }
        let counts =
            kinds.map { "\($0.name) \(grouped($0.count))" }
            + (column.noLists > 0 ? ["\(grouped(column.noLists)) in place of a list"] : [])
        reasonForNone = "of several kinds, so that rules would refuse some: \(counts.joined(separator: ", "))"
    }

    private mutating func setMissing(_ column: ColumnProfile) {
        var words = column.words
        if type == nil || type == .string {
            words = words.filter { Self.isNoText($0.text) }
        } else {
            // Texts of a type that a word is a value of keep it.
            let outside = column.values - column.type.of
            guard type?.kind != .any, outside > 0, outside == words.reduce(0, { $0 + $1.count }) else { return }
        }
        missingValues = words.map(\.text)
        missingEvidence = words.map { "\($0.text): \(grouped($0.count))" }.joined(separator: ", ")
    }

    /// Whether a word means a missing value even among texts. Other words may be texts: `None` and `Null` are names,
    /// `NA` is a country, `-` is a strand of DNA.
    static func isNoText(_ word: String) -> Bool {
        ["NULL", "null", "(null)", "<null>", "<NULL>", "\\N", "N/A", "n/a", "N/a", "#N/A", "n.a.", "N.A."].contains(
            word)
    }

    /// Bounds of numbers.
    private mutating func setRange(_ column: ColumnProfile) {
        guard let type, [.integer, .number].contains(type.kind), let numbers = column.numbers,
            column.values >= Self.minValuesForConstraints
        else { return }
        func text(_ value: Double, _ exact: String?) -> String {
            if let exact { return exact }
            let isIntegral = value == value.rounded() && abs(value) < 0x1p53
            return isIntegral ? String(Int(value)) : "\(value)"
        }
        let minimum = text(numbers.minimum, numbers.exactMinimum)
        let maximum = text(numbers.maximum, numbers.exactMaximum)
        let evidence = "\(minimum) to \(maximum)"
        let isIntegral =
            type.kind == .integer && column.distinctIsExact && column.misfits == 0 && numbers.exactMaximum == nil
        let width = numbers.maximum - numbers.minimum + 1
        if column.beyondDoubles > 0 {
            notes.append("\(evidence), and \(plural(column.beyondDoubles, "number")) such as 1e400")
        } else if column.distinct == 1 {
            notes.append("all are \(minimum)")
        } else if isIntegral, column.distinct == width, width <= 20, numbers.minimum >= 0,
            column.values >= 20 * Int(width)
        {
            // Grades, flags, months: all numbers of a small range.
            constrain("minimum", minimum, "each number from \(evidence) is there")
            constrain("maximum", maximum, "")
        } else if numbers.minimum >= 0 {
            if column.distinct >= Self.manyDifferent || column.values >= Self.manyValues {
                constrain("minimum", "0", evidence)
            } else {
                notes.append("\(evidence), but too few values for minimum: 0")
            }
        } else {
            notes.append(evidence)
        }
    }

    /// Sets, forms and lengths of texts.
    private mutating func setText(_ column: ColumnProfile, _ fit: Fit) {
        if let set = ValueSet(column, fit) {
            constrain("enum", Self.list(set.values), set.evidence)
            return
        }
        guard column.values > 0, let lengths = column.lengths else { return }
        let (minimum, maximum) = (Int(lengths.minimum), Int(lengths.maximum))
        let evidence =
            minimum == maximum
            ? "all have \(plural(minimum, "character"))" : "\(grouped(minimum)) to \(grouped(maximum)) characters"
        if column.values < Self.minValuesForConstraints {
            notes.append(evidence)
            return
        }
        // The length of the only value says little about other values.
        if column.distinct == 1 {
            notes.append("all values are equal, which is no evidence of a form or a length")
        } else if let pattern = ShapePattern(column, fit) {
            constrain("pattern", Self.quoted(pattern.text), pattern.evidence)
        } else if minimum == maximum && column.distinct >= Self.severalDifferent {
            constrain("minLength", String(minimum), evidence)
            constrain("maxLength", String(maximum), "")
        } else {
            constrain("maxLength", String(Self.roomy(maximum)), evidence)
        }
    }

    /// A length that leaves some room, as people choose it.
    private static func roomy(_ length: Int) -> Int {
        let usual = [10, 20, 50, 100, 255, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 100_000]
        return usual.first { $0 >= length + length / 10 } ?? 2 * length
    }
}

extension ColumnProfile {
    /// Values that are not of the type.
    var misfits: Int { type.of - type.fits }

    /// Returns the column with the type for rules of a fit.
    fileprivate func choosing(_ fit: InferredField.Fit) -> ColumnProfile {
        var column = self
        switch fit {
        case .all: column.type = fitting
        case .tightest: column.type = tightest
        case .typical: break
        }
        // Another reading concerns the type of the profile.
        if column.type.type != type.type { (column.isAmbiguous, column.otherNumber) = (false, nil) }
        return column
    }

    /// Returns the column without the given words for missing values. Its lengths are not updated.
    fileprivate func without(_ missing: [String]) -> ColumnProfile {
        var column = self
        for word in words where missing.contains(word.text) {
            column.values -= word.count
            column.missing += word.count
            if distinctIsExact { column.distinct -= 1 }
            let shape = ShapeText.text(of: word.text, asRuns: shapeForm == .runs)
            if shapeForm != .sampled, let place = column.shapes.firstIndex(where: { $0.text == shape }) {
                column.shapes[place].count -= word.count
            }
        }
        column.top.removeAll { missing.contains($0.text) }
        column.shapes.removeAll { $0.count == 0 }
        column.shapes = Self.sorted(column.shapes)
        return column
    }
}

/// The few values that a column has, again and again.
private struct ValueSet {
    var values: [String]
    var evidence: String

    init?(_ column: ColumnProfile, _ fit: InferredField.Fit) {
        guard column.topIsAll, column.distinct >= 2, column.distinct <= 25, column.values >= 30,
            Double(column.values) >= 10 * column.distinct, column.top.allSatisfy({ !$0.text.ends(withBytesOf: "…") })
        else { return nil }
        // A text that occurs once in thousands, has spaces or different letter case is probably a typing error.
        let frequent = column.top.filter { $0.count >= 2 && $0.count * 500 >= column.values }
        let kept = frequent.filter { item in
            let text = item.text.unicodeScalars
            let blanks: [Unicode.Scalar?] = [" ", "\t"]
            return !blanks.contains(text.first) && !blanks.contains(text.last)
        }
        let rest = column.values - kept.reduce(0) { $0 + $1.count }
        guard kept.count >= 2, Double(rest) <= (1 - ColumnProfile.minShare) * Double(column.values) else {
            return nil
        }
        if fit == .all {
            values = column.top.map(\.text)
            evidence = "\(plural(values.count, "value")) in \(grouped(column.values))"
            return
        }
        values = kept.map(\.text)
        let leftOut = column.top.count - kept.count
        evidence = "\(kept.count) values in \(grouped(column.values))"
        if leftOut > 0 { evidence += "; \(plural(leftOut, "rare one")) \(leftOut == 1 ? "is" : "are") left out" }
    }
}
