internal import Assay
internal import CAssay

/// The findings of a rule that asks for a built-in type, one for each flaw that a value can have.
struct FlawedTemplates: Sendable {
    private let rule: CompiledRule
    private let plain: FindingTemplate
    private let byFlaw: [FindingTemplate]

    init(_ rule: CompiledRule, plain: FindingTemplate, style: FindingStyle) {
        self.rule = rule
        self.plain = plain
        byFlaw = Flaw.all.map { plain.saying("\(plain.message): \($0.text)", style: style) }
    }

    /// The finding of a value that failed.
    func template(for value: [UInt8]) -> FindingTemplate {
        value.withUnsafeBufferPointer { rule.flaw(of: $0) }.map { byFlaw[$0] } ?? plain
    }

    /// Lends for each different finding of the rows that failed the rows it is of.
    ///
    /// - Parameter masks: where they are kept; valid as long as they are there.
    func forEachTemplate(
        in slice: Slice, failed: UnsafePointer<UInt64>, dialect: assay_dialect, masks: inout SaidMasks,
        _ body: (FindingTemplate, _ rows: UnsafePointer<UInt64>) -> Void
    ) {
        slice.withCells(of: plain.position - 1, in: failed, dialect: dialect) { bytes, cells in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: slice.rows) { flaws in
                rule.findFlaws(bytes: bytes, cells: cells, failed: failed, into: flaws.baseAddress!)
                withUnsafeTemporaryAllocation(
                    of: UnsafeMutablePointer<UInt64>?.self, capacity: byFlaw.count + 1
                ) { found in
                    found.initialize(repeating: nil)
                    for word in 0..<maskWords(slice.rows) {
                        forEachBit(in: failed[word]) { bit in
                            let flaw = Int(flaws[word * 64 + bit])
                            let rows = found[flaw] ?? masks.next()
                            rows[word] |= 1 << UInt64(bit)
                            found[flaw] = rows
                        }
                    }
                    for (flaw, rows) in found.enumerated() {
                        if let rows { body(flaw == 0 ? plain : byFlaw[flaw - 1], rows) }
                    }
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

    /// An empty mask, valid until `removeAll`.
    mutating func next() -> UnsafeMutablePointer<UInt64> {
        if used == masks.count { masks.append(.allocate(capacity: words)) }
        let mask = masks[used]
        mask.update(repeating: 0, count: words)
        used += 1
        return mask
    }
}
