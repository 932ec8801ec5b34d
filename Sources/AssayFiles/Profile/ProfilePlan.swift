internal import Assay
internal import CAssay

/// The plan of the counts for each column, from the first records.
///
/// Types are tried in two steps. Types that fit the first records are counted in all records. The others are tried on a
/// random sample at the end. So unlikely types take no time, and none is missed if the first records differ from the
/// rest.
final class ProfilePlan: Sendable {
    let columns: [Column]
    /// The columns that identify records together if no column does.
    let pair: KeyPair?
    /// All types that can be guessed.
    let types: [ProbedType]

    struct Column: Sendable {
        var options: assay_profile_options
        /// The types that are counted.
        var candidates: [ProbedType] = []
        /// The style of its numbers.
        var style = NumberStyle.all[0]
        /// Another style that reads equally many of the first values, all as other numbers: `1.234` has groups or
        /// decimals. Only the other columns or the delimiter suggest ``style``.
        var rival: NumberStyle?
        /// Whether the column may identify records, according to the first records. All records decide.
        var mayBeKey = false
    }

    /// A notation of numbers.
    struct NumberStyle: Sendable {
        let decimal: UInt8
        let group: UInt8

        init(_ decimal: Unicode.Scalar, _ group: Unicode.Scalar? = nil) {
            self.decimal = UInt8(ascii: decimal)
            self.group = group.map { UInt8(ascii: $0) } ?? 0
        }

        /// The styles in order of preference: the first one that reads the maximum number of values is chosen. So a
        /// column of `1 234` without decimals does not have a decimal comma.
        static let all: [NumberStyle] = [
            NumberStyle("."), NumberStyle(".", ","), NumberStyle(","), NumberStyle(",", "."), NumberStyle(".", "'"),
            NumberStyle(".", " "), NumberStyle(",", " "),
        ]

        /// The number of values that are numbers in this style.
        func count(in bytes: [UInt8], _ cells: [assay_cell]) -> Int { Int(counts(in: bytes, cells).numbers) }

        /// The counts of a profile of the values in this style.
        func counts(in bytes: [UInt8], _ cells: [assay_cell]) -> assay_profile_counts {
            var counts = assay_profile_counts()
            var options = assay_profile_options(
                values: 1, shapes: 1, keys: 0, precision: 4, decimal: decimal, group: group, has_no_numbers: false,
                has_no_runs: true)
            guard let profile = assay_profile_create(&options) else { return counts }
            defer { assay_profile_free(profile) }
            let none = [UInt64](repeating: 0, count: maskWords(cells.count))
            var (absent, words) = (none, none)
            let rows = assay_profile_rows(record: 1, non_records: nil, row_of: nil)
            _ = assay_profile_add(profile, bytes, cells, cells.count, none, nil, rows, &absent, &words, nil)
            assay_profile_get_counts(profile, &counts)
            return counts
        }
    }

    /// - Parameters:
    ///   - names: The names of the columns.
    ///   - values: Some values of each column that are not missing, at most ``headValues``.
    ///   - isComplete: Whether a column has a value in each of the first records.
    ///   - lists: The columns of list elements, which do not identify records.
    ///   - usesDecimalComma: Whether `1,234` is more likely a number with decimals.
    ///   - threads: The maximum number of threads, which try all types on the columns.
    init(
        names: [String], values: [[[UInt8]]], isComplete: [Bool], lists: [Int], usesDecimalComma: Bool, threads: Int
    ) throws(NoMemoryError) {
        let types = TypeCandidate.all.compactMap { ProbedType($0.type) }
        precondition(types.count == TypeCandidate.all.count, "a type that is guessed is not known")
        self.types = types
        let count = max(1, names.count)
        // A few MiB in total, also for very many columns.
        var options = assay_profile_options()
        options.values = UInt32(max(64, min(10_000, 300_000 / count)))
        options.shapes = UInt32(max(16, min(256, 16_384 / count)))
        options.precision = count <= 64 ? 16 : count <= 1024 ? 14 : 10
        options.decimal = UInt8(ascii: ".")
        var columns = [Column](repeating: Column(options: options), count: names.count)
        let heads = mapOnThreads(values.count, threads: threads) { index -> HeadColumn? in
            values[index].isEmpty ? nil : HeadColumn(values[index], types)
        }
        // If one column contains 38,5, then 1.234 in another one may be greater than a thousand: it has two readings.
        let hasDecimalComma = heads.contains { $0?.needsDecimalComma ?? false }
        for (index, column) in heads.enumerated() {
            guard let column else { continue }
            let (style, rival, numbers) = column.numberStyle(
                usesDecimalComma: usesDecimalComma || hasDecimalComma, groupsWithPoint: hasDecimalComma)
            columns[index].style = style
            columns[index].rival = rival
            columns[index].options.decimal = columns[index].style.decimal
            columns[index].options.group = columns[index].style.group
            guard let candidates = column.candidates else { throw NoMemoryError(for: "matching patterns") }
            columns[index].candidates = candidates
            // The type describes its mistakes, so the runs of shapes are not needed.
            columns[index].options.has_no_runs = !columns[index].candidates.isEmpty
            columns[index].options.has_no_numbers = !columns[index].candidates.isEmpty && numbers == 0
        }
        let keys = Self.likelyKeys(names, values, distinct: heads.map { $0?.distinct ?? 0 }, lists: lists)
        for key in keys { columns[key].mayBeKey = true }
        // Comparing all values of a column takes longer than all its other counts, so the sketches of the different
        // values decide about the other columns.
        if let first = keys.first { columns[first].options.keys = Self.keyHashes }
        if !keys.isEmpty {
            pair = nil
        } else {
            pair = KeyPair(
                values.indices.map { isComplete[$0] && !lists.contains($0) ? values[$0] : nil },
                rank: { Self.rank(names[$0]) })
        }
        self.columns = columns
    }

