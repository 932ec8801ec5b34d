/// The checks of a bulk call: a check for whole columns, then an evaluator for the values that it does not settle.
struct BulkEvaluator: Sendable {
    /// The check for columns; `nil` if the evaluator checks all values.
    let node: Node?
    let rest: Rest?

    struct Rest: Sendable {
        /// The operator that combines the results of the node and the evaluator.
        let operation: KleeneOperator
        let evaluator: any Evaluator<String>
    }

    /// Runs the evaluator for the rows that the node did not settle, and combines the results.
    ///
    /// - Parameters:
    ///   - bits: The results of the node for these rows. They are replaced by the combined results.
    ///   - scratch: Its limits also apply to checks that the evaluator calls.
    ///   - text: Returns the text of a row; `nil` if it is not well-formed UTF-8 and has already failed.
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

extension BulkEvaluator {
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
