internal import Assay
internal import CAssay

/// What was found first, of each rule: so that a report can show where to look, whatever else was found before.
///
/// Each worker has its own, of its chunks; the first of all is the one with the lowest record.
struct FirstFindings: Sendable {
    /// By rule of the schema.
    private(set) var rules: [Int: Finding] = [:]
    /// Of malformed records, one for each kind.
    var structure: [Finding] = []
    /// By key.
    private(set) var keys: [Int: Finding] = [:]

    func lacks(_ rule: Int) -> Bool { rules[rule] == nil }
    func lacks(key: Int) -> Bool { keys[key] == nil }
    /// They are few, so that looking through them is as fast as it can be.
    func lacksStructure(_ code: String) -> Bool { !structure.contains { $0.code == code } }

    mutating func keep(_ finding: Finding, of rule: Int) { rules[rule] = finding }
    mutating func keep(_ finding: Finding, ofKey key: Int) { keys[key] = finding }

    /// Takes those of another worker.
    mutating func add(_ other: FirstFindings) {
        rules.merge(other.rules, uniquingKeysWith: Self.first)
        keys.merge(other.keys, uniquingKeysWith: Self.first)
        for finding in other.structure {
            if let index = structure.firstIndex(where: { $0.code == finding.code }) {
                structure[index] = Self.first(structure[index], finding)
            } else {
                structure.append(finding)
            }
        }
    }

    private static func first(_ one: Finding, _ other: Finding) -> Finding { other.record < one.record ? other : one }

    /// Writes them, or reads them again. There are none of keys.
    mutating func code(with coder: inout CheckpointCoder) {
        var byRule = rules.sorted { $0.key < $1.key }
        coder.code(&byRule, blank: (0, .blank)) { entry, coder in
            coder.code(&entry.key)
            entry.value.code(with: &coder)
        }
        rules = Dictionary(byRule.map { ($0.key, $0.value) }, uniquingKeysWith: Self.first)
        coder.code(&structure, blank: .blank) { $0.code(with: &$1) }
    }

    /// All, in the order of the records.
    var all: [Finding] {
        (Array(rules.values) + Array(keys.values) + structure).sorted {
            ($0.record, $0.offset, $0.rule) < ($1.record, $1.offset, $1.rule)
        }
    }
}

extension FindingWriter {
    /// Keeps what is the first of its rule.
    mutating func keepFirsts(_ slice: Slice, _ schema: borrowing SchemaJudge) {
        for rule in schema.rulesWithFindings where firsts.lacks(rule) {
            let failed = assay_mask_next(schema.failed(byRule: rule), slice.rows, 0)
            let undecided = assay_mask_next(schema.undecided(byRule: rule), slice.rows, 0)
            let row = min(failed, undecided)
            if row >= slice.rows { continue }
            let template =
                undecided < failed
                ? templates.undecided(rule, schema.exhaustedRows(byRule: rule)[row]) : templates.failed[rule]
            keepFirst(of: rule, template, slice, row: row)
        }
    }

    private mutating func keepFirst(of rule: Int, _ template: FindingTemplate, _ slice: Slice, row: Int) {
        let entry = slice.first + row
        let place = slice.place(entry, position: template.position - 1, delimiterBytes: delimiterBytes)
        let value = plan.showValues ? text(of: slice, entry: entry, position: template.position) : nil
        firsts.keep(finding(template, slice, entry: entry, at: place, value: value), of: rule)
    }

    /// A finding as a value.
    func finding(
        _ template: FindingTemplate, _ slice: Slice, entry: Int, at place: Int, value: [UInt8]?
    ) -> Finding {
        template.finding(
            record: slice.chunk.recordNumber(entry), line: line(at: place, entry: entry),
            offset: slice.chunk.firstOffset + place, character: character(at: place, in: slice.chunk),
            value: value.map { String(decoding: $0, as: UTF8.self) })
    }

    /// Where on its line a place of a chunk is, in Unicode scalars from 1. A chunk begins with a line.
    ///
    /// - Complexity: linear in the bytes before it on its line.
    func character(at place: Int, in chunk: Chunk) -> Int {
        var start = place
        while start > 0, chunk.bytes[start - 1] != 10, !(endsAtCR && chunk.bytes[start - 1] == 13) { start -= 1 }
        // What follows the first byte of a scalar is none.
        return 1 + (start..<place).reduce(0) { $0 + (chunk.bytes[$1] & 0xC0 == 0x80 ? 0 : 1) }
    }
}
