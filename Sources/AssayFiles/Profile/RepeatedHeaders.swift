internal import Assay
internal import CAssay

/// The records of a table that repeat the names of the columns, as in files that were concatenated with their headers.
package struct RepeatedHeaders: Hashable, Sendable {
    package private(set) var records = 0
    package private(set) var first: Place?

    package struct Place: Hashable, Sendable {
        package var record: Int
        package var line: Int
        /// Whether a byte order mark precedes the names.
        package var hasMark: Bool
        /// The file. `nil` if the table has only one.
        package var input: String?
    }

    static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    mutating func add(_ place: Place) {
        records += 1
        if place.record < first?.record ?? .max { first = place }
    }

    mutating func add(_ other: RepeatedHeaders) {
        records += other.records
        if let place = other.first, place.record < first?.record ?? .max { first = place }
    }

    /// For the report.
    var value: JSONValue {
        .object([
            ("records", .integer(records)),
            (
                "first",
                first.map {
                    .object(
                        [
                            ("record", .integer($0.record)), ("line", .integer($0.line)),
                            ("byteOrderMark", .bool($0.hasMark)),
                        ] + ($0.input.map { [("input", .string($0))] } ?? []))
                } ?? .null
            ),
        ])
    }

    /// Such as `1 record repeats the header, on line 3, after a byte order mark`.
    package var text: String? {
        guard let first else { return nil }
        return "\(plural(records, "record")) \(records == 1 ? "repeats" : "repeat") the header, "
            + "\(records == 1 ? "" : "the first ")on line "
            + "\(grouped(first.line))\(first.input.map { " of \(printable($0))" } ?? "")"
            + (first.hasMark ? ", after a byte order mark" : "")
    }
}
