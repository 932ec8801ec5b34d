internal import CAssay

extension Node {
    /// Evaluates each row of a column whose bit in `skip` is not set. The bits of skipped rows, and those after the
    /// last row, become 0.
    ///
    /// Groups combine by three-valued logic (`ThreeValuedLogic.swift`), a word of 64 rows at a time. A check runs only
    /// on the rows that earlier checks did not decide.
    func evaluate(
        _ column: ColumnView, skip: UnsafePointer<UInt64>?, scratch: OpaquePointer, into bits: VerdictBits
    ) {
        let words = maskWords(column.count)
        switch self {
        case .constant(let passes):
            for word in 0..<words {
                bits.failed[word] = passes ? 0 : liveRows(word, of: column.count, skip)
                bits.undecided[word] = 0
            }

        case .leaf(let leaf):
            leaf.evaluate(column, skip: skip, scratch: scratch, into: bits)

        case .characters(let leaf, let min, let max):
            leaf.evaluate(column, skip: skip, scratch: scratch, into: bits)
            // Rows over the budget of the call stay undecided.
            var end = assay_scratch_first_over(scratch)
            for word in 0..<words {
                // The C core leaves values undecided that are not ASCII: count their characters here.
                forEachBit(in: bits.undecided[word]) { bit in
                    let row = word * 64 + bit
                    if end >= 0 && row >= end { return }
                    let value = column.value(row)
                    guard assay_scratch_spend(scratch, UInt64(BudgetAccount.ticksPerByte * value.count)) else {
                        assay_scratch_note_over(scratch, row)
                        end = row
                        return
                    }
                    bits.undecided[word] &= ~(1 << UInt64(bit))
                    let count = String(decoding: value, as: UTF8.self).count
                    if count < min || count > max { bits.failed[word] |= 1 << UInt64(bit) }
                }
            }

        case .kinds(let kinds, let ofText):
            guard let kindsOfRows = column.kinds else {
                return ofText.evaluate(column, skip: skip, scratch: scratch, into: bits)
            }
            for word in 0..<words {
                var failed: UInt64 = 0
                forEachBit(in: liveRows(word, of: column.count, skip)) { bit in
                    if kinds >> UInt32(kindsOfRows[word * 64 + bit]) & 1 == 0 { failed |= 1 << UInt64(bit) }
                }
                bits.failed[word] = failed
                bits.undecided[word] = 0
            }

        case .not(let node):
            node.evaluate(column, skip: skip, scratch: scratch, into: bits)
            bits.negate(rows: column.count, skip: skip)

        case .all(let nodes):
            KleeneOperator.and.combine(nodes, rows: column.count, skip: skip, into: bits) { node, skip, bits in
                node.evaluate(column, skip: skip, scratch: scratch, into: bits)
            }

        case .any(let nodes):
            KleeneOperator.or.combine(nodes, rows: column.count, skip: skip, into: bits) { node, skip, bits in
                node.evaluate(column, skip: skip, scratch: scratch, into: bits)
            }

        case .when(let condition, let then):
            // "If A then B" is "not A, or B", also in three-valued logic.
            Node.any([.not(condition), then]).evaluate(column, skip: skip, scratch: scratch, into: bits)
        }
    }
}

extension Leaf {
    func evaluate(_ column: ColumnView, skip: UnsafePointer<UInt64>?, scratch: OpaquePointer, into bits: VerdictBits) {
        assay_check_column(
            handle, scratch, column.bytes, column.cells.baseAddress, column.count, skip, bits.failed, bits.undecided)
    }
}

/// Calls `body` with the position of each bit that is set in a word, in ascending order.
@inline(__always)
package func forEachBit(in word: UInt64, _ body: (Int) -> Void) {
    var rest = word
    while rest != 0 {
        body(rest.trailingZeroBitCount)
        rest &= rest - 1
    }
}
