internal import Assay
internal import CAssay

/// The findings of a rule that asks for a built-in type, one for each flaw that a value can have.
struct FlawedTemplates: Sendable {
    private let rule: CompiledRule
    private let position: Int
    /// That nothing more is known, then each of ``Flaw/all``.
    private let templates: [FindingTemplate]

    init(_ rule: CompiledRule, plain: FindingTemplate, style: FindingStyle) {
        self.rule = rule
        position = plain.position
        templates = [plain] + Flaw.all.map { plain.saying("\(plain.message): \($0.text)", style: style) }
    }

    /// The finding of a value that failed.
    func template(for value: [UInt8]) -> FindingTemplate {
        templates[value.withUnsafeBufferPointer { rule.flaw(of: $0) }.map { $0 + 1 } ?? 0]
    }

    /// Calls `body` for each finding that the rows which failed have, with those of them that have it.
    func forEachTemplate(
        in slice: Slice, failed: UnsafePointer<UInt64>, dialect: assay_dialect, masks: inout SaidMasks,
        _ body: (FindingTemplate, _ rows: UnsafePointer<UInt64>) -> Void
    ) {
        slice.withCells(of: position - 1, in: failed, dialect: dialect) { bytes, cells in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: slice.rows) { flaws in
                rule.findFlaws(bytes: bytes, cells: cells, failed: failed, into: flaws.baseAddress!)
                masks.part(failed, rows: slice.rows, by: flaws.baseAddress!, kinds: templates.count) {
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

    /// An empty mask.
    private mutating func next() -> UnsafeMutablePointer<UInt64> {
        if used == masks.count { masks.append(.allocate(capacity: words)) }
        let mask = masks[used]
        mask.update(repeating: 0, count: words)
        used += 1
        return mask
    }
}
