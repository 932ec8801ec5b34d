#if HAS_HYPERSCAN
    import CHyperscanLoop

    /// Hyperscan, or Vectorscan where that is what carries its name.
    final class HyperscanPatterns {
        private let handle: OpaquePointer

        /// nil: Hyperscan refuses one of the patterns, or runs not on this processor.
        init?(_ patterns: [String]) {
            guard let handle = withCTexts(patterns, hyperscan_patterns_create) else { return nil }
            self.handle = handle
        }

        deinit { hyperscan_patterns_free(handle) }

        /// How many values match all of the patterns.
        func count(_ column: Column) -> Int {
            column.withPointers { hyperscan_patterns_count(handle, $0, $1, column.count) }
        }
    }
#endif
