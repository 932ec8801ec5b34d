internal import Assay
internal import CAssay

/// The type that all values of a column have after repairs, such as numbers padded with spaces or IBANs in groups of
/// four characters. Derived from a random sample, so it must be tried on all values.
struct RepairedType: Sendable {
    let type: ValueType
    let repairs: [Repair]
    /// The number of values in the sample.
    let count: Int

    /// The formats of text with a canonical form that differs from the forms in which people write values.
    private static let formats: Set = [
        "uuid", "iban", "lei", "isin", "vat", "mac", "card", "issn", "isbn", "ean", "bic", "phone",
    ]

    /// - Parameters:
    ///   - values: Values of the sample. Fewer than ten are not sufficient evidence.
    ///   - column: The profile of the column, with its name and its number of distinct values.
    ///   - types: The types of ``TypeCandidate/all``.
    /// - Returns: `nil` if no type fits all values after repairs.
    init?(_ values: SampleValues, ofColumn column: ColumnProfile, _ types: [ProbedType]) {
        guard values.count >= 10, let scratch = assay_scratch_create(nil) else { return nil }
        defer { assay_scratch_free(scratch) }
        let texts = values.texts
        if column.padded > 0, let trimmed = Self.repaired(texts, by: [.trim], of: .any) {
            let integers = trimmed.integers
            // Numbers with leading zeros are codes.
            if trimmed.count(of: ProfilePlan.NumberStyle.all[0]) == trimmed.count && integers.withLeadingZeros == 0 {
                self.init(
                    type: ValueType(integers.count == trimmed.count ? .integer : .number), repairs: [.trim],
                    count: texts.count)
                return
            }
            for (candidate, type) in zip(TypeCandidate.all, types)
            where trimmed.count(of: type, scratch: scratch) == trimmed.count && candidate.isBelieved(of: column)
                && candidate.proof == nil && !candidate.isSetOfWords
            {
                self.init(type: candidate.type, repairs: [.trim], count: texts.count)
                return
            }
        }
        // Other codes without separators match these formats as well: twelve digits may be a MAC address.
        guard texts.allSatisfy({ $0.utf8.contains { !Self.isAlphanumeric($0) } }) else { return nil }
        let few = Array(texts.prefix(16))
        for (candidate, type) in zip(TypeCandidate.all, types) {
            guard Self.formats.contains(candidate.type.format ?? ""), candidate.isBelieved(of: column),
                let first = Self.repaired(few, by: [.canonical()], of: candidate.type),
                first.count(of: type, scratch: scratch) == first.count,
                let all = Self.repaired(texts, by: [.canonical()], of: candidate.type),
                all.count(of: type, scratch: scratch) == all.count
            else { continue }
            self.init(type: candidate.type, repairs: [.canonical()], count: texts.count)
            return
        }
        return nil
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    private init(type: ValueType, repairs: [Repair], count: Int) {
        (self.type, self.repairs, self.count) = (type, repairs, count)
    }

    /// Returns the repaired values; `nil` if the type has no such repair.
    private static func repaired(_ texts: [String], by repairs: [Repair], of type: ValueType) -> SampleValues? {
        guard let repairs = try? CompiledRepairs(repairs, of: type) else { return nil }
        var values = SampleValues()
        for text in texts { values.append(ArraySlice(repairs.repaired(text).utf8)) }
        return values
    }
}
