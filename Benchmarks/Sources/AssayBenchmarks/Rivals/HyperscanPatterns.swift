#if HAS_HYPERSCAN
    import CHyperscanLoop

    /// Hyperscan, or Vectorscan if that is installed under its name.
    final class HyperscanPatterns {
        private let handle: OpaquePointer

        /// Returns nil if Hyperscan refuses a pattern or does not support this processor.
        init?(_ patterns: [String]) {
            guard let handle = withCTexts(patterns, { hyperscan_patterns_create($0, $1, $2, false) }) else {
                return nil
            }
            self.handle = handle
        }

        deinit { hyperscan_patterns_free(handle) }

        /// Counts the values that match all patterns.
        func count(_ column: Column) -> Int {
            column.withPointers { hyperscan_patterns_count(handle, $0, $1, column.count) }
        }
    }
#endif
