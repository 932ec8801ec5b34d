internal import Assay
internal import CAssay

/// What is counted of each column, as the first records suggest.
///
/// Types are tried in two steps. Those that fit the first records are then counted in all; the others are tried on a random sample at
/// the end. So no type costs time where it is not likely, and none is overlooked where the first records are not like the rest.
final class ProfilePlan: Sendable {
    let columns: [Column]
    /// All types that can be guessed.
    let types: [ProbedType]

    struct Column: Sendable {
        var options: assay_profile_options
        /// The types that are counted.
        var candidates: [ProbedType] = []
        /// How numbers are written in it.
        var style = NumberStyle.all[0]
        /// Another style that reads equally many of the first values, all as other numbers: `1.234` has groups or decimals. Only the other columns
        /// or the delimiter suggest ``style``.
        var rival: NumberStyle?
        /// Whether it tells records apart, as far as the first ones show.
        var isKey = false
    }

    /// How a number is written.
    struct NumberStyle: Sendable {
        let decimal: UInt8
        let group: UInt8

        init(_ decimal: Unicode.Scalar, _ group: Unicode.Scalar? = nil) {
            self.decimal = UInt8(ascii: decimal)
            self.group = group.map { UInt8(ascii: $0) } ?? 0
        }

        static let all: [NumberStyle] = [
            NumberStyle("."), NumberStyle(".", ","), NumberStyle(","), NumberStyle(",", "."), NumberStyle(".", "'"),
            NumberStyle(",", " "), NumberStyle(".", " "),
        ]

        /// The number of values that it reads as numbers.
        func count(in bytes: [UInt8], _ cells: [assay_cell]) -> Int {
            var options = assay_profile_options(
                values: 1, shapes: 1, keys: 0, precision: 4, decimal: decimal, group: group, has_no_numbers: false,
                has_no_runs: true)
            guard let profile = assay_profile_create(&options) else { return 0 }
            defer { assay_profile_free(profile) }
            let none = [UInt64](repeating: 0, count: maskWords(cells.count))
            var (absent, words) = (none, none)
            let rows = assay_profile_rows(record: 1, others: nil, row_of: nil)
            _ = assay_profile_add(profile, bytes, cells, cells.count, none, nil, rows, &absent, &words)
            var counts = assay_profile_counts()
            assay_profile_get_counts(profile, &counts)
            return Int(counts.numbers)
        }
    }

    /// - Parameters:
    ///   - names: of the columns.
    ///   - values: some values of each column that are not missing, at most ``headValues``.
    ///   - lists: the columns of list elements, which tell no records apart.
    ///   - usesDecimalComma: whether `1,234` is rather a number with decimals.
    init(names: [String], values: [[[UInt8]]], lists: [Int], usesDecimalComma: Bool) throws(NoMemoryError) {
        guard let scratch = assay_scratch_create(nil) else { throw NoMemoryError(for: "matching patterns") }
        defer { assay_scratch_free(scratch) }
        let types = TypeCandidate.all.compactMap { ProbedType($0.type) }
        precondition(types.count == TypeCandidate.all.count, "a type that is guessed is not known")
        self.types = types
        let count = max(1, names.count)
        // Some MiB in all, also where there are very many columns.
        var options = assay_profile_options()
        options.values = UInt32(max(64, min(10_000, 300_000 / count)))
        options.shapes = UInt32(max(16, min(256, 16_384 / count)))
        options.precision = count <= 64 ? 16 : count <= 1024 ? 14 : 10
        options.decimal = UInt8(ascii: ".")
        var columns = [Column](repeating: Column(options: options), count: names.count)
        let heads = values.map { $0.isEmpty ? nil : HeadColumn($0) }
        // If one column contains 38,5, then 1.234 in another one may be more than a thousand.
        let hasDecimalComma = heads.contains { $0?.needsDecimalComma ?? false }
        for (index, column) in heads.enumerated() {
            guard let column else { continue }
            let (style, rival, numbers) = column.numberStyle(
                usesDecimalComma: usesDecimalComma || hasDecimalComma, groupsWithPoint: hasDecimalComma)
            columns[index].style = style
            columns[index].rival = rival
            columns[index].options.decimal = columns[index].style.decimal
            columns[index].options.group = columns[index].style.group
            columns[index].candidates = column.candidates(of: types, scratch: scratch)
            // What is wrong with values of a type, the type says.
            columns[index].options.has_no_runs = !columns[index].candidates.isEmpty
            columns[index].options.has_no_numbers = !columns[index].candidates.isEmpty && numbers == 0
        }
        if let key = Self.likelyKey(names, values, lists: lists) {
            columns[key].isKey = true
            columns[key].options.keys = Self.keyHashes
        }
        self.columns = columns
    }

