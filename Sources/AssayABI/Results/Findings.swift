internal import Assay
internal import AssayEvaluation
public import CAssayABI

@c @implementation
public func assay_result_findings(
    _ result: OpaquePointer?, _ cursor: UnsafeMutablePointer<assay_cursor>?,
    _ findings: UnsafeMutablePointer<assay_finding>?, _ size: Int, _ capacity: Int
) -> Int {
    guard let result = try? CheckResult.behind(result), let cursor, let findings, size > 0, capacity > 0 else {
        return 0
    }
    func give(_ finding: assay_finding, _ index: Int) {
        write(finding, to: UnsafeMutableRawPointer(findings) + index * size, size: size)
    }
    switch result.body {
    case .table(let verdicts, _):
        var reader = FindingReader(verdicts, at: cursor.pointee)
        var count = 0
        while count < capacity, let (row, kind) = reader.next() {
            give(assay_finding(verdicts.rules[kind.rule], kind, record: result.firstRecord + row + 1), count)
            count += 1
        }
        cursor.pointee = reader.cursor
        return count
    case .list(let listed, _, _):
        let start = Int(clamping: cursor.pointee.row)
        guard start < listed.count else { return 0 }
        let part = listed[start...].prefix(capacity)
        for (index, item) in part.enumerated() {
            let kind = FindingKind(rule: 0, isUndecided: item.isUndecided)
            give(
                assay_finding(item.rule, kind, record: item.record, line: item.line, offset: item.offset), index)
        }
        cursor.pointee.row = UInt64(part.endIndex)
        return part.count
    }
}

extension assay_finding {
    fileprivate init(_ rule: RuleTexts, _ kind: FindingKind, record: Int, line: Int = 0, offset: Int = 0) {
        self.init(
            record: UInt64(record), line: UInt64(line), offset: UInt64(offset), column: rule.column?.pointer,
            rule: rule.id.pointer, code: rule.code(kind).pointer, message: rule.message(kind).pointer,
            severity: rule.cSeverity, reserved: 0)
    }
}

/// Iterates over the findings of a table, starting at any position.
///
/// The cursor is a row and a position among the rules with findings in its slice: two positions per rule, for failed
/// and undecided.
struct FindingReader {
    private let verdicts: TableVerdicts
    private var row: Int
    private var place: Int

    init(_ verdicts: TableVerdicts, at cursor: assay_cursor = assay_cursor()) {
        self.verdicts = verdicts
        row = Int(clamping: cursor.row)
        place = Int(clamping: cursor.place)
    }

    var cursor: assay_cursor { assay_cursor(row: UInt64(row), place: UInt64(place), reserved: (0, 0)) }

    mutating func next() -> (row: Int, kind: FindingKind)? {
        while row < verdicts.rows {
            let slice = row / SchemaEvaluator.sliceRows
            let inSlice = row % SchemaEvaluator.sliceRows
            let found = verdicts.found(inSlice: slice)
            let (word, bit) = (inSlice / 64, UInt64(inSlice % 64))
            let marked = found.reduce(0) { $0 | $1.failed[word] | $1.undecided[word] } >> bit
            guard marked & 1 != 0 else {
                // Continue with the next marked row of this word, or with the next word or slice.
                if found.isEmpty {
                    row = SchemaEvaluator.sliceRows * (slice + 1)
                } else {
                    row += marked == 0 ? 64 - Int(bit) : marked.trailingZeroBitCount
                }
                place = 0
                continue
            }
            while place < 2 * found.count {
                let item = found[place / 2]
                let isUndecided = place % 2 == 1
                place += 1
                if (isUndecided ? item.undecided : item.failed)[word] >> bit & 1 != 0 {
                    return (
                        row,
                        FindingKind(
                            rule: item.rule, failureReason: item.failureReason, isUndecided: isUndecided,
                            exhausted: isUndecided ? item.exhausted[inSlice] : nil,
                            holder: isUndecided ? nil : item.holder(word: word, bit: bit))
                    )
                }
            }
            row += 1
            place = 0
        }
        return nil
    }
}
