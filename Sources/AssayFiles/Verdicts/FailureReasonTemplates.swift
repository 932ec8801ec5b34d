internal import Assay
internal import CAssay

/// The findings of a rule that asks for a built-in type, one for each failure reason that a value can have.
struct FailureReasonTemplates: Sendable {
    private let rule: Int
    private let position: Int
    /// That nothing more is known, then each of ``FailureReason/all``.
    private let templates: [FindingTemplate]

    /// - Parameter rule: its place in the schema.
    init(_ rule: Int, plain: FindingTemplate, style: FindingStyle) {
        self.rule = rule
        position = plain.position
        templates = [plain] + FailureReason.all.map { plain.saying("\(plain.message): \($0.text)", style: style) }
    }

    /// The finding of a value that failed. The judge that failed it looks for the reason, under its own limits.
    func template(for value: [UInt8], judge: borrowing SchemaJudge) -> FindingTemplate {
        var failureReason: Int?
        value.withUnsafeBufferPointer { failureReason = judge.failureReason(of: $0, rule: rule) }
        return templates[failureReason.map { $0 + 1 } ?? 0]
    }

    /// Calls `body` for each finding that the rows which failed have, with those of them that have it.
    func forEachTemplate(
        in slice: Slice, judge: borrowing SchemaJudge, dialect: assay_dialect, masks: inout SaidMasks,
        _ body: (FindingTemplate, _ rows: UnsafePointer<UInt64>) -> Void
    ) {
        let failed = judge.failed(byRule: rule)
        slice.withCells(of: position - 1, in: failed, dialect: dialect) { bytes, cells in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: slice.rows) { failureReasons in
                judge.findFailureReasons(bytes: bytes, cells: cells, rule: rule, into: failureReasons.baseAddress!)
                masks.part(failed, rows: slice.rows, by: failureReasons.baseAddress!, kinds: templates.count) {
                    body(templates[$0], $1)
                }
            }
        }
    }
}

/// Masks of one slice, each of which lists the rows whose finding says the same. Keeps its memory from slice to slice.
struct SaidMasks: ~Copyable {
    private let words: Int
    private var masks: [UnsafeMutablePointer<UInt64>] = []
    private var used = 0

    init(rows: Int) { words = maskWords(rows) }

    deinit { for mask in masks { mask.deallocate() } }

    mutating func removeAll() { used = 0 }

    /// Parts the rows of a mask by the kind of each, one below `kinds`; calls `body` for every kind there is. What it is lent
    /// is valid until `removeAll`.
    mutating func part(
        _ mask: UnsafePointer<UInt64>, rows: Int, by kindOfRow: UnsafePointer<UInt8>, kinds: Int,
        _ body: (_ kind: Int, _ rows: UnsafePointer<UInt64>) -> Void
    ) {
        withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<UInt64>?.self, capacity: kinds) { parts in
            parts.initialize(repeating: nil)
            for word in 0..<maskWords(rows) {
                forEachBit(in: mask[word]) { bit in
                    let kind = Int(kindOfRow[word * 64 + bit])
                    let part = parts[kind] ?? next()
                    part[word] |= 1 << UInt64(bit)
                    parts[kind] = part
                }
            }
            for (kind, part) in parts.enumerated() {
                if let part { body(kind, part) }
            }
        }
    }

    /// An empty mask, which is valid until `removeAll`.
    mutating func next() -> UnsafeMutablePointer<UInt64> {
        if used == masks.count { masks.append(.allocate(capacity: words)) }
        let mask = masks[used]
        mask.update(repeating: 0, count: words)
        used += 1
        return mask
    }
}