    /// The maximum number of values from the first records.
    static let headValues = 400
    /// The maximum number of hashes of a key for one worker, which take 32 MiB.
    static let keyHashes: UInt32 = 3 << 20

    /// The columns that identify the first records: those with the name of a key first.
    private static func likelyKeys(
        _ names: [String], _ values: [[[UInt8]]], distinct: [Int], lists: [Int]
    ) -> [Int] {
        let plain = names.indices.filter { !lists.contains($0) }
        let maxCount = plain.map { values[$0].count }.max() ?? 0
        // A column with the name of a key, and the first column, may contain a few duplicates.
        let unique = plain.filter { index in
            let count = values[index].count
            let different = distinct[index]
            let isUnique = different == count || (rank(names[index]) < 2 || index == 0) && different * 50 >= count * 49
            return maxCount > 0 && count == maxCount && isUnique && values[index].allSatisfy { $0.count <= 64 }
        }
        return unique.sorted { (rank(names[$0]), $0) < (rank(names[$1]), $1) }
    }

    /// The most likely key among the columns that may be one, according to all records. Columns without a value in a
    /// tenth of the records are last. Then columns with the name of a key precede others, and columns with at most 2 %
    /// duplicates precede others.
    ///
    /// - Returns: `nil` if each of the columns repeats a tenth of its values.
    func likelyKey(among profiles: [ColumnProfile]) -> Int? {
        let possible = columns.indices.filter { index in
            let profile = profiles[index]
            return columns[index].mayBeKey && profile.values > 0 && (profile.duplicates ?? 0) * 10 <= profile.values
        }
        func order(_ index: Int) -> (Int, Int, Int, Int, Int) {
            let profile = profiles[index]
            let rank = Self.rank(profile.name)
            return (
                profile.missing * 9 > profile.values ? 1 : 0, rank < 2 ? 0 : 1,
                (profile.duplicates ?? 0) * 50 > profile.values ? 1 : 0,
                rank, index
            )
        }
        return possible.min { order($0) < order($1) }
    }

    /// Whether a column has the name of a key.
    static func isKeyName(_ name: String) -> Bool { rank(name) < 2 }

    /// The rank of a name: 0 and 1 for names of keys, 2 for other names.
    private static func rank(_ name: String) -> Int {
        let lower = name.lowercased()
        if ["id", "key", "uuid", "guid", "nr", "no", "number", "code", "pk"].contains(lower) { return 0 }
        // Long ones also end compound words, as in Kundennummer. The short ones also end other words, such as paid.
        let compounds = ["uuid", "guid", "number", "nummer", "kennung", "schlüssel", "identifiant"]
        if compounds.contains(where: { lower.ends(withBytesOf: $0) }) { return 1 }
        let words = ["id", "key", "no", "nr", "code", "numero", "número", "numéro", "clave", "código"]
        return ColumnWords(name).last.map { words.contains($0) } == true ? 1 : 2
    }
}

/// The values of the first records of a column.
private struct HeadColumn: Sendable {
    private let bytes: [UInt8]
    private let cells: [assay_cell]
    /// The distinct values.
    private let different: [assay_cell]
    /// The number of values that are numbers, by style.
    private let numberCounts: [Int]
    /// The types with a high enough share of the values: the best few, in order of specificity. `nil` if memory ran
    /// out.
    private(set) var candidates: [ProbedType]?

    /// The number of distinct values.
    var distinct: Int { different.count }

    init(_ values: [[UInt8]], _ types: [ProbedType]) {
        var bytes: [UInt8] = []
        var cells: [assay_cell] = []
        var different: [assay_cell] = []
        var seen: Set<[UInt8]> = []
        for value in values {
            let cell = assay_cell(start: UInt32(bytes.count), length: UInt32(value.count))
            bytes += value
            cells.append(cell)
            if seen.insert(value).inserted { different.append(cell) }
        }
        (self.bytes, self.cells, self.different) = (bytes, cells, different)
        numberCounts = Self.numberCounts(bytes, cells)
        guard let scratch = assay_scratch_create(nil) else { return }
        defer { assay_scratch_free(scratch) }
        if assay_scratch_reserve(scratch) { candidates = findCandidates(of: types, scratch: scratch) }
    }

