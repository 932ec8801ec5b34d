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
        /// The records in ``encoding`` with a byte from 80 to 9F, which are control characters in an ISO 8859 encoding.
        package var controls = 0
        /// Lines of JSON Lines that are not a JSON object, or that have a duplicate name.
        public var json = 0
        /// Blank lines of JSON Lines, and of CSV with several columns.
        public var blank = 0

        /// Each kind with its code, in the order in which they are shown.
        package var byCode: [(code: String, count: Int)] {
            [
                ("structure.fields", fields), ("structure.quote", quote), ("structure.json", json),
                ("structure.blank", blank), ("structure.too-long", tooLong), ("encoding", encoding),
            ]
        }

        /// Malformed records of all kinds.
        package var total: Int { byCode.reduce(0) { $0 + $1.count } }

        package mutating func add(_ other: Structure) {
            fields += other.fields
            quote += other.quote
            tooLong += other.tooLong
            encoding += other.encoding
            controls += other.controls
            json += other.json
            blank += other.blank
        }
    }
}
