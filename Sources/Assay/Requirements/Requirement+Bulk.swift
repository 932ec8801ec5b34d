extension Requirement where Value == String {
    /// Judges many strings at once, on all processors.
    ///
    /// What is data runs as column checks in the C core; closures are asked only about the strings that those left open. The
    /// verdicts are those of ``evaluate(_:)``, in the order of the strings, for any number of threads.
    ///
    /// - Parameter threads: how many threads work, the caller's included; `nil`: as many as there are processors; 1: no
    ///   Dispatch.
    public func verdicts(for values: [String], threads: Int? = nil) -> VerdictMask {
        switch node.plan {
        case .values:
            return judged(values, Array(values.indices), threads: threads)
        case .data(let check):
            return column(check, values, threads: threads)
        case .both(let operation, let check, let rest):
            let mask = column(check, values, threads: threads)
            let open = values.indices.filter { mask[$0] != operation.dominant }
            return mask.combined(with: rest.judged(values, open, threads: threads), at: open, operation)
        }
    }

    /// Judges values by the data of this requirement.
    private func column(_ check: Check, _ values: [String], threads: Int?) -> VerdictMask {
        do {
            // Its patterns were compiled when it was made, under whatever limit their maker chose.
            return try CompiledCheck(check, maxPatternBytes: .max).verdicts(for: values, threads: threads)
        } catch {
            preconditionFailure("the checks of a requirement were compiled when it was made: \(error)")
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
                        guard case .failed(let reason) = evaluator.evaluate(values[open[index]]) else { continue }
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
    /// The same verdicts, but at some places combined with others.
    fileprivate func combined(
        with others: VerdictMask, at indices: [Int], _ operation: KleeneOperator
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
        for (index, verdict) in zip(indices, others) { set(index, operation.combine(self[index]) { verdict }) }
        return VerdictMask(count: count, failed: failed, undecided: undecided)
    }
}
