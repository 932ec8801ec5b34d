internal import CAssay

extension Node {
    /// Judges every row of a column whose bit in `skip` is not set. The bits of skipped rows come out 0, and so do those
    /// beyond the last row.
    ///
    /// Checks are joined by Kleene's three-valued logic, a word of 64 rows at a time: in `all` a fail wins over undecided,
    /// in `any` a pass does. A check runs only on the rows that those before it left open.
    func judge(
        _ column: ColumnView, skip: UnsafePointer<UInt64>?, scratch: OpaquePointer, into bits: VerdictBits
    ) {
        let words = maskWords(column.count)
        func live(_ word: Int) -> UInt64 { lowBits(column.count - word * 64) & ~(skip?[word] ?? 0) }

        switch self {
        case .constant(let passes):
            for word in 0..<words {
                bits.failed[word] = passes ? 0 : live(word)
                bits.undecided[word] = 0
            }

        case .leaf(let leaf):
            leaf.judge(column, skip: skip, scratch: scratch, into: bits)

        case .characters(let leaf, let min, let max):
            leaf.judge(column, skip: skip, scratch: scratch, into: bits)
            for word in 0..<words {
                // What the C core left open has bytes that are not ASCII: count its characters here.
                forEachBit(in: bits.undecided[word]) { bit in
                    let count = String(decoding: column.value(word * 64 + bit), as: UTF8.self).count
                    if count < min || count > max { bits.failed[word] |= 1 << UInt64(bit) }
                }
                bits.undecided[word] = 0
            }

        case .not(let node):
            node.judge(column, skip: skip, scratch: scratch, into: bits)
            for word in 0..<words {
                bits.failed[word] = live(word) & ~bits.failed[word] & ~bits.undecided[word]
            }

        case .all(let nodes):
            withMasks(words: words) { closed, part in
                for word in 0..<words {
                    (bits.failed[word], bits.undecided[word]) = (0, 0)
                    closed[word] = ~live(word)
                }
                for node in nodes {
                    node.judge(column, skip: closed, scratch: scratch, into: part)
                    for word in 0..<words {
                        bits.failed[word] |= part.failed[word]
                        bits.undecided[word] |= part.undecided[word]
                        closed[word] |= part.failed[word]
                    }
                }
                for word in 0..<words { bits.undecided[word] &= ~bits.failed[word] }
            }

        case .any(let nodes):
            withMasks(words: words) { closed, part in
                for word in 0..<words {
                    (bits.failed[word], bits.undecided[word]) = (live(word), 0)
                    closed[word] = ~live(word)
                }
                for node in nodes {
                    node.judge(column, skip: closed, scratch: scratch, into: part)
                    for word in 0..<words {
                        let passed = ~closed[word] & ~part.failed[word] & ~part.undecided[word]
                        bits.failed[word] &= ~passed
                        bits.undecided[word] = (bits.undecided[word] | part.undecided[word]) & ~passed
                        closed[word] |= passed
                    }
                }
                for word in 0..<words { bits.failed[word] &= ~bits.undecided[word] }
            }

        case .when(let condition, let then):
            // "If A then B" is "not A, or B", in three values as in two.
            Node.any([.not(condition), then]).judge(column, skip: skip, scratch: scratch, into: bits)
        }
    }
}

extension Leaf {
    func judge(_ column: ColumnView, skip: UnsafePointer<UInt64>?, scratch: OpaquePointer, into bits: VerdictBits) {
        assay_check_column(
            handle, scratch, column.bytes, column.cells.baseAddress, column.count, skip, bits.failed, bits.undecided)
    }
}

/// Lends three masks of one joint: the rows that are closed, and the bits of the part under way.
private func withMasks(words: Int, _ body: (UnsafeMutablePointer<UInt64>, VerdictBits) -> Void) {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: max(1, 3 * words)) { buffer in
        let base = buffer.baseAddress!
        body(base, VerdictBits(failed: base + words, undecided: base + 2 * words))
    }
}

/// Calls `body` with the position of every one of a word, lowest first.
@inline(__always)
package func forEachBit(in word: UInt64, _ body: (Int) -> Void) {
    var rest = word
    while rest != 0 {
        body(rest.trailingZeroBitCount)
        rest &= rest - 1
    }
}
