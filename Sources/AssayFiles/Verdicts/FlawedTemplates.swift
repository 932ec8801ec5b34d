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
