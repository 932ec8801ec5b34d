extension RunResult {
    /// Records that could not be read as such, by kind.
    public struct Structure: Hashable, Sendable {
        /// Another number of fields than the header.
        public var fields = 0
        /// A quote that never closes, or text after a closing quote.
        public var quote = 0
        /// Over the field or record limit.
        public var tooLong = 0
        /// Not UTF-8.
        public var encoding = 0

        package mutating func add(_ other: Structure) {
            fields += other.fields
            quote += other.quote
            tooLong += other.tooLong
            encoding += other.encoding
        }
    }
}
