internal import Assay
internal import CAssay

extension ColumnProfile {
    /// The share of the values that a type must fit to be taken for theirs.
    package static let leastShare = 0.95

    mutating func guessType(
        _ column: ProfileColumn, _ counts: assay_profile_counts, _ index: Int, _ sample: SampleReader
    ) {
        var guesses = zip(column.plan.candidates, column.tries).map { type, tried in
            TypeGuess(
                type: type.description, fits: tried.fits, of: values - tried.words,
                firstMisfit: tried.firstMisfit == .max ? nil : tried.firstMisfit,
                from: Self.text(of: tried.times.first, tried, type.description.kind),
                to: Self.text(of: tried.times.last, tried, type.description.kind))
        }
        guesses += unexpected(column, index, sample)
        guesses = ordered(guesses)
        let numbers = numberGuesses(column, counts)
        let boolean = booleanGuess()
        let all = guesses + (boolean.map { [$0] } ?? []) + numbers
        let isText = leadingZeros > 0 && leadingZeros * 50 > Int(counts.integers)
        let chosen = all.first { guess in
            // Digits with zeros in front are codes.
            if isText
                && (guess.type.kind == .integer || guess.type.kind == .number && counts.numbers == counts.integers)
            {
                return false
            }
            // 1,5 is a number with a decimal comma.
            if guess.type.format == "lat-long" && numbers.contains(where: { $0.fits >= guess.fits }) { return false }
            return isBelieved(guess)
        }
        if let chosen {
            type = chosen
        } else {
            type = TypeGuess(type: .string, fits: values, of: values)
        }
        others = all.filter {
            $0 != type && $0.share >= 0.5 && !(type.type.kind == .integer && $0.type.kind == .number)
        }
        others.sort { $0.share > $1.share }
        if type.type.kind == .date || type.type.kind == .datetime {
            isAmbiguous = others.contains { $0.type.kind == type.type.kind && $0.fits == type.fits }
        }
        if [.integer, .number].contains(type.type.kind)
            || others.contains(where: { [.integer, .number].contains($0.type.kind) })
        {
            self.numbers = Distribution(
                assay_profile_numbers(column.handle), areWhole: counts.integers == counts.numbers)
        }
    }

    private func isBelieved(_ guess: TypeGuess) -> Bool {
        guard guess.of > 0, guess.share >= Self.leastShare else { return false }
        if guess.type.kind == .boolean { return true }
        guard let candidate = TypeCandidate.all.first(where: { $0.type == guess.type }) else { return true }
        return candidate.isBelieved(distinct: distinct, name: name)
    }

    /// Candidates in the order of what says more; of formats of dates that which fits more values.
    private func ordered(_ guesses: [TypeGuess]) -> [TypeGuess] {
        let order = TypeCandidate.all.map(\.type)
        func rank(_ guess: TypeGuess) -> Int { order.firstIndex(of: guess.type) ?? order.count }
        let isTime: (TypeGuess) -> Bool = { [.date, .datetime].contains($0.type.kind) }
        return guesses.sorted { one, other in
            if isTime(one) && isTime(other) && one.share != other.share { return one.share > other.share }
            return rank(one) < rank(other)
        }
    }

    /// Types that the first records did not suggest, as a random sample has them.
    private func unexpected(_ column: ProfileColumn, _ index: Int, _ sample: SampleReader) -> [TypeGuess] {
        let texts = sample.texts(index)
        if texts.isEmpty { return [] }
        guard let scratch = assay_scratch_create(nil) else { return [] }
        defer { assay_scratch_free(scratch) }
        let few = Array(texts.prefix(16))
        let known = column.plan.candidates.map(\.description)
        return sample.types.compactMap { type in
            // Those that need a proof were tried on the first records.
            let needsProof = TypeCandidate.all.contains { $0.proof != nil && $0.type == type.description }
            if needsProof || known.contains(type.description)
                || 2 * sample.count(few, of: type, scratch: scratch) < few.count
            {
                return nil
            }
            let fits = sample.count(texts, of: type, scratch: scratch)
            let guess = TypeGuess(type: type.description, fits: fits, of: texts.count, isExact: false)
            return guess.share >= 0.5 ? guess : nil
        }
    }

