internal import Assay

extension RunCounts {
    /// Writes or reads the counts.
    mutating func code(with coder: inout CheckpointCoder) {
        total.code(with: &coder)
        coder.code(&inputs, blank: Input()) { $0.code(with: &$1) }
        coder.code(&outputBytes)
        coder.code(&findings)
        coder.code(&firstFindings, blank: .blank) { $0.code(with: &$1) }
        coder.code(&misencodedSample)
    }
}

extension RunCounts.Input {
    fileprivate mutating func code(with coder: inout CheckpointCoder) {
        for count in [\Self.bytes, \.records, \.rejected, \.undecided, \.leftOut, \.skippedLines] {
            coder.code(&self[keyPath: count])
        }
    }
}

extension VerdictCounts {
    /// Writes or reads the counts.
    mutating func code(with coder: inout CheckpointCoder) {
        for count in [
            \RunResult.Structure.fields, \.quote, \.tooLong, \.encoding, \.controls, \.json, \.blank,
        ] {
            coder.code(&structure[keyPath: count])
        }
        lineBreaks.code(with: &coder)
        tally.code(with: &coder)
        for index in listTallies.indices { listTallies[index].code(with: &coder) }
        var seen = present.map { $0 ? 1 : 0 }
        coder.code(&seen)
        present = seen.map { $0 == 1 }
        positions.code(with: &coder)
        firsts.code(with: &coder)
    }

    /// Whether both have the same numbers of rules and columns.
    func isLike(_ other: Self) -> Bool {
        present.count == other.present.count && tally.isLike(other.tally)
            && zip(listTallies, other.listTallies).allSatisfy { $0.isLike($1) }
    }
}

extension RuleTally {
    fileprivate mutating func code(with coder: inout CheckpointCoder) {
        coder.code(&rules, blank: Counts()) { counts, coder in
            coder.code(&counts.failed)
            coder.code(&counts.undecided)
        }
        coder.code(&missing)
        coder.code(&rejected)
        coder.code(&unsettled)
    }

    fileprivate func isLike(_ other: Self) -> Bool {
        rules.count == other.rules.count
            && [missing, rejected, unsettled].allSatisfy { $0.count == other.missing.count }
    }
}

extension Finding {
    static let blank = Finding(
        record: 0, line: 0, offset: 0, column: nil, position: nil, rule: "", code: "", severity: .reject, message: "")

    mutating func code(with coder: inout CheckpointCoder) {
        for number in [\Self.record, \.line, \.offset] { coder.code(&self[keyPath: number]) }
        for text in [\Self.rule, \.code, \.message] { coder.code(&self[keyPath: text]) }
        for text in [\Self.column, \.value, \.input] { coder.code(&self[keyPath: text]) }
        coder.code(&position, blank: 0) { $1.code(&$0) }
        coder.code(&character, blank: 0) { $1.code(&$0) }
        var isReject = severity == .reject ? 1 : 0
        coder.code(&isReject)
        severity = isReject == 1 ? .reject : .warn
    }
}

extension Change {
    static let blank = Change(
        record: 0, line: 0, offset: 0, column: "", repairs: [], before: "", after: "", input: nil)

    mutating func code(with coder: inout CheckpointCoder) {
        for number in [\Self.record, \.line, \.offset] { coder.code(&self[keyPath: number]) }
        for text in [\Self.column, \.before, \.after] { coder.code(&self[keyPath: text]) }
        coder.code(&repairs, blank: "") { $1.code(&$0) }
        coder.code(&input)
    }
}
