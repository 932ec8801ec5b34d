/// What judges texts in a bulk call: a check for whole columns first, and then an evaluator for the values that the check does
/// not settle.
struct BulkJudge: Sendable {
    /// `nil`: every value is left to the evaluator.
    let node: Node?
    let rest: Rest?

    struct Rest: Sendable {
        /// How its answer and that of the node become one.
        let operation: KleeneOperator
        let evaluator: any Evaluator<String>
    }

    /// Adds what the evaluator says of the rows that the node did not settle.
    ///
    /// - Parameters:
    ///   - bits: what the node said of these rows.
    ///   - scratch: whose limits hold for checks that the evaluator asks, too.
    ///   - text: a row's text; `nil` where it is no well-formed UTF-8, and has failed already.
    @inline(__always)
    func finish(rows: Int, bits: VerdictBits, scratch: borrowing Scratch, text: (_ row: Int) -> String?) {
        guard let rest else { return }
        scratch.withThreadUsingThis {
            for word in 0..<maskWords(rows) {
                let (failed, undecided) = (bits.failed[word], bits.undecided[word])
                let settled = rest.operation == .and ? failed : ~failed & ~undecided
                forEachBit(in: lowBits(rows - word * 64) & ~settled) { bit in
                    guard let text = text(word * 64 + bit) else { return }
                    let known: Verdict =
                        failed >> UInt64(bit) & 1 != 0 ? .fail : undecided >> UInt64(bit) & 1 != 0 ? .undecided : .pass
                    guard scratch.spend(onClosuresOver: text.utf8.count) else {
                        return bits.set(word * 64 + bit, .undecided)
                    }
                    bits.set(word * 64 + bit, rest.operation.combine(known) { rest.evaluator.evaluate(text).verdict })
                }
            }
        }
    }
}

extension BulkJudge {
    init(_ pattern: Pattern) { self.init(node: .leaf(Leaf(pattern)), rest: nil) }

    init(_ requirement: Requirement<String>) {
        switch requirement.node.plan {
        case .values:
            self.init(node: nil, rest: Rest(operation: .and, evaluator: requirement.evaluator))
        case .data(let node):
            self.init(node: node, rest: nil)
        case .both(let operation, let node, let rest):
            self.init(node: node, rest: Rest(operation: operation, evaluator: rest.evaluator))
        }
    }
}
