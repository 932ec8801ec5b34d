extension Requirement {
    /// The requirement as data, for rule files and columns; `nil` where a closure is part of it, or what texts do not have
    /// (elements, properties).
    public var check: Check? {
        switch node {
        case .leaf(let leaf): leaf.check
        case .closure: nil
        case .all(let requirements): Self.checks(requirements).map(Check.all)
        case .any(let requirements): Self.checks(requirements).map(Check.any)
        case .not(let requirement): requirement.check.map(Check.not)
        case .when(let condition, let then):
            if let condition = condition.check, let then = then.check { .when(condition, then: then) } else { nil }
        case .because(let requirement, _, _): requirement.check
        }
    }

    private static func checks(_ requirements: [Self]) -> [Check]? {
        let checks = requirements.compactMap(\.check)
        return checks.count == requirements.count ? checks : nil
    }
}

extension Requirement where Value == String {
    /// Judges many strings at once, on all processors.
    ///
    /// What is data runs as column checks in the C core; closures are asked only about the strings that passed those. The
    /// verdicts are those of ``evaluate(_:)``, in the order of the strings, for any number of threads.
    ///
    /// - Parameter threads: how many threads work, the caller's included; `nil`: as many as there are processors; 1: no
    ///   Dispatch.
    public func verdicts(for values: [String], threads: Int? = nil) -> VerdictMask {
        let (data, rest) = parts
        guard let data, let columns = try? CompiledCheck(.all(data)) else {
            return Self.each(values, threads: threads, self)
        }
        let mask = columns.verdicts(for: values, threads: threads)
        if rest.isEmpty || mask.passedCount == 0 { return mask }
        let open = Array(mask.indices(of: .pass))
        let others = Self.each(open.map { values[$0] }, threads: threads, .all(rest))
        return mask.refined(at: open, by: others)
    }

    /// The parts that run as column checks (`nil`: none) and those that do not. Only a conjunction can be parted.
    private var parts: (data: [Check]?, rest: [Self]) {
        if let check { return ([check], []) }
        guard case .all(let requirements) = node else { return (nil, [self]) }
        let data = requirements.compactMap(\.check)
        return (data.isEmpty ? nil : data, requirements.filter { $0.check == nil })
    }
}

extension Requirement where Value: Sendable {
    /// Judges many values at once, on all processors: the verdicts of ``evaluate(_:)`` in the order of the values.
    @_disfavoredOverload
    public func verdicts(for values: [Value], threads: Int? = nil) -> VerdictMask {
        Self.each(values, threads: threads, self)
    }

    fileprivate static func each(_ values: [Value], threads: Int?, _ requirement: Self) -> VerdictMask {
        do {
            return try runBulk(
                count: values.count, threads: threads, progress: nil, makeWorker: {},
                work: { _, rows, bits in
                    for word in 0..<maskWords(rows.count) { (bits.failed[word], bits.undecided[word]) = (0, 0) }
                    for (row, index) in rows.enumerated() {
                        guard case .failed(let reason) = requirement.evaluate(values[index]) else { continue }
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
    /// The same verdicts, but those of some values that passed replaced by others.
    func refined(at indices: [Int], by others: VerdictMask) -> VerdictMask {
        var failed = [UInt64](repeating: 0, count: maskWords(count))
        var undecided = failed
        func set(_ index: Int, _ verdict: Verdict) {
            if verdict == .fail { failed[index / 64] |= 1 << UInt64(index % 64) }
            if verdict == .undecided { undecided[index / 64] |= 1 << UInt64(index % 64) }
        }
        for index in self.indices(of: .fail) { set(index, .fail) }
        for index in self.indices(of: .undecided) { set(index, .undecided) }
        for (index, verdict) in zip(indices, others) { set(index, verdict) }
        return VerdictMask(count: count, failed: failed, undecided: undecided)
    }
}