    /// So many values of the first records are looked at.
    static let headValues = 400
    /// Hashes of a key in memory of one worker: 32 MiB at most.
    private static let keyHashes: UInt32 = 3 << 20

    /// The column that tells the first records apart: one that is called like a key, or else the first one.
    private static func likelyKey(_ names: [String], _ values: [[[UInt8]]], lists: [Int]) -> Int? {
        let plain = names.indices.filter { !lists.contains($0) }
        let most = plain.map { values[$0].count }.max() ?? 0
        // One that is called so may have a few values twice, and so may the first one.
        let unique = plain.filter { index in
            let count = values[index].count
            let different = Set(values[index]).count
            let isUnique = different == count || (rank(names[index]) < 2 || index == 0) && different * 50 >= count * 49
            return most > 0 && count == most && isUnique && values[index].allSatisfy { $0.count <= 64 }
        }
        return unique.min { (rank(names[$0]), $0) < (rank(names[$1]), $1) }
    }

    /// Whether a column is called like a key.
    static func isKeyName(_ name: String) -> Bool { rank(name) < 2 }

    /// 0 and 1: the name of a key; 2: another name.
    private static func rank(_ name: String) -> Int {
        let lower = name.lowercased()
        if ["id", "key", "uuid", "guid", "nr", "no", "number", "code", "pk"].contains(lower) { return 0 }
        let ends = [
            "id", "_key", "uuid", "guid", "_no", "_nr", "number", "_code", "nummer", "numero", "número", "numéro",
            "kennung", "schlüssel", "clave", "código", "identifiant",
        ]
        return ends.contains { lower.hasSuffix($0) } ? 1 : 2
    }
}

/// The values of the first records of a column.
private struct HeadColumn {
    private let bytes: [UInt8]
    private let cells: [assay_cell]
    /// The same, each value once.
    private let different: [assay_cell]
    /// How many values are numbers, by style.
    private let numberCounts: [Int]

    init(_ values: [[UInt8]]) {
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
        numberCounts = ProfilePlan.NumberStyle.all.map { $0.count(in: bytes, cells) }
    }

    /// Whether most values are numbers with a decimal comma, and not without.
    var needsDecimalComma: Bool {
        let (style, _, numbers) = numberStyle(usesDecimalComma: false, groupsWithPoint: false)
        return style.decimal == UInt8(ascii: ",") && 2 * numbers > cells.count
    }

    /// The style in which most values are numbers; of those that fit alike the usual one.
    func numberStyle(
        usesDecimalComma: Bool, groupsWithPoint: Bool
    ) -> (style: ProfilePlan.NumberStyle, rival: ProfilePlan.NumberStyle?, numbers: Int) {
        let (point, comma) = (UInt8(ascii: "."), UInt8(ascii: ","))
        var (best, most) = (ProfilePlan.NumberStyle.all[0], 0)
        var rival: ProfilePlan.NumberStyle?
        for (style, count) in zip(ProfilePlan.NumberStyle.all, numberCounts) {
            let isComma = usesDecimalComma && style.decimal == comma && best.decimal != comma && best.group == comma
            let isGroup = groupsWithPoint && style.group == point && best.decimal == point && bytes.contains(point)
            if count > most {
                (best, rival, most) = (style, nil, count)
            } else if count == most && (isComma || isGroup) {
                (best, rival) = (style, best)
            }
        }
        return (best, rival, most)
    }

    /// The types that enough of the values are of: the best few, in their order.
    func candidates(of types: [ProbedType], scratch: OpaquePointer) -> [ProbedType] {
        let few = min(16, different.count)
        var fitting: [(index: Int, share: Double)] = []
        for (index, type) in types.enumerated() {
            // Most types fit nothing at all, which the first values show.
            if count(of: type, few, scratch) * 4 < few { continue }
            let share = Double(count(of: type, different.count, scratch)) / Double(different.count)
            if share < 0.3 { continue }
            if let proof = TypeCandidate.all[index].proof, self.share(proof) < ColumnProfile.leastShare { continue }
            fitting.append((index, share))
        }
        // Where one is as good as certain, what says less need not be counted too; only dates are read in several ways.
        if let sure = fitting.first(where: {
            $0.share >= ColumnProfile.leastShare && $0.index < TypeCandidate.timesFrom
        }) {
            fitting = [sure]
        }
        let best = fitting.sorted { ($1.share, $0.index) < ($0.share, $1.index) }.prefix(Self.mostCandidates)
        return best.map(\.index).sorted().map { types[$0] }
    }

    private static let mostCandidates = 3

    /// The share of the different values that pass a check.
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
        type.judge(bytes, different, count, skip: none, scratch: scratch, failed: &failed, undecided: &undecided)
        return count - failed.reduce(0) { $0 + $1.nonzeroBitCount }
    }
}
