internal import Assay
internal import CAssay

extension ColumnProfile {
    /// The minimum share of values that must fit a type.
    package static let minShare = 0.95

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
        let all = guesses + (booleanGuess().map { [$0] } ?? []) + numbers
        let isCode = isCode(numbers: Int(counts.numbers), integers: Int(counts.integers))
        let possible = all.filter { guess in
            if isCode && [.integer, .number].contains(guess.type.kind) { return false }
            if guess.type.format == "lat-long" && areDecimals(numbers, guess) { return false }
            // Telephone numbers are not negative.
            if guess.type.format == "phone" && hasNegatives && numbers.contains(where: { $0.fits > guess.fits }) {
                return false
            }
            return isBelieved(guess, column, index, sample)
        }
        let text = TypeGuess(type: .string, fits: values, of: values)
        tightest = possible.first ?? text
        type =
            possible.first { guess in !possible.contains { Self.contains($0, guess) && $0.fits > guess.fits } } ?? text
        fitting = possible.first { $0.fits == $0.of } ?? text
        if type.type == .string { repaired = RepairedType(sample.values(index), ofColumn: self, sample.types) }
        otherTypes = all.filter {
            $0 != type && $0.share >= 0.5 && !(type.type.kind == .integer && $0.type.kind == .number)
                && !isChance($0) && !($0.type.format == "lat-long" && areDecimals(numbers, $0))
        }
        otherTypes.sort { $0.share > $1.share }
        if type.type.kind == .date || type.type.kind == .datetime {
            isAmbiguous = otherTypes.contains(where: isOtherReading)
        }
        if [.integer, .number].contains(type.type.kind) {
            otherNumber = otherNumber(column, index, sample)
            if let otherNumber {
                isAmbiguous = true
                otherTypes.insert(otherNumber, at: 0)
            }
        }
        if [.integer, .number].contains(type.type.kind)
            || otherTypes.contains(where: { [.integer, .number].contains($0.type.kind) })
        {
            self.numbers = Distribution(numbersOf: column.handle, areIntegers: counts.integers == counts.numbers)
        }
        guessPlaceholders(column, numbers: Int(counts.numbers - counts.beyond))
    }

    /// Whether pairs of coordinates are more likely numbers with a decimal comma, such as 1,5.
    private func areDecimals(_ numbers: [TypeGuess], _ pairs: TypeGuess) -> Bool {
        numbers.contains { 2 * $0.fits >= pairs.fits }
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
        guard let candidate = TypeCandidate.of(guess.type) else { return false }
        return candidate.needsLetters && !candidate.isNamed(name)
    }

    private func isBelieved(
        _ guess: TypeGuess, _ column: ProfileColumn, _ index: Int, _ sample: SampleReader
    ) -> Bool {
        guard guess.of > 0, guess.share >= Self.minShare else { return false }
        guard let candidate = TypeCandidate.of(guess.type) else { return true }
        guard candidate.isBelieved(of: self) else { return false }
        if !candidate.isSetOfWords { return true }
        // The name of the column is evidence as well, if most of the different words are of the type.
        let (share, count) = distinctShare(of: guess.type, column, index, sample)
        return share >= Self.minShare || candidate.isNamed(name) && share >= 0.5 && count >= 4
    }

    /// The share and the number of distinct values that are of a type: of all values if they are counted, otherwise of
    /// the sample.
    private func distinctShare(
        of type: ValueType, _ column: ProfileColumn, _ index: Int, _ sample: SampleReader
    ) -> (share: Double, count: Int) {
        guard let type = sample.types.first(where: { $0.description == type }), let scratch = assay_scratch_create(nil)
        else { return (0, 0) }
        defer { assay_scratch_free(scratch) }
        var distinct = SampleValues()
        let words = Set(self.words.map { Array($0.text.utf8) })
        for place in 0..<assay_profile_value_count(column.handle) {
            let item = assay_profile_value(column.handle, place)
            let value = Array(UnsafeBufferPointer(start: item.text.bytes, count: item.text.count))
            if !words.contains(value) { distinct.append(value[...]) }
        }
        if distinct.count == 0 { distinct = sample.distinctValues(index) }
        if distinct.count == 0 { return (0, 0) }
        let count = distinct.count(of: type, scratch: scratch)
        return (Double(count) / Double(distinct.count), count)
    }

    /// Whether all values of the second type are also of the first one.
    private static func contains(_ wide: TypeGuess, _ tight: TypeGuess) -> Bool {
        if tight.type.kind == .integer { return wide.type.kind == .number }
        return TypeCandidate.formatsOfDigits.contains(tight.type.format ?? "")
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

    /// Whether some values are such as 12E34. A number has one digit before the exponent, or a decimal point; if most
    /// values with an exponent are of that form, the others are numbers as well.
    private var hasExponentsOfDigits: Bool {
        var (codes, numbers) = (0, 0)
        for shape in shapes {
            let parts = shape.text.uppercased().split(separator: "A", omittingEmptySubsequences: false)
            if parts.count != 2 { continue }
            let isCode =
                parts[0].count > 1 && parts.allSatisfy { $0.hasPrefix("9") && Set($0).isSubset(of: "9⁺") }
            if isCode { codes += shape.count } else { numbers += shape.count }
        }
        return codes * 50 > values && codes > numbers
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
        let few = sample.values(index, limit: 16)
        if few.count == 0 { return [] }
        guard let scratch = assay_scratch_create(nil) else { return [] }
        defer { assay_scratch_free(scratch) }
        let known = column.plan.candidates.map(\.description)
        let digits = few.lengthsOfDigits
        let likely = zip(TypeCandidate.all, sample.types).filter { candidate, type in
            // Types that need a proof were tried on the first records.
            candidate.proof == nil && candidate.mayAccept(digits) && !known.contains(type.description)
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
        // Lists of numbers of three digits, such as 290,291,292, also have full groups.
        if group != 0, let longest = lengths?.maximum, longest > Self.longestWithGroups { return [] }
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

    /// The maximum length of a number with group separators, for up to 21 digits.
    private static let longestWithGroups = 32.0

    /// Word pairs for true and false.
    private static let booleans: [(yes: String, no: String)] = [
        ("true", "false"), ("yes", "no"), ("y", "n"), ("t", "f"), ("on", "off"), ("ja", "nein"), ("oui", "non"),
        ("sí", "no"), ("si", "no"), ("wahr", "falsch"), ("vrai", "faux"),
    ]

    /// The words that are sufficient evidence if a column contains only one word.
    private static let clearBooleans: Set = [
        "true", "false", "yes", "ja", "nein", "oui", "wahr", "falsch", "vrai", "faux",
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
            guard fits > 0, Double(fits) >= Self.minShare * Double(of) else { continue }
            if yes.isEmpty || no.isEmpty {
                guard texts.count == 1, Self.clearBooleans.contains(texts[0].text.lowercased()) else { continue }
            }
            let usual = Set(["true", "True", "TRUE"]), unusual = Set(["false", "False", "FALSE"])
            let isUsual = yes.allSatisfy { usual.contains($0.text) } && no.allSatisfy { unusual.contains($0.text) }
            // If only one word occurs, the other one is expected in the same letter case.
            let trueValues = yes.isEmpty ? [Self.word(pair.yes, inCaseOf: no[0].text)] : yes.map(\.text)
            let falseValues = no.isEmpty ? [Self.word(pair.no, inCaseOf: yes[0].text)] : no.map(\.text)
            let type = ValueType(
                .boolean, trueValues: isUsual ? nil : trueValues, falseValues: isUsual ? nil : falseValues)
            let misfit = texts.filter { !(yes + no).contains($0) }.compactMap(\.firstRecord).min()
            return TypeGuess(type: type, fits: fits, of: of, firstMisfit: misfit)
        }
        return nil
    }

    /// A word in the letter case of another one: lower case, upper case or capitalized.
    private static func word(_ word: String, inCaseOf other: String) -> String {
        if other == other.uppercased() { return word.uppercased() }
        if other == other.lowercased() { return word }
        return word.prefix(1).uppercased() + word.dropFirst()
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
