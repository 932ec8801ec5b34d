internal import CAssay

// Values in other collections than arrays, and texts that are only bytes.

extension BulkCheckable {
    /// Checks the strings or substrings of a set, a slice or another collection, in the order of the collection.
    ///
    /// - Parameters:
    ///   - threads: As in ``verdicts(for:threads:limits:budget:)``.
    ///   - limits: The maximum work for one value in each pattern.
    ///   - budget: Limits of the whole call; values beyond them are undecided.
    public func verdicts<Text: StringProtocol & Sendable>(
        for values: some Collection<Text>, threads: Int? = nil, limits: MatchLimits = MatchLimits(),
        budget: CallBudget? = nil
    ) -> VerdictMask {
        verdicts(for: Array(values), threads: threads, limits: limits, budget: budget)
    }

    /// Checks consecutive values in a buffer, with offsets as Swift counts.
    ///
    /// - Throws: ``BulkError/badOffset(index:)``; ``BulkError/cancelled``.
    public func verdicts(
        utf8: Span<UInt8>, offsets: Span<Int>, threads: Int? = nil, limits: MatchLimits = MatchLimits(),
        budget: CallBudget? = nil, progress: (@Sendable (BulkProgress) -> BulkControl)? = nil
    ) throws(BulkError) -> VerdictMask {
        try bulk(
            bulkCheck.evaluator, utf8: utf8, offsets: offsets, threads: threads, limits: limits, budget: budget,
            progress: progress)
    }
}

extension Requirement where Value: Sendable {
    /// Checks the values of a set, a slice or another collection, in the order of the collection.
    ///
    /// - Parameters:
    ///   - threads: As in ``verdicts(for:threads:limits:budget:)``.
    ///   - limits: The maximum work for one text in each pattern.
    ///   - budget: Limits of the whole call; values beyond them are undecided.
    @_disfavoredOverload
    public func verdicts(
        for values: some Collection<Value>, threads: Int? = nil, limits: MatchLimits = MatchLimits(),
        budget: CallBudget? = nil
    ) -> VerdictMask {
        verdicts(for: Array(values), threads: threads, limits: limits, budget: budget)
    }
}

extension Pattern {
    /// Whether a value in UTF-8 matches. False if it is not well-formed, or if a limit leaves it undecided.
    public func matches(_ utf8: Span<UInt8>) -> Bool { verdict(of: utf8) == .pass }

    /// Whether a value in UTF-8 matches, such as one in `[UInt8]`, `Data` or a view of SwiftNIO's `ByteBuffer`. False
    /// if it is not well-formed, or if a limit leaves it undecided.
    public func matches(_ utf8: some Collection<UInt8>) -> Bool { verdict(of: utf8) == .pass }

    /// Whether a value in UTF-8 matches. False if a limit leaves it undecided.
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    public func matches(_ utf8: borrowing UTF8Span) -> Bool { verdict(of: utf8.span) == .pass }

    /// Checks a value in UTF-8. A value that is not well-formed fails.
    public func verdict(of utf8: Span<UInt8>) -> Verdict { utf8.withUnsafeBufferPointer(checkedVerdict) }

    /// Checks a value in UTF-8, such as one in `[UInt8]` or `Data`. A value that is not well-formed fails.
    public func verdict(of utf8: some Collection<UInt8>) -> Verdict {
        utf8.withContiguousStorageIfAvailable(checkedVerdict)
            ?? Array(utf8).withUnsafeBufferPointer(checkedVerdict)
    }

    private func checkedVerdict(of value: UnsafeBufferPointer<UInt8>) -> Verdict {
        assay_utf8_valid_prefix(value.cBase, value.count) == value.count ? verdict(of: value) : .fail
    }
}
