/// What can judge many values at once: a ``Pattern``, a ``CompiledCheck``.
///
/// Each method judges on all processors (`DispatchQueue.concurrentPerform` over chunks of 4,096 values) and returns the
/// verdicts in the order of the values, the same for any number of threads. With `threads: 1` everything happens on the
/// calling thread and Dispatch is not touched. Nothing is allocated
/// per value, but for a length in characters of a value that is not ASCII.
///
/// Do not call these from an `async` function with other work to do: they occupy the thread until they are done.
public protocol BulkCheckable: Sendable {
    var compiledCheck: CompiledCheck { get }
}

extension CompiledCheck: BulkCheckable {
    public var compiledCheck: CompiledCheck { self }
}

extension Pattern: BulkCheckable {
    public var compiledCheck: CompiledCheck { CompiledCheck(self) }
}

/// How far a bulk call has come.
public struct BulkProgress: Hashable, Sendable {
    public var completed: Int
    public var total: Int
}

/// What a progress callback wants.
public enum BulkControl: Hashable, Sendable {
    case proceed
    case cancel
}

/// Why a bulk call has no result.
public enum BulkError: Error, Hashable, Sendable {
    /// The progress callback asked for it.
    case cancelled
    /// Offsets must not descend, nor lie outside the bytes. The index is that of the first wrong one.
    case badOffset(index: Int)
}

extension BulkCheckable {
    /// Judges an array of strings.
    ///
    /// - Parameters:
    ///   - threads: how many threads work, the caller's included; `nil`: as many as there are processors.
    ///   - limits: how much work one value may cause.
    public func verdicts(
        for values: [String], threads: Int? = nil, limits: MatchLimits = MatchLimits()
    ) -> VerdictMask {
        uncancelled { () throws(BulkError) in
            try bulk(compiledCheck.node, strings: values, threads: threads, limits: limits, progress: nil)
        }
    }

    /// Judges an array of strings, and says how far it is.
    ///
    /// - Parameter progress: called after each chunk, from whichever thread finished it, but never by two at once. When it
    ///   returns ``BulkControl/cancel`` the call ends soon.
    /// - Throws: ``BulkError/cancelled``.
    public func verdicts(
        for values: [String], threads: Int? = nil, limits: MatchLimits = MatchLimits(),
        progress: @escaping @Sendable (BulkProgress) -> BulkControl
    ) throws(BulkError) -> VerdictMask {
        try bulk(compiledCheck.node, strings: values, threads: threads, limits: limits, progress: progress)
    }

    /// Judges an array of substrings, such as the fields of a line, without copying them into strings.
    public func verdicts(
        for values: [Substring], threads: Int? = nil, limits: MatchLimits = MatchLimits()
    ) -> VerdictMask {
        uncancelled { () throws(BulkError) in
            try bulk(compiledCheck.node, strings: values, threads: threads, limits: limits, progress: nil)
        }
    }

    /// Judges an array of substrings, and says how far it is.
    public func verdicts(
        for values: [Substring], threads: Int? = nil, limits: MatchLimits = MatchLimits(),
        progress: @escaping @Sendable (BulkProgress) -> BulkControl
    ) throws(BulkError) -> VerdictMask {
        try bulk(compiledCheck.node, strings: values, threads: threads, limits: limits, progress: progress)
    }

    /// Judges values that stand one after the other in a buffer, as Arrow keeps them: value *i* is
    /// `utf8[offsets[i]..<offsets[i + 1]]`, so that *n* values take *n* + 1 offsets.
    ///
    /// The bytes are not trusted: a value that is not well-formed UTF-8 fails.
    ///
    /// - Throws: ``BulkError/badOffset(index:)``; ``BulkError/cancelled``.
    public func verdicts(
        utf8: Span<UInt8>, offsets: Span<Int32>, threads: Int? = nil, limits: MatchLimits = MatchLimits(),
        progress: (@Sendable (BulkProgress) -> BulkControl)? = nil
    ) throws(BulkError) -> VerdictMask {
        let node = compiledCheck.node
        return try utf8.withUnsafeBufferPointer { utf8 throws(BulkError) in
            try offsets.withUnsafeBufferPointer { offsets throws(BulkError) in
                try bulk(node, utf8: utf8, offsets: offsets, threads: threads, limits: limits, progress: progress)
            }
        }
    }

    /// The same with 64-bit offsets, as Arrow's large layout has them.
    public func verdicts(
        utf8: Span<UInt8>, offsets: Span<Int64>, threads: Int? = nil, limits: MatchLimits = MatchLimits(),
        progress: (@Sendable (BulkProgress) -> BulkControl)? = nil
    ) throws(BulkError) -> VerdictMask {
        let node = compiledCheck.node
        return try utf8.withUnsafeBufferPointer { utf8 throws(BulkError) in
            try offsets.withUnsafeBufferPointer { offsets throws(BulkError) in
                try bulk(node, utf8: utf8, offsets: offsets, threads: threads, limits: limits, progress: progress)
            }
        }
    }

    private func uncancelled(_ body: () throws(BulkError) -> VerdictMask) -> VerdictMask {
        do {
            return try body()
        } catch {
            preconditionFailure("without a progress callback nothing can cancel: \(error)")
        }
    }
}