    private func numberGuesses(_ column: ProfileColumn, _ counts: assay_profile_counts) -> [TypeGuess] {
        let of = values - Int(counts.words)
        let (decimal, group) = (column.plan.style.decimal, column.plan.style.group)
        let groupChar = group == 0 ? nil : String(Unicode.Scalar(group))
        let decimalChar = decimal == UInt8(ascii: ".") ? nil : String(Unicode.Scalar(decimal))
        return [
            TypeGuess(
                type: ValueType(.integer, groupChar: groupChar), fits: Int(counts.integers), of: of,
                firstMisfit: counts.first_no_integer == .max ? nil : Int(counts.first_no_integer)),
            TypeGuess(
                type: ValueType(.number, decimalChar: decimalChar, groupChar: groupChar), fits: Int(counts.numbers),
                of: of,
                firstMisfit: counts.first_no_number == .max ? nil : Int(counts.first_no_number)),
        ]
    }

    /// Pairs of words for true and false.
    private static let booleans: [(yes: String, no: String)] = [
        ("true", "false"), ("yes", "no"), ("y", "n"), ("t", "f"), ("on", "off"), ("ja", "nein"), ("oui", "non"),
        ("sí", "no"), ("si", "no"), ("wahr", "falsch"), ("vrai", "faux"),
    ]

    private func booleanGuess() -> TypeGuess? {
        guard topIsAll, !top.isEmpty else { return nil }
        let words = Set(self.words.map(\.text))
        let texts = top.filter { !words.contains($0.text) }
        for pair in Self.booleans {
            let yes = texts.filter { $0.text.lowercased() == pair.yes }
            let no = texts.filter { $0.text.lowercased() == pair.no }
            let fits = (yes + no).reduce(0) { $0 + $1.count }
            let of = texts.reduce(0) { $0 + $1.count }
            guard !yes.isEmpty, !no.isEmpty, Double(fits) >= Self.leastShare * Double(of) else { continue }
            let usual = Set(["true", "True", "TRUE"]), unusual = Set(["false", "False", "FALSE"])
            let isUsual = yes.allSatisfy { usual.contains($0.text) } && no.allSatisfy { unusual.contains($0.text) }
            let type = ValueType(
                .boolean, trueValues: isUsual ? nil : yes.map(\.text), falseValues: isUsual ? nil : no.map(\.text))
            let misfit = texts.filter { !(yes + no).contains($0) }.compactMap(\.firstRecord).min()
            return TypeGuess(type: type, fits: fits, of: of, firstMisfit: misfit)
        }
        return nil
    }

    private static func text(of time: Int64, _ tried: ProfileColumn.Try, _ kind: ValueType.Kind) -> String? {
        guard tried.times.first <= tried.times.last else { return nil }
        let time = Int(time)
        func clock(_ seconds: Int) -> String {
            [seconds / 3600, seconds / 60 % 60, seconds % 60].map { two($0) }.joined(separator: ":")
        }
        switch kind {
        case .date: return CivilDate(days: time).text
        case .time: return clock(time)
        default:
            let days = Int((Double(time) / 86_400).rounded(.down))
            return CivilDate(days: days).text + "T" + clock(time - days * 86_400)
        }
    }
}

private func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }

/// A day of the Gregorian calendar. Source: Howard Hinnant, "chrono-compatible low-level date algorithms".
private struct CivilDate {
    let text: String

    init(days: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let day = shifted - era * 146_097
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let calendarMonth = month < 10 ? month + 3 : month - 9
        let calendarYear = year + era * 400 + (calendarMonth <= 2 ? 1 : 0)
        let digits = String(calendarYear)
        text =
            String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "-" + two(calendarMonth) + "-"
            + two(dayOfYear - (153 * month + 2) / 5 + 1)
    }
}
