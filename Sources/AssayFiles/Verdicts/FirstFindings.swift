internal import Assay
internal import CAssay

/// The first finding of each rule, so that a report can show an example even if other rules had many earlier findings.
///
/// Each worker keeps the first findings of its own chunks. The overall first one has the lowest record number.
struct FirstFindings: Sendable {
    /// The first finding of each rule of the schema.
    private(set) var rules: [Int: Finding] = [:]
    /// The first malformed record of each kind.
    var structure: [Finding] = []
    /// The first finding of each key.
    private(set) var keys: [Int: Finding] = [:]

    func lacks(_ rule: Int) -> Bool { rules[rule] == nil }
    func lacks(key: Int) -> Bool { keys[key] == nil }
    /// A linear search is fast enough because there are only a few kinds.
    func lacksStructure(_ code: String) -> Bool { !structure.contains { $0.code == code } }

    mutating func keep(_ finding: Finding, of rule: Int) { rules[rule] = finding }
    mutating func keep(_ finding: Finding, ofKey key: Int) { keys[key] = finding }

    /// Merges the findings of another worker.
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

    /// Writes or reads the findings.
    mutating func code(with coder: inout CheckpointCoder) {
        for findings in [\Self.rules, \.keys] {
            var byRule = self[keyPath: findings].sorted { $0.key < $1.key }
            coder.code(&byRule, blank: (0, .blank)) { entry, coder in
                coder.code(&entry.key)
                entry.value.code(with: &coder)
            }
            self[keyPath: findings] = Dictionary(byRule.map { ($0.key, $0.value) }, uniquingKeysWith: Self.first)
        }
        coder.code(&structure, blank: .blank) { $0.code(with: &$1) }
    }

    /// All findings in the order of the records.
    var all: [Finding] {
        (Array(rules.values) + Array(keys.values) + structure).sorted {
            ($0.record, $0.offset, $0.rule) < ($1.record, $1.offset, $1.rule)
        }
    }
}

extension FindingWriter {
    /// Keeps the findings that are the first of their rule.
    mutating func keepFirsts(_ slice: Slice, _ schema: borrowing SchemaEvaluator) {
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

    /// Returns a finding as a value.
    func finding(
        _ template: FindingTemplate, _ slice: Slice, entry: Int, at place: Int, value: [UInt8]?
    ) -> Finding {
        template.finding(
            record: slice.chunk.recordNumber(entry), line: line(at: place, entry: entry),
            offset: slice.chunk.firstOffset + place, character: character(at: place, in: slice.chunk),
            value: value.map { String(decoding: $0, as: UTF8.self) })
    }

    /// Returns the column of a place on its line, in Unicode scalars from 1. A chunk begins at a line start.
    ///
    /// - Complexity: O(bytes before the place on its line).
    func character(at place: Int, in chunk: Chunk) -> Int {
        var start = place
        while start > 0, chunk.bytes[start - 1] != 10, !(endsAtCR && chunk.bytes[start - 1] == 13) { start -= 1 }
        // Continuation bytes are not counted as characters.
        return 1 + (start..<place).reduce(0) { $0 + (chunk.bytes[$1] & 0xC0 == 0x80 ? 0 : 1) }
    }
}