    /// Whether most values are numbers only with a decimal comma.
    var needsDecimalComma: Bool {
        let (style, _, numbers) = numberStyle(usesDecimalComma: false, groupsWithPoint: false)
        return style.decimal == UInt8(ascii: ",") && 2 * numbers > cells.count
    }

    /// The style in which most values are numbers; among equal ones, the usual one.
    func numberStyle(
        usesDecimalComma: Bool, groupsWithPoint: Bool
    ) -> (style: ProfilePlan.NumberStyle, rival: ProfilePlan.NumberStyle?, numbers: Int) {
        let (point, comma) = (UInt8(ascii: "."), UInt8(ascii: ","))
        var (best, maximum) = (ProfilePlan.NumberStyle.all[0], 0)
        var rival: ProfilePlan.NumberStyle?
        for (style, count) in zip(ProfilePlan.NumberStyle.all, numberCounts) {
            let isComma = usesDecimalComma && style.decimal == comma && best.decimal != comma && best.group == comma
            let isGroup = groupsWithPoint && style.group == point && best.decimal == point && bytes.contains(point)
            if count > maximum {
                (best, rival, maximum) = (style, nil, count)
            } else if count == maximum && (isComma || isGroup) {
                (best, rival) = (style, best)
            }
        }
        return (best, rival, maximum)
    }

    /// The number of values that are numbers, by style.
    private static func numberCounts(_ bytes: [UInt8], _ cells: [assay_cell]) -> [Int] {
        let styles = ProfilePlan.NumberStyle.all
        let none = [Int](repeating: 0, count: styles.count)
        if !bytes.contains(where: { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) { return none }
        let usual = styles[0].count(in: bytes, cells)
        // Without a point, only the usual style can be chosen if it reads all values.
        if usual == cells.count && !bytes.contains(UInt8(ascii: ".")) { return [usual] + none.dropFirst() }
        return [usual] + styles.dropFirst().map { $0.count(in: bytes, cells) }
    }

    private func findCandidates(of types: [ProbedType], scratch: OpaquePointer) -> [ProbedType] {
        let few = min(16, different.count)
        var fitting: [(index: Int, share: Double)] = []
        let digits = lengthsOfDigits(bytes, different[..<few])
        for (index, type) in types.enumerated() {
            // Most types fit no values at all, so the first values exclude them.
            if !TypeCandidate.all[index].mayAccept(digits) { continue }
            if count(of: type, few, scratch) * 4 < few { continue }
            let share = Double(count(of: type, different.count, scratch)) / Double(different.count)
            if share < 0.3 { continue }
            if let proof = TypeCandidate.all[index].proof, self.share(proof()) < ColumnProfile.minShare { continue }
            fitting.append((index, share))
        }
        // If one type is nearly certain, less specific ones need no count. Only dates may be read in several ways.
        if let sure = fitting.first(where: {
            $0.share >= ColumnProfile.minShare && $0.index < TypeCandidate.timesFrom
        }) {
            fitting = [sure]
        }
        let best = fitting.sorted { ($1.share, $0.index) < ($0.share, $1.index) }.prefix(Self.maxCandidates)
        return best.map(\.index).sorted().map { types[$0] }
    }

    private static let maxCandidates = 3

    /// The share of the distinct values that pass a check.
    private func share(_ check: Check) -> Double {
        guard let check = try? CompiledCheck(check) else { return 0 }
        let passing = different.count { cell in
            let end = Int(cell.start) + Int(cell.length)
            return check.verdict(of: String(decoding: bytes[Int(cell.start)..<end], as: UTF8.self)) == .pass
        }
        return Double(passing) / Double(different.count)
    }

    private func count(of type: ProbedType, _ count: Int, _ scratch: OpaquePointer) -> Int {
        let none = [UInt64](repeating: 0, count: maskWords(count))
        var (failed, undecided) = (none, none)
        type.evaluate(bytes, different, count, skip: none, scratch: scratch, failed: &failed, undecided: &undecided)
        return count - failed.reduce(0) { $0 + $1.nonzeroBitCount }
    }
}

/// The range of the lengths of some values, if there are any and all consist of only ASCII digits; otherwise `nil`.
func lengthsOfDigits(_ bytes: [UInt8], _ cells: ArraySlice<assay_cell>) -> ClosedRange<Int>? {
    var (shortest, longest) = (Int.max, 0)
    for cell in cells {
        let value = bytes[Int(cell.start)..<Int(cell.start + cell.length)]
        if !value.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) { return nil }
        (shortest, longest) = (min(shortest, value.count), max(longest, value.count))
    }
    return shortest <= longest ? shortest...longest : nil
}
