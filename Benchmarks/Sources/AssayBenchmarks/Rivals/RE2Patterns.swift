#if HAS_RE2
    import CRE2Loop

    /// RE2, anchored at both ends.
    final class RE2Patterns {
        private let handle: OpaquePointer

        /// nil: RE2 refuses one of the patterns.
        init?(_ patterns: [String]) {
            guard let handle = withCTexts(patterns, { re2_patterns_create($0, $1, $2, false) }) else { return nil }
            self.handle = handle
        }

        deinit { re2_patterns_free(handle) }

        /// How many values match all of the patterns.
        func count(_ column: Column) -> Int {
            column.withPointers { re2_patterns_count(handle, $0, $1, column.count) }
        }
    }
#endif
