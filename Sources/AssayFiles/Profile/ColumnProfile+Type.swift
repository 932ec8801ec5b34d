internal import Assay
internal import CAssay

extension ColumnProfile {
    /// The minimum share of values that must fit a type.
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
        let isCode = isCode(numbers: Int(counts.numbers), integers: Int(counts.integers))
        let chosen = all.first { guess in
            if isCode && [.integer, .number].contains(guess.type.kind) { return false }
            // 1,5 is a number with a decimal comma.
            if guess.type.format == "lat-long" && numbers.contains(where: { $0.fits >= guess.fits }) { return false }
            // Telephone numbers are not negative.
            if guess.type.format == "phone" && hasNegatives && numbers.contains(where: { $0.fits > guess.fits }) {
                return false
            }
            return isBelieved(guess)
        }
        if let chosen {
            type = chosen
        } else {
            type = TypeGuess(type: .string, fits: values, of: values)
        }
        others = all.filter {
            $0 != type && $0.share >= 0.5 && !(type.type.kind == .integer && $0.type.kind == .number)
                && !isChance($0)
        }
        others.sort { $0.share > $1.share }
        if type.type.kind == .date || type.type.kind == .datetime {
            isAmbiguous = others.contains(where: isOtherReading)
        }
        if [.integer, .number].contains(type.type.kind) {
            otherNumber = otherNumber(column, index, sample)
            if let otherNumber {
                isAmbiguous = true
                others.insert(otherNumber, at: 0)
            }
        }
        if [.integer, .number].contains(type.type.kind)
            || others.contains(where: { [.integer, .number].contains($0.type.kind) })
        {
            self.numbers = Distribution(numbersOf: column.handle, areWhole: counts.integers == counts.numbers)
        }
        guessPlaceholders(column, numbers: Int(counts.numbers - counts.beyond))
    }

    private mutating func guessPlaceholders(_ column: ProfileColumn, numbers: Int) {
        switch type.type.kind {
        case .integer, .number:
            placeholders = Self.placeholders(ofNumbers: column.handle, numbers: numbers, distinct: distinct)
        case .date, .datetime:
            let place = column.plan.candidates.firstIndex { $0.description == type.type }
            guard let tried = place.map({ column.tries[$0] }) else { return }
            placeholders = Self.placeholders(
                of: tried.times, unitsPerDay: type.type.kind == .date ? 1 : 86_400, values: tried.fits,
                distinct: distinct)
        default: break
        }
    }

    /// Whether a guess reads all values that the chosen one reads, with day and month exchanged.
    func isOtherReading(_ guess: TypeGuess) -> Bool {
        func dayComesFirst(_ format: String?) -> Bool {
            guard let format, let day = format.firstIndex(of: "d"), let month = format.firstIndex(of: "m") else {
                return false
            }
            return day < month
        }
        return guess.type.kind == type.type.kind && guess.fits == type.fits
            && dayComesFirst(guess.type.format) != dayComesFirst(type.type.format)
    }

    /// The type of the same numbers in the other style if it reads all numbers, such as decimals instead of groups;
    /// otherwise `nil`.
    private func otherNumber(_ column: ProfileColumn, _ index: Int, _ sample: SampleReader) -> TypeGuess? {
        guard let rival = column.plan.rival else { return nil }
        let values = sample.values(index)
        let count = values.count(of: rival)
        if count != values.count(of: column.plan.style) { return nil }
        let group = rival.group == 0 ? nil : String(Unicode.Scalar(rival.group))
        let kind: ValueType.Kind = group == nil ? .number : .integer
        return TypeGuess(type: ValueType(kind, groupChar: group), fits: type.fits, of: type.of, isExact: false)
    }

    /// Whether half of the values of a text column fit a type by chance, such as `#1001` a color.
    private func isChance(_ guess: TypeGuess) -> Bool {
        guard let candidate = TypeCandidate.all.first(where: { $0.type == guess.type }) else { return false }
        return candidate.needsLetters && !candidate.isNamed(name)
    }

    private func isBelieved(_ guess: TypeGuess) -> Bool {
        guard guess.of > 0, guess.share >= Self.leastShare else { return false }
        if guess.type.kind == .boolean { return true }
        guard let candidate = TypeCandidate.all.first(where: { $0.type == guess.type }) else { return true }
        return candidate.isBelieved(of: self)
    }

    /// Whether numeric values are codes, for which sums make no sense.
    private func isCode(numbers: Int, integers: Int) -> Bool {
        // Leading zeros: 01067, 0101.21.
        if leadingZeros * 50 > numbers { return true }
        let words = ColumnWords(name)
        let shortest = lengths?.minimum ?? 0
        // Versions: 1.10 follows 1.9. Two numbers with a point between them: 1904116297.1707142424.
        if integers < numbers { return words.areVersions || words.areIDs && shortest >= 12 || hasExponentsOfDigits }
        // Postal codes and phone numbers without leading zeros.
        return words.areOfDigits && shortest >= 4
    }

    /// Whether some values are such as 12E34. A number has one digit before the exponent, or a decimal point.
    private var hasExponentsOfDigits: Bool {
        let such = shapes.filter { shape in
            let parts = shape.text.uppercased().split(separator: "A", omittingEmptySubsequences: false)
            return parts.count == 2 && parts[0].count > 1
                && parts.allSatisfy { $0.hasPrefix("9") && Set($0).isSubset(of: "9⁺") }
        }
        return such.reduce(0) { $0 + $1.count } * 50 > values
    }

    private var hasNegatives: Bool { shapes.contains { $0.text.hasPrefix("-9") } }

    /// Whether any value contains a letter.
    var hasLetters: Bool { shapes.contains { $0.text.contains { "AaU".contains($0) } } }

    /// Sorts guesses by specificity; date formats by the number of fitting values.
    private func ordered(_ guesses: [TypeGuess]) -> [TypeGuess] {
        let order = TypeCandidate.all.map(\.type)
        func rank(_ guess: TypeGuess) -> Int { order.firstIndex(of: guess.type) ?? order.count }
        let isTime: (TypeGuess) -> Bool = { [.date, .datetime].contains($0.type.kind) }
        return guesses.sorted { one, other in
            if isTime(one) && isTime(other) && one.share != other.share { return one.share > other.share }
            return rank(one) < rank(other)
        }
    }

    /// Types that the first records did not suggest, found in a random sample.
    private func unexpected(_ column: ProfileColumn, _ index: Int, _ sample: SampleReader) -> [TypeGuess] {
        let few = sample.values(index, most: 16)
        if few.count == 0 { return [] }
        guard let scratch = assay_scratch_create(nil) else { return [] }
        defer { assay_scratch_free(scratch) }
        let known = column.plan.candidates.map(\.description)
        let likely = zip(TypeCandidate.all, sample.types).filter { candidate, type in
            // Types that need a proof were tried on the first records.
            candidate.proof == nil && !known.contains(type.description)
                && 2 * few.count(of: type, scratch: scratch) >= few.count
        }
        if likely.isEmpty { return [] }
        let all = sample.values(index)
        return likely.map { _, type in
            TypeGuess(
                type: type.description, fits: all.count(of: type, scratch: scratch), of: all.count, isExact: false)
        }.filter { $0.share >= 0.5 }
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

    /// Word pairs for true and false.
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
        let (days, second) = kind == .date ? (time, 0) : floorDivided(time, by: 86_400)
        let clock = [second / 3600, second / 60 % 60, second % 60].map { padded($0) }.joined(separator: ":")
        if kind == .time { return clock }
        let date = dateText(days)
        if kind == .date { return date }
        return "\(date)T\(clock)" + (tried.times.zoned == tried.fits ? "Z" : "")
    }

    /// A day since 1970-01-01, such as 2024-02-29.
    static func dateText(_ days: Int64) -> String {
        let (year, month, day) = Moment(days: days, parts: 0, perSecond: 1).civil
        return "\(padded(year, 4))-\(padded(month))-\(padded(day))"
    }

    private static func padded(_ number: Int64, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
