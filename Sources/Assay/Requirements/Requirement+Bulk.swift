extension Requirement where Value == String {
    /// Judges many strings at once, on all processors.
    ///
    /// What is data runs as column checks in the C core; closures are asked only about the strings that those left open. The
    /// verdicts are those of ``evaluate(_:)``, in the order of the strings, for any number of threads.
    ///
    /// The checks are compiled by the first call; later ones, of copies too, use them again.
    ///
    /// - Parameter threads: how many threads work, the caller's included; `nil`: as many as there are processors; 1: no
    ///   Dispatch.
    public func verdicts(for values: [String], threads: Int? = nil) -> VerdictMask {
        switch columns.plan(of: node).kind {
        case .values:
            return judged(values, Array(values.indices), threads: threads)
        case .data(let check):
            return check.verdicts(for: values, threads: threads)
        case .all(let check, let rest):
            let mask = check.verdicts(for: values, threads: threads)
            // What is undecided may yet fail.
            let open = Array(mask.indices(of: .pass)) + Array(mask.indices(of: .undecided))
            return mask.joined(with: rest.judged(values, open, threads: threads), at: open) { one, other in
                one == .fail || other == .fail ? .fail : one == .pass ? other : one
            }
        case .any(let check, let rest):
            let mask = check.verdicts(for: values, threads: threads)
            let open = Array(mask.indices(of: .fail)) + Array(mask.indices(of: .undecided))
            return mask.joined(with: rest.judged(values, open, threads: threads), at: open) { one, other in
                one == .pass || other == .pass ? .pass : one == .fail ? other : one
            }
        }
    }
}

extension Requirement where Value: Sendable {
    /// Judges many values at once, on all processors: the verdicts of ``evaluate(_:)`` in the order of the values.
    @_disfavoredOverload
    public func verdicts(for values: [Value], threads: Int? = nil) -> VerdictMask {
        judged(values, Array(values.indices), threads: threads)
    }

    /// Judges some of many values one by one, in the order of `open`.
    fileprivate func judged(_ values: [Value], _ open: [Int], threads: Int?) -> VerdictMask {
        do {
            return try runBulk(
                count: open.count, threads: threads, progress: nil, makeWorker: {},
                work: { _, rows, bits in
                    for word in 0..<maskWords(rows.count) { (bits.failed[word], bits.undecided[word]) = (0, 0) }
                    // Spans lend their elements; an array would count references up and down, on all threads.
                    let (values, open) = (values.span, open.span)
                    for index in rows {
                        let row = index - rows.lowerBound
                        guard case .failed(let reason) = question.evaluate(values[open[index]]) else { continue }
                        let bit: UInt64 = 1 << UInt64(row % 64)
                        if reason.isUndecided { bits.undecided[row / 64] |= bit } else { bits.failed[row / 64] |= bit }
                    }
                })
        } catch {
            preconditionFailure("without a progress callback nothing can cancel: \(error)")
        }
    }
}

extension VerdictMask {
    /// The same verdicts, but at some places joined with others.
    fileprivate func joined(
        with others: VerdictMask, at indices: [Int], _ join: (Verdict, Verdict) -> Verdict
    ) -> VerdictMask {
        if indices.isEmpty { return self }
        var failed = [UInt64](repeating: 0, count: maskWords(count))
        var undecided = failed
        func set(_ index: Int, _ verdict: Verdict) {
            let bit: UInt64 = 1 << UInt64(index % 64)
            failed[index / 64] = verdict == .fail ? failed[index / 64] | bit : failed[index / 64] & ~bit
            undecided[index / 64] = verdict == .undecided ? undecided[index / 64] | bit : undecided[index / 64] & ~bit
        }
        for index in self.indices(of: .fail) { set(index, .fail) }
        for index in self.indices(of: .undecided) { set(index, .undecided) }
        for (index, verdict) in zip(indices, others) { set(index, join(self[index], verdict)) }
        return VerdictMask(count: count, failed: failed, undecided: undecided)
    }
}
